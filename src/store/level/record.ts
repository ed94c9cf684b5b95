import type { BackendRecord } from '../backend.js';

/*
 * The content of a database, in format 1. Revisions are decimal with sixteen digits, so that their numeric order equals the order of the
 * keys.
 *
 *   !base              the state at the oldest held revision, see Base
 *   !format            the version of this format
 *   !opened            how often the database was opened
 *   v<revision><key>   one write: checksum, type, revision of the creation, time and JSON of the value, separated by spaces
 *
 * There is one record for each write, which holds the value once: as the newest version, as the event, and as the previous value of a later
 * event. A record is removed when the history drops the event that replaced its version.
 */

export const FORMAT = 1;
export const BASE_KEY = '!base';
export const FORMAT_KEY = '!format';
export const OPENED_KEY = '!opened';

const PREFIX = 'v';
const DIGITS = 16;
const KEY_START = PREFIX.length + DIGITS;
/** The keys of all records are greater than this key and less than {@link AFTER_RECORDS}. */
export const BEFORE_RECORDS = PREFIX;
export const AFTER_RECORDS = 'w';

const CHECKSUM_DIGITS = 8;
/** The type letter of a record: `p` is a put, `d` a deletion, and `l` a deletion whose record contains the last value. */
const TYPES = { p: 'put', d: 'delete', l: 'delete' } as const;

/** The error for a damaged record, or for a record of another program. */
export class RecordError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RecordError';
  }
}

/** Returns the database key of a write. */
export function recordKey(revision: number, key: string): string {
  return `${PREFIX}${String(revision).padStart(DIGITS, '0')}${key}`;
}

/** Returns a key that is greater than the keys of all writes up to a revision. */
export function afterRevision(revision: number): string {
  return recordKey(revision + 1, '');
}

/** Returns the database value of a write; the checksum in it covers `databaseKey`, too. */
export function encodeRecord(
  databaseKey: string,
  { type, value, createRevision, time }: BackendRecord<string>,
): string {
  const letter = type === 'put' ? 'p' : value === undefined ? 'd' : 'l';
  const head = `${letter} ${createRevision} ${time} `;
  const text = value ?? '';
  return `${formatChecksum(checksum(databaseKey, head, 0, text))} ${head}${text}`;
}

/** Decodes the record of a write. @throws RecordError for a damaged record. */
export function decodeRecord(databaseKey: string, text: string): BackendRecord<string> {
  const revision = Number(databaseKey.slice(PREFIX.length, KEY_START));
  const key = copyFrom(databaseKey, KEY_START);
  const letterAt = CHECKSUM_DIGITS + 1;
  const letter = text[letterAt];
  const timeAt = text.indexOf(' ', letterAt + 2) + 1;
  const valueAt = text.indexOf(' ', timeAt) + 1;
  const isWhole =
    Number.isSafeInteger(revision) &&
    (letter === 'p' || letter === 'd' || letter === 'l') &&
    text.slice(0, CHECKSUM_DIGITS) === formatChecksum(checksum(databaseKey, text, letterAt));
  if (!isWhole) throw new RecordError(`the record of revision ${revision}, ${key}, is damaged`);
  return {
    type: TYPES[letter],
    key,
    value: letter === 'd' ? undefined : text.slice(valueAt),
    revision,
    createRevision: Number(text.slice(letterAt + 2, timeAt - 1)),
    time: Number(text.slice(timeAt, valueAt - 1)),
  };
}

/**
 * Returns the end of a string as a copy. In JavaScript engines, the result of `slice` refers to the whole string, and comparing it takes
 * three times as long. Every read compares keys.
 */
function copyFrom(text: string, start: number): string {
  const copy = text.charAt(start) + text.slice(start + 1);
  // Engines keep the two operands of a concatenation until a character of the result is read. Reading one makes the result a plain string.
  copy.charCodeAt(0);
  return copy;
}

function formatChecksum(sum: number): string {
  return sum.toString(16).padStart(CHECKSUM_DIGITS, '0');
}

/**
 * Describes the state at the oldest held revision, without its entries. `count` and `sum` detect records that are missing entirely, which
 * the checksum of a record cannot detect.
 */
export interface Base {
  readonly revision: number;
  /** The number of keys that exist at `revision`. */
  readonly count: number;
  /** The sum of the revisions at which the keys that exist at `revision` were last written, modulo {@link SUM}. */
  readonly sum: number;
}

/** The modulus that keeps sums within the safe integers of JavaScript. */
export const SUM = 2 ** 48;

/** Decodes the record of {@link Base}. @throws RecordError for a damaged record */
export function decodeBase(text: string | undefined): Base {
  const base = decodeNote(text) as Partial<Base> | undefined;
  const isBase = [base?.revision, base?.count, base?.sum].every(Number.isSafeInteger);
  if (!isBase) throw new RecordError('the record of the oldest held revision is damaged');
  return base as Base;
}

/** Decodes a number in the store's own records; undefined when the record is absent. @throws RecordError for a damaged record */
export function decodeNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const note = decodeNote(text);
  if (typeof note !== 'number') throw new RecordError('a record of the store itself is damaged');
  return note;
}

/** Decodes the JSON of one of the store's own records; undefined when it is absent or not JSON. */
function decodeNote(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

const MULTIPLIER = 0x01000193;
const SEED = 0x811c9dc5;
/** The maximum length of a string that is converted to bytes before its checksum is computed. */
const MAX_BYTES = 16 * 1024;

const utf8 = new TextEncoder();
let bytes: Uint8Array | undefined;

/**
 * Returns a checksum of 32 bits of a database key and its record. The record may be given in two parts, because joining them would copy the
 * second one. The checksum detects damage, not manipulation. LevelDB has its own checksums, but verifies them only when it recovers its
 * log, not when it reads. A slower checksum would delay the start of a large store.
 */
export function checksum(key: string, text: string, start: number, rest = ''): number {
  let sum = add(add(add(SEED, key, 0), text, start), rest, 0);
  sum ^= text.length - start + rest.length;
  sum = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  return (sum ^ (sum >>> 13)) >>> 0;
}

function add(before: number, text: string, start: number): number {
  const ascii = asciiOf(text);
  let sum = before;
  if (ascii !== undefined)
    // The string is ASCII, so the byte at index `i` is the character at index `i`.
    for (let i = start; i < text.length; i++) sum = Math.imul(sum ^ (ascii[i] as number), MULTIPLIER);
  else for (let i = start; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), MULTIPLIER);
  return sum;
}

/**
 * Returns the bytes of an ASCII string, because engines read them twice as fast as characters; undefined for other strings. The next call
 * overwrites the bytes.
 */
function asciiOf(text: string): Uint8Array | undefined {
  if (text.length > MAX_BYTES) return undefined;
  bytes ??= new Uint8Array(MAX_BYTES);
  const { read, written } = utf8.encodeInto(text, bytes);
  return read === text.length && written === text.length ? bytes : undefined;
}
