import type { BackendRecord } from './backend.js';
import type { Entry, StoreEvent } from './storage.js';

/** Decodes and freezes the value of a record, and adds the revision to it. `before` is the entry that the record replaced or removed. */
export type ReadRecord<T, V> = (record: BackendRecord<V>, before: Entry<T> | undefined) => T;

/**
 * An entry that an earlier process wrote. Its value is decoded when it is first read: most values of a large store are not read for a long
 * time, and decoding all of them would take most of the startup time.
 */
export class RestoredEntry<T, V = unknown> implements Entry<T> {
  readonly key: string;
  readonly revision: number;
  readonly createRevision: number;
  readonly writtenAt?: number;
  readonly #read: ReadRecord<T, V>;
  #record: BackendRecord<V> | undefined;
  #before: Entry<T> | undefined;
  #value: T | undefined;

  constructor(record: BackendRecord<V>, read: ReadRecord<T, V>, before?: Entry<T>) {
    this.key = record.key;
    this.revision = record.revision;
    this.createRevision = record.createRevision;
    if (record.time !== undefined) this.writtenAt = record.time;
    this.#read = read;
    this.#record = record;
    this.#before = before;
    Object.freeze(this);
  }

  get value(): T {
    const record = this.#record;
    if (record !== undefined) {
      this.#value = this.#read(record, this.#before);
      // The encoded value is not needed any more.
      this.#record = undefined;
      this.#before = undefined;
    }
    return this.#value as T; // This read or an earlier one has decoded the value, so the cast is safe.
  }
}

/** An event that an earlier process wrote, with the values of its entries. */
export class RestoredEvent<T> implements StoreEvent<T> {
  readonly type: 'put' | 'delete';
  readonly key: string;
  readonly revision: number;
  readonly #entry: Entry<T>;
  readonly #before: Entry<T> | undefined;

  constructor(type: 'put' | 'delete', entry: Entry<T>, before: Entry<T> | undefined) {
    this.type = type;
    this.key = entry.key;
    this.revision = entry.revision;
    this.#entry = entry;
    this.#before = before;
    Object.freeze(this);
  }

  get value(): T {
    return this.#entry.value;
  }
  get previous(): T | undefined {
    return this.#before?.value;
  }
}
