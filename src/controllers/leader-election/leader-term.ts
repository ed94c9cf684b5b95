import { apiError } from '../../meta/api-error.js';
import { type Clock, reading } from '../../meta/clock.js';
import type { WriteFence } from '../../registry/writes/write-fence.js';

export interface LeaderTermOptions {
  readonly clock: Clock;
  /** The storage key of the Lease. */
  readonly key: string;
  /** Returns the holder of the Lease according to this server's lister. */
  readonly holder: () => string | undefined;
  readonly identity: string;
}

/**
 * The period in which a server is the leader, from its election to the loss of its Lease. It is also the write fence of the controllers.
 * Their writes are refused unless the last renewal is recent enough by the server's own clock, and are committed only while the stored
 * Lease names this server as the holder.
 */
export class LeaderTerm implements WriteFence {
  readonly key: string;
  readonly #options: LeaderTermOptions;
  #until: number;
  #isOver = false;

  /** @param until the reading of the clock at which the term ends unless it is renewed */
  constructor(options: LeaderTermOptions, until: number) {
    this.key = options.key;
    this.#options = options;
    this.#until = until;
  }

  /** Milliseconds until the term ends unless it is renewed. */
  get left(): number {
    return this.#until - reading(this.#options.clock);
  }

  renew(until: number): void {
    this.#until = Math.max(this.#until, until);
  }

  /** Ends the term. It is never resumed: if the server is elected again, a new term begins. */
  end(): void {
    this.#isOver = true;
  }

  /** Whether the server may still act as the leader. */
  get holds(): boolean {
    const { holder, identity } = this.#options;
    return !this.#isOver && this.left > 0 && holder() === identity;
  }

  check(): void {
    if (!this.holds) throw apiError.serviceUnavailable('this server is no longer the leader');
  }
}
