import { ParseError } from './parse-error.js';
import { trimEnd } from './trim-end.js';

/** An instant: whole seconds since the epoch, plus nanoseconds. */
export interface Instant {
  readonly seconds: number;
  readonly nanoseconds: number;
}

/**
 * Parses a time in the wire format, RFC 3339 with any offset and fraction.
 * @throws ParseError such as `parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"`.
 */
export function parseTime(text: string): Instant {
  return new TimeReader(text, 'seconds').read();
}

/**
 * Parses a time in the wire format with a fraction of six digits.
 * @throws ParseError with the same messages as {@link parseTime}, but with a layout that has six digits of fraction
 */
export function parseMicroTime(text: string): Instant {
  return new TimeReader(text, 'microseconds').read();
}

/** Returns a time in canonical form: whole seconds, UTC; null for the first second of the year 1, which is Go's zero time. */
export function normalizeTime(text: string): string | null {
  const { seconds } = parseTime(text);
  return isNone(seconds) ? null : `${formatDateTime(seconds, 'T')}Z`;
}

/** Returns a time in the canonical form with six digits of fraction: UTC; null for Go's zero time. */
export function normalizeMicroTime(text: string): string | null {
  const { seconds, nanoseconds } = parseMicroTime(text);
  if (isNone(seconds) && nanoseconds === 0) return null;
  return `${formatDateTime(seconds, 'T')}.${String(Math.floor(nanoseconds / 1000)).padStart(6, '0')}Z`;
}

/** Converts a valid time from the wire format to the form that error messages print: `2001-02-03 04:05:06 +0000 UTC`. */
export function printTime(text: string): string {
  const { seconds, nanoseconds } = parseTime(text);
  const fraction = nanoseconds === 0 ? '' : `.${trimEnd(String(nanoseconds).padStart(9, '0'), '0')}`;
  return `${formatDateTime(seconds, ' ')}${fraction} +0000 UTC`;
}

/** Converts a valid time in the wire format to milliseconds since the epoch; finer digits are dropped. */
export function timeToMilliseconds(text: string): number {
  const { seconds, nanoseconds } = parseTime(text);
  return seconds * 1000 + Math.floor(nanoseconds / 1_000_000);
}

const FIRST_SECOND = -62_135_596_800;
const isNone = (seconds: number) => seconds === FIRST_SECOND;

function formatDateTime(seconds: number, separator: 'T' | ' '): string {
  const date = new Date(seconds * 1000);
  const rest = date.toISOString().slice(-20, -5).replace('T', separator);
  // A time zone offset can lead to a year without exactly four digits. Date would format such a year differently, so it is formatted here.
  const year = date.getUTCFullYear();
  return `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}${rest}`;
}

interface Element {
  /** The element as Go's layout notation spells it, which error messages print: `2006`, `01`. */
  readonly shown: string;
  read(reader: TimeReader): void;
}

/** Thrown within this module when the text does not fit an element of the layout, such as the month. */
const UNREADABLE = Symbol('unreadable');

const digits = (
  name: string,
  shown: string,
  store: (reader: TimeReader, value: number) => void,
  min: number,
  end: number,
): Element => ({
  shown,
  read(reader) {
    const value = reader.takeTwoDigits(shown === '15');
    if (value < min || value >= end) throw reader.outOfRange(name);
    store(reader, value);
  },
});
const literal = (shown: string): Element => ({ shown, read: (reader) => reader.takeLiteral(shown) });

const DATE_AND_TIME: readonly Element[] = [
  { shown: '2006', read: (reader) => reader.takeYear() },
  literal('-'),
  digits('month', '01', (r, n) => (r.month = n), 1, 13),
  literal('-'),
  digits('day', '02', (r, n) => (r.day = n), 0, 100),
  literal('T'),
  digits('hour', '15', (r, n) => (r.hour = n), 0, 24),
  literal(':'),
  digits('minute', '04', (r, n) => (r.minute = n), 0, 60),
  literal(':'),
  digits('second', '05', (r, n) => (r.second = n), 0, 60),
];
const ZONE: Element = { shown: 'Z07:00', read: (reader) => reader.takeZone() };

const LAYOUTS: Readonly<Record<'seconds' | 'microseconds', readonly Element[]>> = {
  // As in Go, a fraction is accepted although the layout has none. The element for it is empty in the layout and never fails.
  seconds: [...DATE_AND_TIME, { shown: '', read: (reader) => reader.takeAnyFraction() }, ZONE],
  microseconds: [...DATE_AND_TIME, { shown: '.000000', read: (reader) => reader.takeSixDigits() }, ZONE],
};

/**
 * Parses a time by a layout. It accepts the same deviations as Go (an hour of one digit, a comma before the fraction) and fails with the
 * same messages.
 */
class TimeReader {
  readonly #text: string;
  readonly #layout: readonly Element[];
  #rest: string;
  #year = 0;
  month = 1;
  day = 1;
  hour = 0;
  minute = 0;
  second = 0;
  #nanoseconds = 0;
  #offset = 0;

