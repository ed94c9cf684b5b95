import type { BackendRecord } from '../backend.js';
import { checksum } from './checksum.js';

/*
 * What a database contains, in format 1. Revisions are decimal with sixteen digits, so that their order is that of the keys.
 *
 *   !base              the state at the oldest held revision, see Base
 *   !format            the version of this format
 *   !opened            how often the database was opened
 *   v<revision><key>   one write: checksum, type, revision of the creation, time, JSON of the value
 *
 * There is one record for each write, which holds the value once: as the newest version, as the event, and as the previous value of a later
 * event. It is removed when the history drops the event that replaced it.
 */

export const FORMAT = 1;
export const BASE_KEY = '!base';
export const FORMAT_KEY = '!format';
export const OPENED_KEY = '!opened';

const PREFIX = 'v';
const DIGITS = 16;
const KEY_START = PREFIX.length + DIGITS;
/** All records are after this key and before {@link AFTER_RECORDS}. */
export const BEFORE_RECORDS = PREFIX;
export const AFTER_RECORDS = 'w';

const TYPE = 4;
const CREATE_REVISION = 8;
const TIME = 16;
const HEADER = 24;
const TYPES = ['put', 'delete', 'deleteWithValue'] as const;
const NO_BYTES = new Uint8Array(0);

/** A damaged or foreign record. */
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

/** Returns a key that is greater than those of all writes up to a revision. */
export function afterRevision(revision: number): string {
  return recordKey(revision + 1, '');
}

/** Returns the database value of a write. */
export function encodeRecord({ type, key, value, revision, createRevision, time }: BackendRecord): Uint8Array {
  const content = value ?? NO_BYTES;
  const bytes = new Uint8Array(HEADER + content.length);
  const header = new DataView(bytes.buffer, 0, HEADER);
  header.setUint8(TYPE, type === 'put' ? 0 : value === undefined ? 1 : 2);
  header.setFloat64(CREATE_REVISION, createRevision);
  header.setFloat64(TIME, time);
  bytes.set(content, HEADER);
  header.setUint32(0, checksum(recordKey(revision, key), bytes.subarray(TYPE)));
  return bytes;
}

/** Reads a write back. @throws RecordError for a record that is not as it was written. */
export function decodeRecord(databaseKey: string, bytes: Uint8Array): BackendRecord {
  const revision = Number(databaseKey.slice(PREFIX.length, KEY_START));
  const key = databaseKey.slice(KEY_START);
  const damaged = () => new RecordError(`the record of revision ${revision}, ${key}, is damaged`);
  if (!Number.isSafeInteger(revision) || revision < 1 || bytes.length < HEADER) throw damaged();
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER);
  if (header.getUint32(0) !== checksum(databaseKey, bytes.subarray(TYPE))) throw damaged();
  const type = TYPES[header.getUint8(TYPE)];
  if (type === undefined) throw damaged();
  return {
    type: type === 'put' ? 'put' : 'delete',
    key,
    value: type === 'delete' ? undefined : bytes.subarray(HEADER),
    revision,
    createRevision: header.getFloat64(CREATE_REVISION),
    time: header.getFloat64(TIME),
  };
}

/**
 * The state at the oldest held revision, without its contents. Count and sum detect records that are missing as a whole, which no checksum
 * of a record can.
 */
export interface Base {
  readonly revision: number;
  /** The number of keys that exist at this revision. */
  readonly count: number;
  /** The sum of the revisions of their newest writes, modulo {@link SUM}. */
  readonly sum: number;
}

/** Keeps sums within the exact integers. */
export const SUM = 2 ** 48;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Returns the database value of a small object of the store itself. */
export function encodeNote(note: Base | number): Uint8Array {
  return encoder.encode(JSON.stringify(note));
}

/** Reads the base. @throws RecordError */
export function decodeBase(bytes: Uint8Array | undefined): Base {
  const base = decodeNote(bytes) as Partial<Base> | undefined;
  const isBase = [base?.revision, base?.count, base?.sum].every(Number.isSafeInteger);
  if (!isBase) throw new RecordError('the record of the oldest held revision is damaged');
  return base as Base;
}

/** Reads a number of the store itself; undefined when it is absent. @throws RecordError */
export function decodeNumber(bytes: Uint8Array | undefined): number | undefined {
  if (bytes === undefined) return undefined;
  const note = decodeNote(bytes);
  if (typeof note !== 'number') throw new RecordError('a record of the store itself is damaged');
  return note;
}

function decodeNote(bytes: Uint8Array | undefined): unknown {
  try {
    return bytes === undefined ? undefined : JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}
