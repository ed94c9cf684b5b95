import { untilCancelled } from './guaranteed-update.js';
import type { Entry } from './storage.js';

/** A write whose result the backend has not yet returned. */
export interface OwnWrite<T, V> {
  readonly type: 'put' | 'delete';
  readonly key: string;
  readonly value: T;
  /**
   * The encoded value. The backend reports the write with this value itself, not with a copy, so that the storage recognizes its own write
   * by identity.
   */
  readonly encoded: V | undefined;
  /** The source (an encryption key) with which the transformer encrypted the value; undefined for a value that is stored unencrypted. */
  readonly source: object | undefined;
  /** The entry, once the backend has reported the write. */
  entry: Entry<T> | undefined;
  /** Functions that resume the calls which wait for the end of this write. */
  readonly waiting: (() => void)[];
}

/** The minimum number of ended writes whose keys are removed at once. */
const REMOVED_AT_ONCE = 32;

/**
 * The writes of a storage that are under way, by key. A key has at most one, so that each write is validated against a durable version.
 *
 * Ended writes are not removed from the Map. Instead, the Map is replaced from time to time, because removals reallocate its table, and in
 * V8 an old table references the next one: once a table is in the old generation, all later tables and their writes get there, too.
 */
export class OwnWrites<T, V> {
  #byKey = new Map<string, OwnWrite<T, V> | undefined>();
  #ended = 0;

  get(key: string): OwnWrite<T, V> | undefined {
    return this.#byKey.get(key);
  }

  /** Returns a write whose key has one of the prefixes; undefined if there is none. */
  find(prefixes: readonly string[]): OwnWrite<T, V> | undefined {
    for (const write of this.#byKey.values())
      if (write !== undefined) for (const prefix of prefixes) if (write.key.startsWith(prefix)) return write;
    return undefined;
  }

  begin(write: OwnWrite<T, V>): void {
    this.#byKey.set(write.key, write);
  }

  /** Ends a write, and resumes the calls that wait for it. */
  end({ key, waiting }: OwnWrite<T, V>): void {
    this.#byKey.set(key, undefined);
    if (++this.#ended >= Math.max(REMOVED_AT_ONCE, this.#byKey.size / 2)) this.#removeEnded();
    for (const resume of waiting) resume();
  }

  #removeEnded(): void {
    const before = this.#byKey;
    this.#byKey = new Map();
    this.#ended = 0;
    for (const [key, write] of before) if (write !== undefined) this.#byKey.set(key, write);
  }
}

/** Resolves when a write has ended. @throws StoreError `aborted` when the signal fires earlier */
export function waitForEnd(
  { waiting }: Pick<OwnWrite<unknown, unknown>, 'waiting'>,
  signal: AbortSignal | undefined,
): Promise<void> {
  return untilCancelled(new Promise((resolve) => waiting.push(resolve)), signal);
}
