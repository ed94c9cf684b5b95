import type { Clock, PendingTimer } from '../meta/clock.js';
import { printArgument } from './check-arguments.js';

/** A clock that moves only when a test moves it. */
export interface FakeClock extends Clock {
  /** Moves forward and calls the timers that become due, each at its own time and in order, including timers that are set meanwhile. */
  advance(milliseconds: number): void;
  /**
   * Moves forward to the first timer that is due within `milliseconds`, and calls only this timer. Returns the milliseconds that the clock
   * moved. If no timer is due, the clock does not move, and the result is undefined.
   */
  fireNext(milliseconds: number): number | undefined;
  /**
   * Moves to a time. Moving forward fires timers. Moving backward is like setting the machine's clock back: `now()` returns the earlier
   * time, no timer fires, and neither `monotonic()` nor the remaining time of timers changes.
   */
  set(time: number | Date | string): void;
  /** Returns the milliseconds that the clock has moved forward in total. */
  monotonic(): number;
  /** The number of timers that are neither fired nor canceled. */
  readonly pendingTimers: number;
  /** Returns the pending timers, in the order in which they fire. */
  timers(): readonly PendingTimer[];
  /** Returns an independent clock with the same time of day and the same `monotonic()`, and without timers. */
  fork(): FakeClock;
}

interface Timer {
  /** When the timer is due, by `monotonic()`. */
  readonly at: number;
  /** The number of timers that were set before. Timers for the same time fire in this order. */
  readonly order: number;
  readonly callback: () => void;
  readonly name: string;
}

/** Creates a clock that starts at `start`: milliseconds since the epoch, a Date or an RFC 3339 string; by default 2024-01-01T00:00:00Z. */
export function createFakeClock(start: number | Date | string = '2024-01-01T00:00:00Z'): FakeClock {
  return fakeClock(toMilliseconds(start), 0);
}

/**
 * @param origin the value of `now()` when `passed` was 0.
 * @param passed the value of `monotonic()`.
 */
function fakeClock(origin: number, passed: number): FakeClock {
  /** The pending timers, in the order in which they fire. */
  const timers: Timer[] = [];
  let set = 0;

  /** Returns the number of pending timers that fire before the given one. */
  function countBefore({ at, order }: Pick<Timer, 'at' | 'order'>): number {
    let low = 0;
    let high = timers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const timer = timers[middle] as Timer; // The index is within the array.
      if (timer.at < at || (timer.at === at && timer.order < order)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  function cancel(timer: Timer): void {
    const index = countBefore(timer);
    if (timers[index] === timer) timers.splice(index, 1);
  }
  function nextDue(until: number): Timer | undefined {
    const [first] = timers;
    return first !== undefined && first.at <= until ? first : undefined;
  }
  function fire(due: Timer): void {
    timers.shift();
    passed = Math.max(passed, due.at);
    due.callback();
  }
  function fireNext(milliseconds: number): number | undefined {
    const due = nextDue(passed + milliseconds);
    if (due === undefined) return undefined;
    const moved = Math.max(0, due.at - passed);
    fire(due);
    return moved;
  }
  function advance(milliseconds: number): void {
    if (milliseconds < 0) {
      origin += milliseconds;
      return;
    }
    const target = passed + milliseconds;
    for (let due = nextDue(target); due !== undefined; due = nextDue(target)) fire(due);
    // A callback may have moved the clock beyond the target.
    passed = Math.max(passed, target);
  }
  const now = () => origin + passed;
  return {
    now,
    monotonic: () => passed,
    set: (time) => advance(toMilliseconds(time) - now()),
    advance(milliseconds) {
      if (!Number.isFinite(milliseconds))
        throw new TypeError(`advance: the time must be a number of milliseconds, not ${printArgument(milliseconds)}`);
      advance(milliseconds);
    },
    fireNext,
    setTimer(callback, milliseconds, _holdsProcess, name = 'timer') {
      // The delay is at least 1 ms, like that of the system's timers, because a timer that sets itself again must not keep `advance`
      // running forever.
      const timer = { at: passed + Math.max(1, milliseconds), order: set++, callback, name };
      timers.splice(countBefore(timer), 0, timer);
      return () => cancel(timer);
    },
    get pendingTimers() {
      return timers.length;
    },
    timers: () => timers.map(({ name, at }) => ({ name, at: origin + at })),
    fork: () => fakeClock(origin, passed),
  };
}

function toMilliseconds(time: number | Date | string): number {
  const isTime = typeof time === 'string' || time instanceof Date;
  const milliseconds = isTime ? new Date(time).getTime() : time;
  if (Number.isFinite(milliseconds)) return milliseconds;
  throw new TypeError(`the time must be a Date, a number of milliseconds or an ISO 8601 string, not ${String(time)}`);
}
