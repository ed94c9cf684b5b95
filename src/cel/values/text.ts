import { once } from '../../values/memoize.js';
import { codePoints } from '../syntax/source-error.js';

/**
 * CEL counts and cuts strings by code points. A string without surrogates needs no special treatment, because each of its code points is
 * one UTF-16 unit.
 */
const SURROGATE = /[\ud800-\udfff]/;

/** The number of strings whose sizes are cached. A rule often calls several functions on one string, and each cost depends on its size. */
const KEPT = 64;
const LONGEST_KEPT = 1_024;
const texts: string[] = new Array<string>(KEPT).fill('');
const sizes: number[] = new Array<number>(KEPT).fill(0);

const last = { text: '', size: 0 };

export function sizeOfText(text: string): number {
  if (text === last.text) return last.size;
  const { length } = text;
  if (length > LONGEST_KEPT) return codePoints(text);
  // The index in the cache depends on the last character, because the strings of a list often begin alike and differ at the end.
  const place = length === 0 ? 0 : (length * 7 + text.charCodeAt(length - 1)) % KEPT;
  if (texts[place] !== text) {
    sizes[place] = codePoints(text);
    texts[place] = text;
  }
  last.text = text;
  last.size = sizes[place] as number;
  return last.size;
}

/** Returns the code points of a string, or the string itself if each code point is one UTF-16 unit. */
export function points(text: string): string | readonly string[] {
  return SURROGATE.test(text) ? [...text] : text;
}

/** Returns a range of code points as a string. */
export function cut(of: string | readonly string[], from: number, to: number): string {
  return typeof of === 'string' ? of.slice(from, to) : of.slice(from, to).join('');
}

const encoder = once(() => new TextEncoder());
const decoder = once(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }));

export const toBytes = (text: string): Uint8Array => encoder().encode(text);

/** Decodes UTF-8; undefined for invalid bytes. */
export function fromBytes(bytes: Uint8Array): string | undefined {
  try {
    return decoder().decode(bytes);
  } catch {
    return undefined;
  }
}
