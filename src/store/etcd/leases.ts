import { type Clock, reading } from '../../meta/clock.js';
import type { EtcdClient } from './client.js';
import { LEASE_GRANT } from './messages.js';

/** New keys share a lease for at most this number of seconds, and for at most this fraction of their lifetime. */
const SHARED_SECONDS = 60;
const SHARED_FRACTION = 0.05;
/** The maximum number of keys of one lease. It is limited because etcd removes all of them at once when the lease ends. */
const MAX_KEYS = 1000;

interface Lease {
  readonly id: bigint;
  /** When the lease was requested, as a reading of the monotonic clock in milliseconds. */
  readonly began: number;
  /** The end of the lease, as a reading of the monotonic clock in milliseconds. */
  readonly ends: number;
  keys: number;
}

/**
 * Grants leases, by which etcd removes keys when their lifetime is over. Keys that are written within a short time share a lease, as in
 * upstream. No key is removed before the end of its lifetime, unless etcd grants shorter leases than requested.
 */
export class Leases {
  readonly #client: EtcdClient;
  readonly #clock: Clock;
  readonly #newest = new Map<number, Promise<Lease>>();

  constructor(client: EtcdClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** Returns the lease for a key with a lifetime in seconds. @throws EtcdError */
  async leaseFor(lifetime: number): Promise<bigint> {
    const began = reading(this.#clock);
    for (;;) {
      const waiting = this.#newest.get(lifetime) ?? this.#grant(lifetime);
      const lease = await waiting;
      // A lease that was requested for this key is used even if it is too short, because another one would be as short.
      const isLongEnough = lease.began >= began || reading(this.#clock) + lifetime * 1000 < lease.ends;
      if (lease.keys < MAX_KEYS && isLongEnough) {
        lease.keys++;
        return lease.id;
      }
      if (this.#newest.get(lifetime) === waiting) this.#newest.delete(lifetime);
    }
  }

  /** Forgets all leases, after etcd has lost one. */
  forget(): void {
    this.#newest.clear();
  }

  #grant(lifetime: number): Promise<Lease> {
    const shared = Math.min(SHARED_SECONDS, Math.floor(lifetime * SHARED_FRACTION));
    const ttl = lifetime + Math.max(1, shared);
    const began = reading(this.#clock);
    const granted = this.#client
      .call(LEASE_GRANT, { ttl })
      .then(({ id = 0n, ttl: grantedTtl = ttl }): Lease => ({ id, began, ends: began + grantedTtl * 1000, keys: 0 }));
    this.#newest.set(lifetime, granted);
    granted.catch(() => {
      if (this.#newest.get(lifetime) === granted) this.#newest.delete(lifetime);
    });
    return granted;
  }
}
