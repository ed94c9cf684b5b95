import type { Metrics } from '../metrics/metrics.js';
import type { Signatures } from '../signatures/signatures.js';
import type { Clock } from './clock.js';
import type { Dialect } from './dialect.js';
import type { FeatureGates } from './features/gates.js';
import type { Fetch } from './fetch.js';
import type { ApiObject } from './object-meta.js';
import type { Random } from './random.js';
import type { ServiceNetwork } from './services/service-network.js';
import type { ServiceRoutes } from './services/service-routes.js';

/** Reads the objects of one kind from the server's memory. All returned objects are frozen and shared. */
export interface Lister<T extends ApiObject = ApiObject> {
  /** Returns an object; `namespace` is '' for cluster-scoped kinds. */
  get(namespace: string, name: string): T | undefined;
  /**
   * Returns all objects of one namespace, or of all namespaces without an argument, in key order.
   * @param unreadable what happens if objects cannot be decrypted or decoded: they are left out (`skip`), or the method throws (`refuse`).
   * Default `refuse`, because a result without these objects may be wrong.
   */
  list(namespace?: string, unreadable?: 'refuse' | 'skip'): readonly T[];
  /**
   * Returns the objects that an index has under `key`. The result is not a copy, so it must be iterated at once, before anything changes.
   * @param indexOf returns the keys of an object. It must always be the same function.
   * @param unreadable as for {@link list}
   */
  byIndex(indexOf: (object: T) => readonly string[], key: string, unreadable?: 'refuse' | 'skip'): Iterable<T>;
  /**
   * Calls `callback` after every change of an object of the kind, with the new and the old object. @returns a function that stops the
   * calls.
   */
  onChange(callback: (next: T | undefined, previous: T | undefined) => void): () => void;
}

/** The server as its plug-ins (authenticators, authorizers, admission, controllers) see it. */
export interface Host {
  /** The API dialect, which determines the names of API groups. */
  readonly dialect: Dialect;
  /** The clock of the server. Plug-ins must not read the time from elsewhere. */
  readonly clock: Clock;
  /** The source of random values of the server. */
  readonly random: Random;
  /** Signs, verifies signatures and computes digests. */
  readonly signatures: Signatures;
  /** Sends requests to other servers, such as issuers and webhooks. */
  readonly fetch: Fetch;
  /** The routes to the services that objects refer to. */
  readonly services: ServiceRoutes;
  /** The addresses and ports for services. */
  readonly serviceNetwork: ServiceNetwork;
  /** Returns the lister of a kind, by the full group and plural name. The lister of a kind that is not served is empty. */
  lister<T extends ApiObject = ApiObject>(group: string, resource: string): Lister<T>;
  /**
   * Waits until this server has received all writes that other servers have made to the shared storage, because listers may lag behind
   * them. It resolves with whether there were such writes. Absent when no other server writes to the storage.
   */
  catchUp?(): Promise<boolean>;
  /** Whether pods may have privileged containers. */
  readonly allowPrivileged: boolean;
  /** All feature gates with their values. */
  readonly gates: FeatureGates;
  /** The metrics of the server. */
  readonly metrics: Metrics;
  /** Writes one line to the operator's log. */
  log(message: string): void;
}

/**
 * Returns the result of `read`, which reads from listers. `read` may throw because an object that another server has stored has not arrived
 * yet. It is therefore called once more after {@link Host.catchUp}.
 */
export function readAnew<T>({ catchUp }: Pick<Host, 'catchUp'>, read: () => T): T | Promise<T> {
  try {
    return read();
  } catch (error) {
    if (!catchUp) throw error;
    return catchUp().then((hasHeard) => {
      if (!hasHeard) throw error;
      return read();
    });
  }
}
