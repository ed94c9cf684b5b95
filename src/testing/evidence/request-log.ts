import type { Dialect } from '../../meta/dialect.js';
import type { CoreApiServer } from '../../server/core-api-server.js';
import { refuseUnknownMembers } from '../../values/did-you-mean.js';
import { checkServer } from '../check-arguments.js';
import { viewOf } from './entry-view.js';
import { Ledger } from './ledger.js';
import { type RecordedMatcher, recordedTest } from './recorded-matcher.js';
import type { RecordedRequest } from './recorded-request.js';

/** The options of {@link recordRequests}. */
export interface RecordRequestsOptions {
  /** The maximum number of requests in the log. The oldest are dropped. Default 10,000. */
  readonly limit?: number;
  /**
   * The maximum size of the log in bytes, as estimated. It includes the requests and each object, patch and body that they refer to,
   * counted once, even if the server still holds the object. The oldest requests are dropped, but never the newest one. Default 64 MiB.
   */
  readonly maxBytes?: number;
  /**
   * Whether the requests that the server itself sends are recorded as well: those of its built-in controllers, and those that it sends
   * while it handles another request. Default false.
   */
  readonly own?: boolean;
}

const LIMIT = 10_000;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The requests of a server, oldest first, from the call of {@link recordRequests} until {@link stop}, including those that are under way.
 * Iterating over the log yields the requests that it contains at that moment.
 */
export class RequestLog implements Iterable<RecordedRequest>, Disposable {
  /** The API dialect of the server ({@link Dialect}). It determines the names of the API groups. */
  readonly dialect: Dialect;
  readonly #ledger: Ledger;
  readonly #removeObserver: () => void;

  /** @throws TypeError if the server is being recorded already, and for an option that does not exist or is out of range. */
  constructor(server: CoreApiServer, options: RecordRequestsOptions = {}) {
    checkServer('recordRequests', server);
    refuseUnknownMembers('recordRequests', options, ['limit', 'maxBytes', 'own']);
    const { limit = LIMIT, maxBytes = MAX_BYTES, own = false } = options;
    for (const [name, value] of Object.entries({ limit, maxBytes }))
      if (!Number.isSafeInteger(value) || value < 1) throw new TypeError(`${name} must be an integer of at least 1`);
    if (typeof own !== 'boolean') throw new TypeError('own must be true or false');
    this.dialect = server.dialect;
    this.#ledger = new Ledger(server.clock, { limit, maxBytes, own });
    this.#removeObserver = server.observe(this.#ledger);
  }

  /** The number of requests that are kept. */
  get size(): number {
    return this.#ledger.size;
  }
  /** The number of requests that were dropped because of the limits. */
  get dropped(): number {
    const { newest, forgotten, size } = this.#ledger;
    return newest - forgotten - size;
  }
  /** The estimated bytes that the log holds. */
  get bytes(): number {
    return this.#ledger.bytes;
  }

  /** Returns the request with the given number; undefined if the request is not kept. */
  get(number: number): RecordedRequest | undefined {
    const entry = this.#ledger.get(number);
    return entry && viewOf(entry);
  }

  /** Returns the requests that match, the oldest first. @throws TypeError for an invalid matcher. */
  filter(match: RecordedMatcher): readonly RecordedRequest[] {
    return [...this].filter(recordedTest(match));
  }

  *[Symbol.iterator](): Generator<RecordedRequest> {
    for (const entry of this.#ledger.all()) yield viewOf(entry);
  }

  /** Removes all requests from the log. */
  clear(): void {
    this.#ledger.clear();
  }

  /** Stops recording. Recorded requests stay in the log; requests and watches that are under way are followed to their end. */
  stop(): void {
    this.#removeObserver();
  }
  [Symbol.dispose](): void {
    this.stop();
  }
}

/**
 * Records the requests of all clients of a server: who sent them, what the authorizers and admission decided, what they wrote, and the
 * responses. The log ends with `stop()`, or with its scope: `using requests = recordRequests(server)`.
 * @throws TypeError if the server is being recorded already, and for an option that does not exist or is out of range.
 */
export function recordRequests(server: CoreApiServer, options?: RecordRequestsOptions): RequestLog {
  return new RequestLog(server, options);
}
