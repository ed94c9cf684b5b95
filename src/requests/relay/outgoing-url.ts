/* Request targets are handled byte by byte: escapes need not be valid UTF-8, so each character here is one byte. */

const ESCAPE = /%([0-9a-f]{2})/gi;
const NOT_BYTE = /[^\0-\xff]/gu;
/** Characters that are escaped in paths and parameters, as Go's net/url does. */
const NOT_IN_PATH = /[^\w.~$&+,/:;=@\ue000-]/g;
const NOT_IN_PARAMETER = /[^\w.~ -]/g;

const escapeByte = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
/** Returns the unescaped bytes of a path or parameter. */
export const unescapeBytes = (text: string): string =>
  text
    .replace(NOT_BYTE, (char) => String.fromCharCode(...new TextEncoder().encode(char)))
    .replace(ESCAPE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Escapes the bytes of a path as Go clients do. */
export const escapePath = (bytes: string): string => bytes.replace(NOT_IN_PATH, escapeByte);

const escapeParameter = (bytes: string): string => bytes.replace(NOT_IN_PARAMETER, escapeByte).replaceAll(' ', '+');

/** Returns the unescaped bytes of a parameter, or undefined for a malformed one. */
const parameterBytes = (text: string): string | undefined =>
  /%(?![0-9a-f]{2})/i.test(text) ? undefined : unescapeBytes(text.replaceAll('+', ' '));

/** Returns a query in a normalized form, with the question mark: parameters are sorted by name, and malformed ones are left out. */
export function encodeQuery(raw: string): string {
  const pairs: (readonly [name: string, value: string])[] = [];
  for (const pair of raw.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const name = parameterBytes(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : parameterBytes(pair.slice(equals + 1));
    if (name !== undefined && value !== undefined) pairs.push([name, value]);
  }
  // The sort is stable, so values of one name keep their order.
  pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const written = pairs.map(([name, value]) => `${escapeParameter(name)}=${escapeParameter(value)}`);
  return written.length === 0 ? '' : `?${written.join('&')}`;
}
