import { parseSigned } from '../values/numbers.js';
import type { Dialect } from './dialect.js';
import { type FieldError, fieldError } from './field-error.js';

/** The query parameters of a request. Names are case-sensitive. */
export interface Query {
  /** Returns the first value of a parameter; undefined when the parameter is absent. No parameter has the name ''. */
  first(name: string): string | undefined;
  /** Returns all values of a parameter, in the order of the query. */
  all(name: string): readonly string[];
  /** Returns whether the parameter is given. */
  has(name: string): boolean;
}

const [PERCENT, AMPERSAND, PLUS, SPACE, EQUALS] = [0x25, 0x26, 0x2b, 0x20, 0x3d];
/** The ASCII characters by their codes. */
const CHARACTERS = Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code));
const NONE: readonly string[] = Object.freeze([]);

const EMPTY: Query = { first: () => undefined, all: () => NONE, has: () => false };

/** Parses a raw query without its question mark. Pairs that do not decode, and pairs with a semicolon, are dropped silently (spec 3.2). */
export function parseQuery(raw: string): Query {
  return raw === '' ? EMPTY : new RawQuery(raw);
}

/** Matches a name that needs no escapes. */
const PLAIN_NAME = /^[^%+&=]+$/;

/**
 * A query string that is searched only when a parameter is read. A caller without credentials may send very many parameters, so parameters
 * that are not read are neither split nor decoded. Names without escapes are found by the engine's own string search; names with escapes
 * are indexed once.
 */
class RawQuery implements Query {
  readonly #raw: string;
  #escaped: readonly number[] | undefined;

  constructor(raw: string) {
    this.#raw = raw;
  }

  first(name: string): string | undefined {
    return this.#values(name, 1)[0];
  }
  all(name: string): readonly string[] {
    return this.#values(name, Number.POSITIVE_INFINITY);
  }
  has(name: string): boolean {
    return this.#values(name, 1).length > 0;
  }

  /** Returns at most `most` values of a name, in order. */
  #values(name: string, most: number): readonly string[] {
    const raw = this.#raw;
    this.#escaped ??= escapedNames(raw);
    const escaped = this.#escaped;
    const hash = escaped.length === 0 ? 0 : hashOf(name);
    let values: string[] | undefined;
    let plain = name === '' ? -1 : nextPlain(raw, name, 0);
    let next = 0;
    for (;;) {
      while (next < escaped.length && !(escaped[next] === hash && nameAt(raw, escaped[next + 1]) === name)) next += 2;
      const other = escaped[next + 1] ?? -1;
      const start = plain < 0 || (other >= 0 && other < plain) ? other : plain;
      if (start < 0) return values ?? NONE;
      const value = valueAt(raw, start);
      if (value !== undefined) {
        values ??= [];
        if (values.push(value) === most) return values;
      }
      if (start === plain) plain = nextPlain(raw, name, start + 1);
      else next += 2;
    }
  }
}

/** Returns the start of the next pair whose name is written without escapes and equals `name`; -1 when there is none. */
function nextPlain(raw: string, name: string, from: number): number {
  for (let at = raw.indexOf(name, from); at >= 0; at = raw.indexOf(name, at + 1)) {
    const end = at + name.length;
    const isEnd = end === raw.length || raw.charCodeAt(end) === EQUALS || raw.charCodeAt(end) === AMPERSAND;
    if (isEnd && (at === 0 || raw.charCodeAt(at - 1) === AMPERSAND)) return PLAIN_NAME.test(name) ? at : -1;
  }
  return -1;
}

/**
 * Returns two numbers for each pair `name=value` whose name contains escapes, in order: the hash of the decoded name, and the index in
 * `raw` at which the pair starts. A lookup compares hashes first, and decodes only names with the same hash.
 */
function escapedNames(raw: string): number[] {
  const hashesAndStarts: number[] = [];
  if (!raw.includes('%') && !raw.includes('+')) return hashesAndStarts;
  let start = 0;
  let hash = 0;
  let isName = true;
  let isEscaped = false;
  for (let at = 0; at <= raw.length; at++) {
    const code = at < raw.length ? raw.charCodeAt(at) : AMPERSAND;
    if (isName && (code === EQUALS || code === AMPERSAND)) {
      if (isEscaped) hashesAndStarts.push(hash, start);
      isName = false;
    }
    if (code === AMPERSAND) {
      start = at + 1;
      hash = 0;
      isName = true;
      isEscaped = false;
    } else if (isName) {
      isEscaped ||= code === PERCENT || code === PLUS;
      if (code === PERCENT) {
        const byte = escapedByte(raw, at);
        hash = withCode(hash, byte);
        if (!Number.isNaN(byte)) at += 2;
      } else hash = withCode(hash, code === PLUS ? SPACE : code);
    }
  }
  return hashesAndStarts;
}

/** Returns the name of the pair that begins at `start`; undefined when it cannot be decoded. */
function nameAt(raw: string, start = 0): string | undefined {
  let end = start;
  while (end < raw.length && raw.charCodeAt(end) !== EQUALS && raw.charCodeAt(end) !== AMPERSAND) end++;
  return decode(raw.slice(start, end));
}

/** Returns the value of the pair that begins at `start`; undefined for a pair that is dropped. The name of the pair must be decodable. */
function valueAt(raw: string, start: number): string | undefined {
  const end = raw.indexOf('&', start);
  const pair = raw.slice(start, end < 0 ? raw.length : end);
  if (pair.includes(';')) return undefined;
  const equals = pair.indexOf('=');
  return equals < 0 ? '' : decode(pair.slice(equals + 1));
}

/** Returns the hash of a decoded name. Characters beyond ASCII are skipped, because there are several ways to write their bytes. */
function hashOf(name: string): number {
  let hash = 0;
  for (let i = 0; i < name.length; i++) hash = withCode(hash, name.charCodeAt(i));
  return hash;
}

const withCode = (hash: number, code: number): number => (code < 0x80 ? (Math.imul(hash, 31) + code) | 0 : hash);

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
      const byte = escapedByte(text, done);
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

/** Returns the byte that an escape at a percent sign encodes; NaN for a broken escape. */
const escapedByte = (text: string, at: number): number =>
  hexDigit(text.charCodeAt(at + 1)) * 16 + hexDigit(text.charCodeAt(at + 2));

/** Returns the value of a hex digit's character code; NaN for other characters. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
}

/**
 * Parses a boolean parameter. An absent value stays undefined, and `0` and `false` in upper or lower case are false. Every other value is
 * true, even the empty one.
 */
export function parseBoolean(value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined;
  return value !== '0' && value.toLowerCase() !== 'false';
}

/**
 * Parses an integer parameter; an absent value stays undefined. A value beyond 2^53 becomes the nearest JavaScript number.
 * @throws ParseError `strconv.ParseInt: parsing "x": invalid syntax`, or `value out of range`.
 */
export function parseInt64(value: string): number;
export function parseInt64(value: string | undefined): number | undefined;
export function parseInt64(value: string | undefined): number | undefined {
  return value === undefined ? undefined : Number(parseSigned(value));
}

/** Reads the values of the parameter `dryRun`, which the body of a deletion may have, too. */
export function readDryRun(
  values: readonly string[],
  dialect: Dialect,
): { readonly value: boolean; readonly errors: readonly FieldError[] } {
  const considered = dialect.rulings.emptyDryRun === 'not-a-dry-run' ? values.filter((v) => v !== '') : values;
  const bad = considered.some((v) => v !== 'All');
  return {
    value: considered.length > 0 && !bad,
    errors: bad ? [fieldError.notSupported('dryRun', [...considered], ['All'])] : [],
  };
}
