import { type ApiError, apiError } from '../../meta/api-error.js';
import { awaitedTimer, reading } from '../../meta/clock.js';
import { untilAborted } from '../../meta/flow.js';
import { type ApiRequest, CallerGoneError } from '../api-request.js';
import type { RequestEnvironment } from '../environment.js';

/** The milliseconds in which a caller must send its body, counted from when the server begins to read it. */
const BODY_TIMEOUT = 60_000;

/**
 * The time limit of a request, `requestTimeout` milliseconds from its start (spec 1.9). A watch stops it and has a timeout of its own.
 */
export class Deadline {
  /** The error that {@link within} threw when the time was up. */
  timeoutError: ApiError | undefined;
  /** Whether {@link within} has given up on a promise that may still be running. */
  over = false;
  /** Whether the time limit has passed while the request was handled. */
  expired = false;
  /** The clock reading when the request began. */
  began: number;
  readonly #environment: RequestEnvironment;
  readonly #request: ApiRequest;
  #limit: number;
  #controller: AbortController | undefined;
  #cancel: (() => void) | undefined;
  #onAbort: (() => void) | undefined;

  constructor(environment: RequestEnvironment, request: ApiRequest) {
    this.#environment = environment;
    this.#request = request;
    this.began = reading(environment.host.clock);
    this.#limit = environment.requestTimeout;
  }

  /** The time limit in milliseconds from the start of the request. */
  get limit(): number {
    return this.#limit;
  }

  /** Sets {@link limit} to `milliseconds` from the start of the request if that is lower; a longer limit has no effect. */
  shorten(milliseconds: number): void {
    if (milliseconds >= this.#limit) return;
    this.#limit = milliseconds;
    if (this.#cancel === undefined) return;
    this.stop();
    this.#startTimer();
  }

  /** Fires when the caller disconnects or the time is up; created on first access. */
  get signal(): AbortSignal {
    if (this.#controller !== undefined) return this.#controller.signal;
    const controller = new AbortController();
    this.#controller = controller;
    this.#startTimer();
    const caller = this.#request.signal;
    if (caller?.aborted) controller.abort(caller.reason);
    else if (caller) {
      this.#onAbort = () => controller.abort(caller.reason);
      caller.addEventListener('abort', this.#onAbort, { once: true });
    }
    return controller.signal;
  }

  /**
   * Waits for a promise that has no time limit of its own.
   * @throws ApiError 504; CallerGoneError
   */
  within<T>(answer: Promise<T>): Promise<T> {
    return untilAborted(answer, this.signal, () => this.#abandon(answer));
  }

  /**
   * Waits for a promise as {@link within} does, whether or not the caller disconnects. It creates no AbortSignal, because almost every
   * request would have that cost.
   * @throws ApiError 504
   */
  withinLimit<T>(answer: Promise<T>): Promise<T> {
    return this.#until(this.began + this.#limit, answer);
  }

  /**
   * Waits for the bytes of a body, {@link BODY_TIMEOUT} milliseconds at most. A body rejects by itself when the caller disconnects.
   * @throws ApiError 504
   */
  withinBodyTimeout<T>(body: Promise<T>): Promise<T> {
    const { clock } = this.#environment.host;
    return this.#until(Math.min(this.began + this.#limit, reading(clock) + BODY_TIMEOUT), body);
  }

  /** Resolves once a promise is settled or the time limit has passed. The limit has no other effect. */
  async settled(answer: Promise<unknown>): Promise<void> {
    const at = this.began + this.#limit;
    const { host, timeouts } = this.#environment;
    if (reading(host.clock) >= at) return;
    await new Promise<void>((resolve) => {
      const timeout = timeouts.set(at, resolve);
      const onSettled = () => {
        timeouts.clear(timeout);
        resolve();
      };
      answer.then(onSettled, onSettled);
    });
  }

  #until<T>(at: number, answer: Promise<T>): Promise<T> {
    const { timeouts } = this.#environment;
    return new Promise((resolve, reject) => {
      const timeout = timeouts.set(at, () => {
        this.expired = true;
        reject(this.#abandon(answer));
      });
      answer.then(
        (value) => {
          timeouts.clear(timeout);
          resolve(value);
        },
        (error: unknown) => {
          timeouts.clear(timeout);
          reject(error);
        },
      );
    });
  }

  /** Counts the time limit from this moment, because an interceptor held the request before the server began with it. */
  restart(): void {
    this.began = reading(this.#environment.host.clock);
    if (this.#controller === undefined) return;
    this.stop();
    this.#startTimer();
  }

  /** Returns the error with which the wait for a promise is given up: CallerGoneError if the caller has disconnected, else the 504. */
  #abandon(answer: Promise<unknown>): Error {
    this.over = true;
    if (!this.expired) return new CallerGoneError();
    if (this.timeoutError === undefined) this.#environment.meter?.trackAbandoned('timeout-handler', answer);
    this.timeoutError ??= apiError.timeout('request did not complete within the allotted timeout');
    return this.timeoutError;
  }

  /** Stops the timer, because the response exists. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /**
   * Detaches from the caller's signal after the response was read. The signal may be shared by many requests and would keep this one in
   * memory.
   */
  end(): void {
    this.stop();
    if (this.#onAbort) this.#request.signal?.removeEventListener('abort', this.#onAbort);
  }

  #startTimer(): void {
    const { clock } = this.#environment.host;
    const { method, path } = this.#request;
    const expire = () => {
      this.expired = true;
      this.#controller?.abort(new Error('request did not complete within the allotted timeout'));
    };
    this.#cancel = awaitedTimer(
      clock,
      expire,
      this.began + this.#limit - reading(clock),
      `timeout of ${method} ${path}`,
    );
  }
}
