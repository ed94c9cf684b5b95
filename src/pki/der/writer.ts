import { joinBytes } from '../../values/join-bytes.js';
import { derTag } from './reader.js';

const encoder = new TextEncoder();

/** Returns one DER element with the given content. */
export function element(tag: number, ...content: readonly Uint8Array[]): Uint8Array {
  const length = content.reduce((sum, part) => sum + part.length, 0);
  const header = [tag];
  if (length < 0x80) header.push(length);
  else {
    const bytes: number[] = [];
    for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest & 0xff);
    header.push(0x80 | bytes.length, ...bytes);
  }
  return joinBytes([new Uint8Array(header), ...content]);
}

export const sequence = (...content: readonly Uint8Array[]) => element(derTag.sequence, ...content);
export const set = (...content: readonly Uint8Array[]) => element(derTag.set, ...content);
/** Returns the constructed element `[number]` with the given content: EXPLICIT, or IMPLICIT for a constructed type. */
export const tagged = (number: number, ...content: readonly Uint8Array[]) =>
  element(derTag.constructed(number), ...content);
export const octetString = (bytes: Uint8Array) => element(derTag.octetString, bytes);
export const bitString = (bytes: Uint8Array) => element(derTag.bitString, new Uint8Array(1), bytes);
export const utf8String = (text: string) => element(derTag.utf8String, encoder.encode(text));
export const boolean = (value: boolean) => element(derTag.boolean, new Uint8Array([value ? 0xff : 0]));

/** Returns the DER of an object identifier in dotted form: `1.2.840`. */
export function oid(dotted: string): Uint8Array {
  const [top = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes: number[] = [];
  for (const arc of [top * 40 + second, ...rest]) {
    const groups = [arc & 0x7f];
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128))
      groups.unshift((left & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return element(derTag.oid, new Uint8Array(bytes));
}

/** Returns the DER of an integer that is not negative, given as big-endian bytes. */
export function integer(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const shortest = bytes.subarray(start);
  return (shortest[0] ?? 0) >= 0x80 || shortest.length === 0
    ? element(derTag.integer, new Uint8Array(1), shortest)
    : element(derTag.integer, shortest);
}

/** Returns the DER of a bit string with these bits set and without trailing zero bits. Bit 0 is the first byte's highest. */
export function namedBits(bits: readonly number[]): Uint8Array {
  const last = Math.max(-1, ...bits);
  const bytes = new Uint8Array(Math.floor(last / 8) + 2);
  bytes[0] = last < 0 ? 0 : 7 - (last % 8);
  for (const bit of bits) {
    const at = Math.floor(bit / 8) + 1;
    bytes[at] = (bytes[at] ?? 0) | (0x80 >> (bit % 8));
  }
  return element(derTag.bitString, bytes);
}

const YEAR_0 = Date.UTC(-1, 12);
const YEAR_10000 = Date.UTC(10_000, 0);

/**
 * Returns the DER of a time (milliseconds since the epoch), in whole seconds: as UTCTime for the years 1950 to 2049, and otherwise as
 * GeneralizedTime.
 * @throws RangeError for a year that does not have four digits, because DER cannot represent it
 */
export function time(milliseconds: number): Uint8Array {
  if (milliseconds < YEAR_0 || milliseconds >= YEAR_10000)
    throw new RangeError('a certificate cannot have a time outside the years 0 to 9999');
  const digits = new Date(milliseconds).toISOString().replace(/\.\d+|[^\dZ]/g, '');
  const year = Number(digits.slice(0, 4));
  return year >= 1950 && year < 2050
    ? element(derTag.utcTime, encoder.encode(digits.slice(2)))
    : element(derTag.generalizedTime, encoder.encode(digits));
}
