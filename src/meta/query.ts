import { parseSigned } from '../values/integer.js';

/** The parameters of a request. Names are matched in their case. */
export interface Query {
  /** The first value, which is the one that counts; undefined where the parameter is absent. */
  first(name: string): string | undefined;
  /** All values in order. */
  all(name: string): readonly string[];
  has(name: string): boolean;
}

const [PERCENT, AMPERSAND, SEMICOLON, EQUALS] = [0x25, 0x26, 0x3b, 0x3d];
/** Those of one byte. */
const CHARACTERS = Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code));
const NONE: readonly string[] = Object.freeze([]);

const EMPTY: Query = { first: () => undefined, all: () => NONE, has: () => false };

/**
 * Reads a raw query, without its question mark. Pairs that do not decode, and pairs with a semicolon, are dropped without a
 * word (spec 3.2).
 */
export function parseQuery(raw: string): Query {
  if (raw === '') return EMPTY;
  const values = new Map<string, string[]>();
  let [start, equals, separated] = [0, -1, false];
  // One walk over the text: somebody without credentials may send very many parameters.
  for (let at = 0; at <= raw.length; at++) {
    const code = at < raw.length ? raw.charCodeAt(at) : AMPERSAND;
    if (code === EQUALS && equals < 0) equals = at;
    else if (code === SEMICOLON) separated = true;
    else if (code === AMPERSAND) {
      if (at > start && !separated) keepPair(values, raw, start, equals < 0 ? at : equals, at);
      [start, equals, separated] = [at + 1, -1, false];
    }
  }
  return {
    first: (name) => values.get(name)?.[0],
    all: (name) => values.get(name) ?? NONE,
    has: (name) => values.has(name),
  };
}

/** Keeps the pair between `start` and `end`, whose name ends at `middle`. */
function keepPair(values: Map<string, string[]>, raw: string, start: number, middle: number, end: number): void {
  const name = decode(raw.slice(start, middle));
  const value = middle === end ? '' : decode(raw.slice(middle + 1, end));
  if (name === undefined || value === undefined) return;
  const known = values.get(name);
  if (known === undefined) values.set(name, [value]);
  else known.push(value);
}

/** Decodes `%20` and `+`; undefined for a percent sign without two hex digits. Invalid UTF-8 becomes U+FFFD. */
function decode(text: string): string | undefined {
  return percentDecode(text.includes('+') ? text.replaceAll('+', ' ') : text);
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Decodes `%20`; undefined for a percent sign without two hex digits. Invalid UTF-8 becomes U+FFFD. */
export function percentDecode(text: string): string | undefined {
  let decoded = '';
  let [done, at] = [0, text.indexOf('%')];
  while (at >= 0) {
    const bytes: number[] = [];
    decoded += text.slice(done, at);
    for (done = at; text.charCodeAt(done) === PERCENT; done += 3) {
      const byte = hexDigit(text.charCodeAt(done + 1)) * 16 + hexDigit(text.charCodeAt(done + 2));
      if (Number.isNaN(byte)) return undefined;
      bytes.push(byte);
    }
    decoded +=
      bytes.length === 1 && Number(bytes[0]) < 0x80
        ? CHARACTERS[Number(bytes[0])]
        : utf8.decode(Uint8Array.from(bytes));
    at = text.indexOf('%', done);
  }
  return done === 0 ? text : decoded + text.slice(done);
}

/** The value of a hex digit's character; NaN for others. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
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
