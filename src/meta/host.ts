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

/** Reads one kind from the server's memory; everything it gives is frozen and shared. */
export interface Lister<T extends ApiObject = ApiObject> {
  /** `namespace` is '' for cluster-scoped kinds. */
  get(namespace: string, name: string): T | undefined;
  /** All of one namespace, or of all when left out, in key order. */
  list(namespace?: string): readonly T[];
  /**
   * Objects that an index puts under `key`, to be gone through at once: nothing is copied, and a later change shows.
   * `indexOf` names the keys of an object and must always be the same function.
   */
  byIndex(indexOf: (object: T) => readonly string[], key: string): Iterable<T>;
  /** Calls back after every change of the kind with the old and the new object; returns what stops it. */
  onChange(callback: (next: T | undefined, previous: T | undefined) => void): () => void;
}

/** What plug-ins (authenticators, authorizers, admission, controllers) see of the server they are part of. */
export interface Host {
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly random: Random;
  readonly signatures: Signatures;
  /** How other servers are asked: issuers, webhooks. */
  readonly fetch: Fetch;
  /** How the services are reached that objects name. */
  readonly services: ServiceRoutes;
  /** Where services get their addresses and ports. */
  readonly serviceNetwork: ServiceNetwork;
  /**
   * The lister of a kind, by the full group and plural name. A kind that is not served lists nothing.
   */
  lister<T extends ApiObject = ApiObject>(group: string, resource: string): Lister<T>;
  /**
   * Waits until this server has heard of all writes of other servers to its storage, behind which listers may lag. Resolves with
   * whether there were such writes. Absent: no other server writes.
   */
  catchUp?(): Promise<boolean>;
  /** Whether containers may have all rights of their node. */
  readonly allowPrivileged: boolean;
  /** Which features are on. */
  readonly gates: FeatureGates;
  /** What is counted and measured. */
  readonly metrics: Metrics;
  /** One line for the operator. */
  log(message: string): void;
}

/**
 * What is read from listers. Where that throws, this server may not have heard of what another one has stored: it is read once more,
 * when it has.
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
