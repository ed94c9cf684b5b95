import { LinkedList, type LinkedListEntry } from '../values/linked-list.js';
import { type Clock, reading } from './clock.js';

/** A pending timeout. It is passed to {@link SharedTimeouts.clear} to cancel it. */
export interface SharedTimeout {
  /** The clock reading at which the timeout is due. */
  readonly at: number;
  readonly callback: () => void;
  /** The entry in the list of pending timeouts; undefined once the timeout was cleared or its callback was called. */
  entry: LinkedListEntry<SharedTimeout> | undefined;
}

/**
 * Timeouts that are nearly always cleared before they are due, such as those of request bodies. They share one timer of the clock, because
 * setting and clearing a timer for each request costs several microseconds. The shared timer does not keep the process alive.
 */
export class SharedTimeouts {
  readonly #clock: Clock;
  readonly #timeouts = new LinkedList<SharedTimeout>();
  /** The clock reading at which the shared timer fires; infinite if no timer is set. */
  #next = Number.POSITIVE_INFINITY;
  #cancel: (() => void) | undefined;
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `callback` once, unless the timeout is cleared before. @param at the clock reading at which the timeout is due. */
  set(at: number, callback: () => void): SharedTimeout {
    const timeout: SharedTimeout = { at, callback, entry: undefined };
    timeout.entry = this.#timeouts.add(timeout);
    if (at < this.#next) this.#setTimer(at);
    return timeout;
  }

  clear(timeout: SharedTimeout): void {
    if (timeout.entry) this.#timeouts.remove(timeout.entry);
    timeout.entry = undefined;
    if (this.#isClosed) this.#cancelUnneeded();
  }

  /** Leaves no timer behind: the timer is canceled as soon as no timeout is pending. */
  close(): void {
    this.#isClosed = true;
    this.#cancelUnneeded();
  }

  #cancelUnneeded(): void {
    if (this.#timeouts.size > 0) return;
    this.#cancel?.();
    this.#cancel = undefined;
    this.#next = Number.POSITIVE_INFINITY;
  }

  #setTimer(at: number): void {
    this.#cancel?.();
    this.#next = at;
    this.#cancel = this.#clock.setTimer(
      () => this.#fire(),
      at - reading(this.#clock),
      false,
      'timeout of waiting requests',
    );
  }

  #fire(): void {
    const now = reading(this.#clock);
    this.#next = Number.POSITIVE_INFINITY;
    const due: SharedTimeout[] = [];
    let next = Number.POSITIVE_INFINITY;
    for (const timeout of this.#timeouts) {
      if (timeout.at <= now) due.push(timeout);
      else next = Math.min(next, timeout.at);
    }
    if (next < Number.POSITIVE_INFINITY) this.#setTimer(next);
    for (const timeout of due) {
      this.clear(timeout);
      timeout.callback();
    }
  }
}
