import type { ApiRequest } from '../api-request.js';
import type { RequestEnvironment } from '../environment.js';

/** The signal of a request, made only when somebody looks at it. */
export interface Deadline {
  /** Fires when the caller is gone or the time is up. */
  readonly signal: AbortSignal;
  /** Milliseconds from the start. */
  readonly limit: number;
  /** A caller's own limit, in milliseconds; counts where it is shorter, and must come before the signal is looked at. */
  shorten(milliseconds: number): void;
  /** The answer is there: the time no longer counts. */
  stop(): void;
}

/** Watches over a request's time (spec 1.9): `requestTimeout` milliseconds. A watch stops it and ends by its own. */
export function startDeadline(environment: RequestEnvironment, request: ApiRequest): Deadline {
  return new RequestDeadline(environment, request);
}

class RequestDeadline implements Deadline {
  readonly #environment: RequestEnvironment;
  readonly #request: ApiRequest;
  #limit: number;
  #controller: AbortController | undefined;
  #cancel: (() => void) | undefined;

  constructor(environment: RequestEnvironment, request: ApiRequest) {
    this.#environment = environment;
    this.#request = request;
    this.#limit = environment.requestTimeout;
  }

  get limit(): number {
    return this.#limit;
  }

  shorten(milliseconds: number): void {
    this.#limit = Math.min(this.#limit, milliseconds);
  }

  get signal(): AbortSignal {
    this.#controller ??= this.#start();
    return this.#controller.signal;
  }

  stop(): void {
    this.#cancel?.();
  }

  #start(): AbortController {
    const { clock } = this.#environment.host;
    const made = new AbortController();
    this.#cancel = clock.setTimer(
      () => made.abort(new Error('request did not complete within the allotted timeout')),
      this.#limit,
    );
    const caller = this.#request.signal;
    if (caller?.aborted) made.abort(caller.reason);
    else caller?.addEventListener('abort', () => made.abort(caller.reason), { once: true });
    return made;
  }
}
