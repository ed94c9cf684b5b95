const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The part of Node's `Buffer` that is used here. */
interface NativeBuffers {
  from(bytes: ArrayBufferLike, start: number, length: number): { toString(encoding: 'base64'): string };
  from(text: string, encoding: 'base64' | 'base64url'): Uint8Array;
}
/** Node's `Buffer`, which is more than ten times as fast as `btoa` and `atob`; undefined in other runtimes. */
const { Buffer: native } = globalThis as { readonly Buffer?: NativeBuffers };

// The maximum number of arguments that are passed in one call. Every JavaScript engine accepts this many.
const ARGUMENTS = 0x2000;

/** Encodes bytes as standard base64 (RFC 4648, section 4). */
export function encodeBase64(bytes: Uint8Array): string {
  if (native) return native.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  let binary = '';
  for (let i = 0; i < bytes.length; i += ARGUMENTS) binary += String.fromCharCode(...bytes.subarray(i, i + ARGUMENTS));
  return btoa(binary);
}

/** Encodes a string's UTF-8 bytes as base64. */
export const encodeBase64Text = (text: string): string => encodeBase64(encoder.encode(text));

/** Matches base64 of which `Buffer` decodes every character. It would skip other characters, where `atob` throws. */
const STANDARD = /^[A-Za-z0-9+/]*={0,2}$/;

/** Returns the bytes of a base64 string. @throws DOMException when the string is not base64 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  // The bytes are copied, because they would keep the larger memory that Node's buffers share.
  if (native && text.length % 4 === 0 && STANDARD.test(text)) return new Uint8Array(native.from(text, 'base64'));
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Decodes a base64 string to the UTF-8 text in it. @throws DOMException when the string is not base64 */
export const decodeBase64Text = (text: string): string => decoder.decode(decodeBase64(text));

/** Returns the number of bytes that a valid base64 string encodes. */
export function decodedLength(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

/** Encodes bytes as base64url without padding (RFC 4648, section 5). */
export function encodeBase64Url(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * Returns the bytes of a base64url string without padding; undefined for any other string. Spare bits of the last character are ignored.
 */
export function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return undefined;
  if (native) return new Uint8Array(native.from(text, 'base64url'));
  return decodeBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
}

/**
 * Returns canonical base64: without the line breaks and spare bits that decoding tolerates.
 * @returns the canonical string, or the position of the first invalid byte
 */
export function canonicalBase64(text: string): string | number {
  let quantum = 0;
  let breaks = false;
  const length = text.length;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (isDigit(code)) quantum = (quantum + 1) & 3;
    else if (isBreak(code)) breaks = true;
    else {
      const bad = badPadding(text, i, quantum);
      return bad ?? normalizePadding(text, breaks || hasBreaks(text, i));
    }
  }
  // An incomplete group of four digits needs padding; the error is reported at the start of the group.
  if (quantum > 0) return length - quantum;
  return breaks ? normalizePadding(text, true) : text;
}

/** Returns the position of the first misplaced character after the digits; undefined when only valid padding follows. */
function badPadding(text: string, at: number, quantum: number): number | undefined {
  if (text[at] !== '=' || quantum < 2) return at;
  let i = at + 1;
  if (quantum === 2) {
    while (isBreak(text.charCodeAt(i))) i++;
    if (i === text.length) return i;
    if (text[i] !== '=') return i - 1;
    i++;
  }
  while (isBreak(text.charCodeAt(i))) i++;
  return i < text.length ? i : undefined;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
function normalizePadding(text: string, breaks: boolean): string {
  const plain = breaks ? text.replace(/[\r\n]/g, '') : text;
  const padding = plain.endsWith('==') ? 2 : plain.endsWith('=') ? 1 : 0;
  if (padding === 0) return plain;
  const at = plain.length - padding - 1;
  const last = DIGITS.indexOf(plain.charAt(at));
  // The last digit has 4 (==) or 2 (=) spare bits, which are cleared.
  const clean = last & (padding === 2 ? 0x30 : 0x3c);
  return clean === last ? plain : `${plain.slice(0, at)}${DIGITS.charAt(clean)}${'='.repeat(padding)}`;
}

const hasBreaks = (text: string, from: number) => text.includes('\n', from) || text.includes('\r', from);
const isBreak = (code: number) => code === 10 || code === 13;
const isDigit = (code: number) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 47 && code <= 57) || code === 43;
