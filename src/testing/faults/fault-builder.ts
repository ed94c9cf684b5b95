import { refuseUnknownMembers } from '../../values/did-you-mean.js';
import type { FaultAction, FaultStatus, WatchEnd } from './fault-spec.js';
import type { Fault } from './rule.js';

/** Defines what happens to the requests that a matcher selects. Each call sets up one fault. */
export class FaultBuilder {
  readonly #add: (action: FaultAction) => Fault;

  constructor(add: (action: FaultAction) => Fault) {
    this.#add = add;
  }

  /**
   * Responds instead of the server, with the message that upstream would send.
   * @param details.message the message. Default: upstream's.
   * @param details.retryAfter seconds after which the client may try again. Default 1 for 429, otherwise absent.
   */
  answer(status: FaultStatus, details: { readonly message?: string; readonly retryAfter?: number } = {}): Fault {
    refuseUnknownMembers('answer', details, ['message', 'retryAfter']);
    return this.#add({ type: 'answer', status, ...details });
  }
  /** Responds with 409: `AlreadyExists` with the name in the body for a `create`, otherwise `Conflict`. */
  conflict(): Fault {
    return this.answer(409);
  }
  /** Passes the request to the server after some milliseconds of the server's clock. */
  delay(milliseconds: number): Fault {
    return this.#add({ type: 'delay', milliseconds });
  }
  /**
   * Holds matching requests, and passes them to the server when the fault ends. A test that uses it decides the order of requests without
   * relying on time.
   */
  hold(): Fault {
    return this.#add({ type: 'hold' });
  }
  /** Breaks the connection before the server gets the request. */
  refuse(): Fault {
    return this.#add({ type: 'refuse' });
  }
  /**
   * Breaks the connection after a number of bytes of the response body. A client in this process loses the whole response, or the rest of a
   * watch.
   */
  cut(bytes: number): Fault {
    return this.#add({ type: 'cut', bytes });
  }
  /** Lets the server process the request, and breaks the connection instead of responding. */
  loseAnswer(): Fault {
    return this.#add({ type: 'loseAnswer' });
  }
  /**
   * Ends the matching open watches, or, if none is open, the next one that opens.
   * @param how `timeout` (default), `lost` or `expired`, see {@link WatchEnd}.
   * @param options.afterEvents the number of further changes after which each watch ends. Default 0.
   */
  endWatch(how: WatchEnd = 'timeout', options: { readonly afterEvents?: number } = {}): Fault {
    refuseUnknownMembers('endWatch', options, ['afterEvents']);
    return this.#add({ type: 'endWatch', how, ...options });
  }
  /** Leaves out the bookmarks of open watches and of those that open later. */
  dropBookmarks(): Fault {
    return this.#add({ type: 'dropBookmarks' });
  }
  /**
   * Serves reads and watches from an older state, like a server that lags behind. A read that requires a newer version waits, and fails
   * with 504.
   * @param behind the number of versions to lag behind, or the version at which the state remains until the fault ends.
   */
  stale(behind: number | { readonly resourceVersion: string }): Fault {
    if (typeof behind !== 'object') return this.#add({ type: 'stale', versions: behind });
    refuseUnknownMembers('stale', behind, ['resourceVersion']);
    return this.#add({ type: 'stale', ...behind });
  }
  /**
   * Cuts clients off until the fault ends.
   * @param how `hang` (default): requests wait and watches send nothing; `break`: requests and watches fail.
   */
  partition(how: 'hang' | 'break' = 'hang'): Fault {
    return this.#add({ type: 'partition', how });
  }
  /**
   * Makes the storage fail.
   * @param how `unavailable` (default): writes and reads of the newest state fail with 500, as if the backend did not respond; `full`:
   * creations and updates fail as if the backend had no space left, and deletions still succeed.
   */
  failStorage(how: 'unavailable' | 'full' = 'unavailable'): Fault {
    return this.#add({ type: 'failStorage', how });
  }
}
