import { parseSigned } from '../values/integer.js';

/** The parameters of a request. Names are matched in their case. */
export interface Query {
  /** The first value, which is the one that counts; undefined where the parameter is absent. */
  first(name: string): string | undefined;
  /** All values in order. */
  all(name: string): readonly string[];
  has(name: string): boolean;
}

const NONE: readonly string[] = Object.freeze([]);

const EMPTY: Query = { first: () => undefined, all: () => NONE, has: () => false };

/**
 * Reads a raw query, without its question mark. Pairs that do not decode, and pairs with a semicolon, are dropped without a
 * word (spec 3.2).
 */
export function parseQuery(raw: string): Query {
  if (raw === '') return EMPTY;
  const values = new Map<string, string[]>();
  for (const pair of raw.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    if (name === undefined || value === undefined) continue;
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return {
    first: (name) => values.get(name)?.[0],
    all: (name) => values.get(name) ?? NONE,
    has: (name) => values.has(name),
  };
}

/** Decodes `%20` and `+`; undefined for a percent sign without two hex digits. Invalid UTF-8 becomes U+FFFD. */
function decode(text: string): string | undefined {
  return percentDecode(text.includes('+') ? text.replaceAll('+', ' ') : text);
}

/** Decodes `%20`; undefined for a percent sign without two hex digits. Invalid UTF-8 becomes U+FFFD. */
export function percentDecode(text: string): string | undefined {
  if (!text.includes('%')) return text;
  if (/%(?![0-9a-fA-F]{2})/.test(text)) return undefined;
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (escapes) => {
    const bytes = Uint8Array.from({ length: escapes.length / 3 }, (_, i) =>
      Number.parseInt(escapes.slice(i * 3 + 1, i * 3 + 3), 16),
    );
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  });
}

/** A switch: absent stays undefined, `0` and `false` in any case are false, all else is true, the empty text too. */
export function parseBoolean(value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined;
  return value !== '0' && value.toLowerCase() !== 'false';
}

/**
 * A count; absent stays undefined. Beyond 2^53 it is the nearest number JavaScript has.
 * @throws ParseError `strconv.ParseInt: parsing "x": invalid syntax`, or `value out of range`.
 */
export function parseInt64(value: string): number;
export function parseInt64(value: string | undefined): number | undefined;
export function parseInt64(value: string | undefined): number | undefined {
  return value === undefined ? undefined : Number(parseSigned(value));
}
