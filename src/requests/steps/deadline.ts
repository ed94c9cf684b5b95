import { type ApiError, apiError } from '../../meta/api-error.js';
import { awaitedTimer, reading } from '../../meta/clock.js';
import { untilAborted } from '../../values/until-aborted.js';
import { type ApiRequest, CallerGoneError } from '../api-request.js';
import type { RequestEnvironment } from '../environment.js';

/** The signal of a request, made only when somebody looks at it. */
export interface Deadline {
  /** Fires when the caller is gone or the time is up. */
  readonly signal: AbortSignal;
  /** When the request began: a reading of the clock. */
  readonly began: number;
  /** Milliseconds from the start. */
  readonly limit: number;
  /** What {@link within} threw when the time was up. */
  readonly late: ApiError | undefined;
  /** {@link within} has given something up, which may go on. */
  readonly over: boolean;
  /** A limit in milliseconds from the request's beginning; counts where it is shorter. */
  shorten(milliseconds: number): void;
  /** Waits for what may take as long as it likes. @throws ApiError 504; CallerGoneError */
  within<T>(answer: Promise<T>): Promise<T>;
  /** The answer is there: the time no longer counts. */
  stop(): void;
  /** Nothing reads the answer any more: the caller's signal, which may be that of many requests, no longer holds this one. */
  end(): void;
}

/** Watches over a request's time (spec 1.9): `requestTimeout` milliseconds. A watch stops it and ends by its own. */
export function startDeadline(environment: RequestEnvironment, request: ApiRequest): Deadline {
  return new RequestDeadline(environment, request);
}

class RequestDeadline implements Deadline {
  late: ApiError | undefined;
  over = false;
  readonly #environment: RequestEnvironment;
  readonly #request: ApiRequest;
  readonly began: number;
  #limit: number;
  #expired = false;
  #controller: AbortController | undefined;
  #cancel: (() => void) | undefined;
  #onAbort: (() => void) | undefined;

  constructor(environment: RequestEnvironment, request: ApiRequest) {
    this.#environment = environment;
    this.#request = request;
    this.began = reading(environment.host.clock);
    this.#limit = environment.requestTimeout;
  }

  get limit(): number {
    return this.#limit;
  }

  shorten(milliseconds: number): void {
    if (milliseconds >= this.#limit) return;
    this.#limit = milliseconds;
    if (this.#cancel === undefined) return;
    this.stop();
    this.#startTimer();
  }

  get signal(): AbortSignal {
    this.#controller ??= this.#start();
    return this.#controller.signal;
  }

  within<T>(answer: Promise<T>): Promise<T> {
    return untilAborted(answer, this.signal, () => {
      this.over = true;
      if (!this.#expired) return new CallerGoneError();
      if (this.late === undefined) this.#environment.meter?.late('timeout-handler', answer);
      this.late ??= apiError.timeout('request did not complete within the allotted timeout');
      return this.late;
    });
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  end(): void {
    this.stop();
    if (this.#onAbort) this.#request.signal?.removeEventListener('abort', this.#onAbort);
  }

  #start(): AbortController {
    const made = new AbortController();
    this.#controller = made;
    this.#startTimer();
    const caller = this.#request.signal;
    if (caller?.aborted) made.abort(caller.reason);
    else if (caller) {
      this.#onAbort = () => made.abort(caller.reason);
      caller.addEventListener('abort', this.#onAbort, { once: true });
    }
    return made;
  }

  #startTimer(): void {
    const { clock } = this.#environment.host;
    const expire = () => {
      this.#expired = true;
      this.#controller?.abort(new Error('request did not complete within the allotted timeout'));
    };
    this.#cancel = awaitedTimer(clock, expire, this.began + this.#limit - reading(clock));
  }
}
