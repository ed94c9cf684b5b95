import { messageOf } from '../values/message-of.js';
import type { BackendRecord, Codec } from './backend.js';
import { deepFreeze } from './freeze.js';
import { type Entry, StoreError } from './storage.js';
import type { Transformer } from './transformer.js';

export interface StoredValuesOptions<T extends object, V> {
  readonly codec: Codec<V>;
  readonly transformer: Transformer<V> | undefined;
  readonly stamp: (value: T, revision: number) => T;
  readonly log: (message: string) => void;
}

/** Converts the values of a storage to those of the backend and back: a value is encoded and then transformed. */
export class StoredValues<T extends object, V> {
  readonly #options: StoredValuesOptions<T, V>;
  /** The source, such as an encryption key, with which each value in memory was transformed. Values without a transformation are absent. */
  readonly #sources = new WeakMap<T, object>();
  /** The records whose failure was logged. The failure of a record is logged only once, although each request reads it again. */
  readonly #logged = new WeakSet<BackendRecord<V>>();

  constructor(options: StoredValuesOptions<T, V>) {
    this.#options = options;
  }

  /** Returns the value to store in the backend, and the source with which it was transformed. */
  encode(value: T, key: string): { readonly encoded: V; readonly source: object | undefined } {
    const { codec, transformer } = this.#options;
    const plain = codec.encode(value);
    if (transformer === undefined) return { encoded: plain, source: undefined };
    return { encoded: transformer.toStorage(plain, key), source: transformer.sourceOfWrites(key) };
  }

  /** Returns a value that contains the revision of its write, and records the source with which it was transformed. */
  stamp(value: T, revision: number, source: object | undefined): T {
    const stamped = this.#options.stamp(value, revision);
    if (source !== undefined) this.#sources.set(stamped, source);
    return stamped;
  }

  /**
   * Returns the value of a record. It is frozen and contains the revision.
   * @param before the entry that a deletion removes, if the record of the deletion has no value
   * @throws StoreError `unreadable` if the value cannot be decrypted or decoded. The first failure of each record is logged.
   */
  read(record: BackendRecord<V>, before: Entry<T> | undefined): T {
    const { key, value, revision } = record;
    if (value === undefined) return deepFreeze(this.stamp((before as Entry<T>).value, revision, undefined));
    try {
      const { transformer } = this.#options;
      const { value: plain, source } = transformer?.fromStorage(value, key) ?? { value, source: undefined };
      return deepFreeze(this.stamp(this.#decode(plain, source !== undefined), revision, source));
    } catch (error) {
      const why = messageOf(error);
      if (!this.#logged.has(record)) this.#options.log(`${key} of revision ${revision} cannot be read: ${why}`);
      this.#logged.add(record);
      throw new StoreError('unreadable', why, { cause: error, key });
    }
  }

  /**
   * Returns whether a stored value must be written again even if it does not change, because it was transformed with another source, such
   * as an earlier encryption key.
   */
  isStale({ key, value }: Entry<T>): boolean {
    return this.#options.transformer?.sourceOfWrites(key) !== this.#sources.get(value);
  }

  #decode(plain: V, isSecret: boolean): T {
    try {
      // The backend returns only values that a storage with the same codec has encoded, so the cast is safe.
      return this.#options.codec.decode(plain) as T;
    } catch (error) {
      if (!isSecret) throw error;
      // The message of a parser may quote the decrypted text, which must not be exposed. The cause is dropped for the same reason.
      throw new Error('the decrypted value is not an object of a known form');
    }
  }
}
