import type { Clock } from '../meta/clock.js';
import type { GroupResource } from '../meta/group-version.js';
import { type Metrics, noMetrics } from '../metrics/metrics.js';
import { decodeBase64, encodeBase64 } from '../values/base64.js';
import type { StorageWiring } from './storage-factory.js';

/** Transforms encoded values on their way to a backend and back, for example by encrypting them. */
export interface Transformer<V> {
  /** Transforms a value into the form in which the backend stores it under the key. */
  toStorage(value: V, key: string): V;
  /**
   * Reverses {@link toStorage}.
   * @throws Error for a value that cannot be read. The message contains no part of the value.
   */
  fromStorage(stored: V, key: string): Restored<V>;
  /**
   * Returns the source, such as an encryption key, with which values are transformed at present. A stored value is stale if
   * {@link fromStorage} returns another source for it.
   */
  sourceOfWrites(key: string): object | undefined;
}

/** A value that was read from a backend and transformed back. */
export interface Restored<V> {
  /** The original value. */
  readonly value: V;
  /**
   * The source with which the value was transformed, such as an encryption key. Sources are compared by identity. It is undefined for a
   * value that was stored without a transformation.
   */
  readonly source: object | undefined;
}

/** The prefix of a stored value, as a string and as bytes. */
export interface Prefix {
  /** The prefix as a string. */
  readonly text: string;
  /** The prefix as bytes. */
  readonly bytes: Uint8Array;
}

/** Adds a prefix to values of a backend, and removes it. Values are strings or bytes, depending on the backend. */
export interface ValueForm<V> {
  /** Returns the bytes of a value. */
  toBytes(value: V): Uint8Array;
  /** Returns the value of bytes. */
  fromBytes(bytes: Uint8Array): V;
  /** Returns whether a stored value begins with a prefix. */
  startsWith(stored: V, prefix: Prefix): boolean;
  /**
   * Returns the bytes that follow a prefix.
   * @throws Error when the stored data after the prefix is malformed
   */
  after(stored: V, prefix: Prefix): Uint8Array;
  /** Returns the stored value of a prefix and the bytes after it. */
  join(prefix: Prefix, bytes: Uint8Array): V;
}

/** The properties of a storage that its encryption depends on. */
export interface EncryptedStorage {
  /** Returns the resource that a key belongs to; undefined when the resource is not known. */
  resourceOf(key: string): GroupResource | undefined;
  /** Returns the location at which the value of a key is stored. Authenticated encryption binds the value to this location. */
  placeOf(key: string): string;
  /** The clock of the server. */
  readonly clock: Clock;
  /** The metrics of the server. */
  readonly metrics: Metrics;
}

/** Encrypts the values of storages. {@link encryptionConfiguration} creates it. */
export interface Encryption {
  /** Returns the transformer of a storage. */
  transformer<V>(form: ValueForm<V>, storage: EncryptedStorage): Transformer<V>;
}

const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const prefixOf = (text: string): Prefix => ({ text, bytes: utf8.encode(text) });

/** The prefix of all encrypted values. It does not depend on the API dialect. Unencrypted values never begin with it. */
export const ENCRYPTED = prefixOf('k8s:enc:');

/** The {@link ValueForm} of bytes. The prefix is followed by the encrypted bytes, as in upstream. */
export const bytesForm: ValueForm<Uint8Array> = {
  toBytes: (value) => value,
  fromBytes: (bytes) => bytes,
  startsWith: (stored, { bytes }) => stored.length >= bytes.length && bytes.every((byte, i) => byte === stored[i]),
  after: (stored, { bytes }) => stored.subarray(bytes.length),
  join(prefix, bytes) {
    const stored = new Uint8Array(prefix.bytes.length + bytes.length);
    stored.set(prefix.bytes);
    stored.set(bytes, prefix.bytes.length);
    return stored;
  },
};

/** The {@link ValueForm} of strings. The prefix is followed by the encrypted bytes in base64. */
export const textForm: ValueForm<string> = {
  toBytes: (value) => utf8.encode(value),
  fromBytes: (bytes) => fromUtf8.decode(bytes),
  startsWith: (stored, { text }) => stored.startsWith(text),
  after(stored, { text }) {
    try {
      return decodeBase64(stored.slice(text.length));
    } catch (error) {
      throw new Error('the stored data is not base64', { cause: error });
    }
  },
  join: ({ text }, bytes) => text + encodeBase64(bytes),
};

/** Returns the transformer of a storage without encryption. It refuses encrypted values with upstream's error message. */
export function plainTransformer<V>({ startsWith }: ValueForm<V>): Transformer<V> {
  return {
    toStorage: (value) => value,
    fromStorage(stored) {
      if (startsWith(stored, ENCRYPTED)) throw new Error('identity transformer tried to read encrypted data');
      return { value: stored, source: undefined };
    },
    sourceOfWrites: () => undefined,
  };
}

/**
 * Returns the transformer for the `encryption` option of a storage.
 * @param placeOf returns the location at which the value of a key is stored
 */
export async function transformerOf<V>(
  encryption: Encryption | undefined,
  form: ValueForm<V>,
  { resourceOf, clock, metrics = noMetrics }: Pick<StorageWiring<object>, 'resourceOf' | 'clock' | 'metrics'>,
  placeOf: (key: string) => string,
): Promise<Transformer<V>> {
  if (encryption === undefined) return plainTransformer(form);
  return encryption.transformer(form, {
    resourceOf: (await resourceOf?.()) ?? (() => undefined),
    placeOf,
    clock,
    metrics,
  });
}

/** Checks the option `encryption` of a storage. @throws TypeError for a value that {@link encryptionConfiguration} did not create */
export function refuseOtherEncryption(where: string, encryption: unknown): void {
  const isEncryption =
    encryption === undefined ||
    (typeof encryption === 'object' &&
      encryption !== null &&
      typeof (encryption as Encryption).transformer === 'function');
  if (!isEncryption) throw new TypeError(`${where}: encryption must be the result of encryptionConfiguration()`);
}