  constructor(text: string, layout: 'seconds' | 'microseconds') {
    this.#text = text;
    this.#rest = text;
    this.#layout = LAYOUTS[layout];
  }

  read(): Instant {
    for (const element of this.#layout) {
      const before = this.#rest;
      try {
        element.read(this);
      } catch (error) {
        if (error !== UNREADABLE) throw error;
        const layout = this.#layout.map((e) => e.shown).join('');
        throw new ParseError(
          `parsing time ${quoteTime(this.#text)} as ${quoteTime(layout)}: cannot parse ${quoteTime(before)} as ${quoteTime(element.shown)}`,
        );
      }
    }
    if (this.#rest !== '') throw this.#failure(`extra text: ${quoteTime(this.#rest)}`);
    const date = new Date(0);
    date.setUTCFullYear(this.#year, this.month - 1, this.day);
    if (this.day < 1 || date.getUTCMonth() !== this.month - 1) throw this.outOfRange('day');
    const seconds = date.getTime() / 1000 + this.hour * 3600 + this.minute * 60 + this.second - this.#offset;
    return { seconds, nanoseconds: this.#nanoseconds };
  }

  outOfRange(name: string): ParseError {
    return this.#failure(`${name} out of range`);
  }

  #failure(why: string): ParseError {
    return new ParseError(`parsing time ${quoteTime(this.#text)}: ${why}`);
  }

  #take(pattern: RegExp): string {
    const match = pattern.exec(this.#rest);
    if (match === null) throw UNREADABLE;
    this.#rest = this.#rest.slice(match[0].length);
    return match[0];
  }

  takeLiteral(text: string): void {
    if (!this.#rest.startsWith(text)) throw UNREADABLE;
    this.#rest = this.#rest.slice(text.length);
  }

  takeYear(): void {
    this.#year = Number(this.#take(/^\d{4}/));
  }

  takeTwoDigits(oneIsEnough: boolean): number {
    return Number(this.#take(oneIsEnough ? /^\d\d?/ : /^\d\d/));
  }

  takeAnyFraction(): void {
    if (!/^[.,]\d/.test(this.#rest)) return;
    this.#storeFraction(this.#take(/^[.,]\d+/));
  }

  takeSixDigits(): void {
    this.#storeFraction(this.#take(/^[.,]\d{6}/));
  }

  #storeFraction(fraction: string): void {
    this.#nanoseconds = Number(fraction.slice(1, 10).padEnd(9, '0'));
  }

  takeZone(): void {
    const zone = this.#take(/^(?:Z|[+-]\d\d:\d\d)/);
    if (zone === 'Z') return;
    const hours = Number(zone.slice(1, 3));
    const minutes = Number(zone.slice(4));
    // Like Go, this accepts offsets of up to 24 hours and 60 minutes.
    if (minutes > 60) throw this.outOfRange('time zone offset minute');
    if (hours > 24) throw this.outOfRange('time zone offset hour');
    this.#offset = (hours * 3600 + minutes * 60) * (zone.startsWith('-') ? -1 : 1);
  }
}

const PRINTED_AS_IT_IS = /^[ !#-[\]-\x7f]*$/;
const HEX = Array.from({ length: 256 }, (_, byte) => `\\x${byte.toString(16).padStart(2, '0')}`);
const REPLACEMENT_CHARACTER = 0xfffd;

/**
 * Quotes a string as Go's messages about times and durations do: bytes beyond ASCII, and control characters, become `\xNN`. The bytes are
 * computed here, because a call of TextEncoder for each character takes thirty times as long, and callers may send millions of characters.
 */
export function quoteTime(text: string): string {
  if (PRINTED_AS_IT_IS.test(text)) return `"${text}"`;
  let out = '';
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (character === '"' || character === '\\') out += `\\${character}`;
    else if (code >= 0x20 && code < 0x80) out += character;
    else out += escapedBytes(code);
  }
  return `"${out}"`;
}

/** Returns the UTF-8 bytes of a code point as `\xNN`. Half of a surrogate pair becomes the replacement character, as in TextEncoder. */
function escapedBytes(code: number): string {
  if (code >= 0xd800 && code < 0xe000) return escapedBytes(REPLACEMENT_CHARACTER);
  const following = (shift: number) => HEX[0x80 | ((code >> shift) & 0x3f)] ?? '';
  if (code < 0x80) return HEX[code] ?? '';
  if (code < 0x800) return `${HEX[0xc0 | (code >> 6)]}${following(0)}`;
  if (code < 0x10000) return `${HEX[0xe0 | (code >> 12)]}${following(6)}${following(0)}`;
  return `${HEX[0xf0 | (code >> 18)]}${following(12)}${following(6)}${following(0)}`;
}

/** Removes trailing zeros from the fraction of a time: `12:00:00.120Z` becomes `12:00:00.12Z`. */
export function shortTime(time: string): string {
  const point = time.indexOf('.');
  if (point < 0) return time;
  let end = time.length - 1;
  while (time[end - 1] === '0') end--;
  return `${time.slice(0, end - 1 === point ? point : end)}Z`;
}
