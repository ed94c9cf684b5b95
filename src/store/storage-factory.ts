import type { Clock } from '../meta/clock.js';
import type { GroupResource } from '../meta/group-version.js';
import type { Metrics } from '../metrics/metrics.js';
import type { Codec } from './backend.js';
import type { Entry, Storage } from './storage.js';

/** The initial state of a store. */
export interface InitialState<T> {
  /** The entries of the state. */
  readonly entries: readonly Entry<T>[];
  /** Revision of the state; none of the entries has a greater one. */
  readonly revision: number;
}

/** The options that the server passes to its storage factory. */
export interface StorageWiring<T extends object> {
  /** The clock of the server. */
  readonly clock: Clock;
  /** Returns a value that contains the revision of its write. It is called just before the commit and must not change its argument. */
  readonly stamp: (value: T, revision: number) => T;
  /** Returns whether a put would change nothing; the stored value is the first argument. */
  readonly equals: (stored: T, next: T) => boolean;
  /**
   * A saved state. A store without durable data begins with it, including its revisions; if a store ignores it, the server writes the same
   * objects one by one.
   */
  readonly initial?: InitialState<T>;
  /**
   * The keys and values that other programs, such as Kubernetes' API server, expect in a shared storage. A storage that only servers of
   * this project read ignores this option.
   */
  readonly layout?: () => Promise<StorageLayout>;
  /**
   * Resolves with a function that maps a key to its resource, or to undefined for a key that belongs to no resource. Encryption needs it.
   */
  readonly resourceOf?: () => Promise<(key: string) => GroupResource | undefined>;
  /** Counts the operations of the storage. Default: nothing is counted. */
  readonly metrics?: Metrics;
  /** Receives lines for the operator. Default: no log. */
  readonly log?: (message: string) => void;
}

/** The keys and values of a server in the form that other programs expect, such as Kubernetes' own API server. */
export interface StorageLayout {
  /** The prefix of all keys of the store. A storage may replace it with another one. */
  readonly root: string;
  /** Converts objects to the bytes that other programs expect, and back. */
  readonly codec: Codec<Uint8Array>;
  /**
   * Returns the key (with the same root) under which other programs expect an object. For a prefix of keys it returns the prefix of the
   * results.
   */
  toStored(key: string): string;
  /** Returns the store's own key; undefined for a key that does not belong to an object. */
  fromStored(key: string): string | undefined;
  /** Returns the seconds for which an object is kept after its last write; undefined for an object that is kept until it is deleted. */
  lifetimeOf?(key: string): number | undefined;
}

/** Opens a configured backend for the server. The promise for a durable storage resolves when the stored data is read. */
export type StorageFactory = <T extends object>(wiring: StorageWiring<T>) => Storage<T> | Promise<Storage<T>>;
