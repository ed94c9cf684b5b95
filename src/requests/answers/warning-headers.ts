import { utf8Length } from '../../values/utf8.js';

/**
 * The most characters of all warnings of an answer; if there are more, each warning is cut, and those that still do not fit are left out
 * (spec 8.11).
 */
const MAX_TOTAL = 4096;
const MAX_CUT = 256;
/**
 * The most lines and their bytes: Node's clients fail on more than 128 headers over HTTP/2, and on more than 16 KiB of headers over
 * HTTP/1.1.
 */
const MAX_LINES = 100;
const MAX_BYTES = 8192;
/** The bytes that a header line of HTTP/1.1 adds to its value. */
const AROUND = 'Warning: \r\n'.length;

/** Returns the values of the header Warning. They are limited so that an answer's headers stay small however many warnings there are. */
export function warningHeaders(warnings: Iterable<string>): string[] {
  const all = [...warnings].filter((text) => text !== '' && !/[\u0000-\u001f\u007f-\u009f]/.test(text));
  const fitted = fitting(all, MAX_TOTAL) ?? cutToFit(all);
  return firstLines(fitted.map((text) => `299 - "${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`));
}

/** Returns all texts if they fit together, else undefined. */
function fitting(texts: readonly string[], total: number): readonly string[] | undefined {
  let length = 0;
  for (const text of texts) if ((length += runes(text, total)) > total) return undefined;
  return texts;
}

// The last warning may exceed the total, as in Kubernetes.
function cutToFit(texts: readonly string[]): string[] {
  const cutTexts: string[] = [];
  let length = 0;
  for (const text of texts) {
    if (length >= MAX_TOTAL) break;
    const cut = [...text.slice(0, 2 * MAX_CUT)].slice(0, MAX_CUT).join('');
    length += runes(cut, MAX_CUT);
    cutTexts.push(cut);
  }
  return cutTexts;
}

/** Returns only as many values as every client can read. */
function firstLines(values: readonly string[]): string[] {
  const lines: string[] = [];
  let bytes = 0;
  for (const value of values.slice(0, MAX_LINES)) {
    bytes += utf8Length(value) + AROUND;
    if (bytes > MAX_BYTES) break;
    lines.push(value);
  }
  return lines;
}

/** Counts the characters of a text. A text that is too long in any case counts as its number of UTF-16 units, which is cheaper to find. */
const runes = (text: string, limit: number): number => (text.length > 2 * limit ? text.length : [...text].length);
