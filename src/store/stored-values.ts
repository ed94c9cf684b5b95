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

/** Converts the values of a storage for the backend and back: it encodes them and then transforms them. */
export class StoredValues<T extends object, V> {
  readonly #options: StoredValuesOptions<T, V>;
  /** The source with which each value in memory was stored. Values that were stored without a transformation are absent. */
  readonly #sources = new WeakMap<T, object>();
  /** The records whose failure was logged. An unreadable record is read again by each request for it, but logged only once. */
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

  /** Returns a value with the revision of its write. */
  stamp(value: T, revision: number, source: object | undefined): T {
    const stamped = this.#options.stamp(value, revision);
    if (source !== undefined) this.#sources.set(stamped, source);
    return stamped;
  }

  /**
   * Returns the value of a record, stamped and frozen.
   * @param before the entry that a deletion without a value of its own removes
   * @throws StoreError `unreadable`, and logs the first failure of each record
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

  /** Returns whether a stored value has to be written again even if it does not change. */
  isStale({ key, value }: Entry<T>): boolean {
    return this.#options.transformer?.sourceOfWrites(key) !== this.#sources.get(value);
  }

  #decode(plain: V, isSecret: boolean): T {
    try {
      return this.#options.codec.decode(plain) as T; // the backend returns what a storage has encoded
    } catch (error) {
      if (!isSecret) throw error;
      // What parsers say may quote the text, which is not to be seen outside. The cause is dropped for the same reason.
      throw new Error('the decrypted value is not an object of a known form');
    }
  }
}
