/*
 * What a request is passed on as, byte by byte: what callers escape need not be text, so each character here is one byte.
 */

const ESCAPE = /%([0-9a-f]{2})/gi;
const NOT_BYTE = /[^\0-\xff]/gu;
/** What paths and parameters have as it is, in the manner of the field's clients. */
const NOT_IN_PATH = /[^\w.~$&+,/:;=@-]/g;
const NOT_IN_PARAMETER = /[^\w.~ -]/g;

const escaped = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
const unescaped = (text: string): string =>
  text
    .replace(NOT_BYTE, (char) => String.fromCharCode(...new TextEncoder().encode(char)))
    .replace(ESCAPE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** The bytes of a path as it was sent. */
export const pathBytes = (path: string): string => unescaped(path);

/** Bytes of a path as the field's clients write them. */
export const escapePath = (bytes: string): string => bytes.replace(NOT_IN_PATH, escaped);

const escapeParameter = (bytes: string): string => bytes.replace(NOT_IN_PARAMETER, escaped).replaceAll(' ', '+');

/** Undefined for what does not decode. */
const parameterBytes = (text: string): string | undefined =>
  /%(?![0-9a-f]{2})/i.test(text) ? undefined : unescaped(text.replaceAll('+', ' '));

/** Parameters written anew, in the order of their names, those that do not decode left out; with the question mark. */
export function encodeQuery(raw: string): string {
  const pairs: (readonly [name: string, value: string])[] = [];
  for (const pair of raw.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const name = parameterBytes(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : parameterBytes(pair.slice(equals + 1));
    if (name !== undefined && value !== undefined) pairs.push([name, value]);
  }
  // Values of one name stay in their order.
  pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const written = pairs.map(([name, value]) => `${escapeParameter(name)}=${escapeParameter(value)}`);
  return written.length === 0 ? '' : `?${written.join('&')}`;
}
