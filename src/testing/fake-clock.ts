import type { Clock } from '../meta/clock.js';

/** A clock that moves only when it is moved. */
export interface FakeClock extends Clock {
  /** Moves on and calls the timers that become due, each at its own time and in order; later ones may be set meanwhile. */
  advance(milliseconds: number): void;
  /**
   * Moves to a time. Timers fire on the way forward. Backwards it is as if the machine's clock was set back: `now()` returns
   * the earlier time, nothing fires, and neither `monotonic()` nor what timers still have to wait changes.
   */
  set(time: number | Date | string): void;
  /** Milliseconds moved forward since it was made. */
  monotonic(): number;
  /** Timers that have not fired and were not cancelled. */
  readonly pendingTimers: number;
}

interface Timer {
  /** By `monotonic()`. */
  readonly at: number;
  readonly callback: () => void;
}

/** Starts at `start`: milliseconds since the epoch, a Date or an RFC 3339 text; 2024-01-01T00:00:00Z by default. */
export function createFakeClock(start: number | Date | string = '2024-01-01T00:00:00Z'): FakeClock {
  /** What `now()` returned when `passed` was 0. */
  let origin = toMilliseconds(start);
  let passed = 0;
  const timers = new Set<Timer>();

  /** The first of those due; equal times fire in the order in which they were set. */
  function nextDue(until: number): Timer | undefined {
    let due: Timer | undefined;
    for (const timer of timers) if (timer.at <= until && (due === undefined || timer.at < due.at)) due = timer;
    return due;
  }
  function advance(milliseconds: number): void {
    if (milliseconds < 0) {
      origin += milliseconds;
      return;
    }
    const target = passed + milliseconds;
    for (let due = nextDue(target); due !== undefined; due = nextDue(target)) {
      timers.delete(due);
      passed = Math.max(passed, due.at);
      due.callback();
    }
    // A callback may have moved the clock further.
    passed = Math.max(passed, target);
  }
  const now = () => origin + passed;
  return {
    now,
    monotonic: () => passed,
    set: (time) => advance(toMilliseconds(time) - now()),
    advance: (milliseconds) => advance(toMilliseconds(milliseconds)),
    setTimer(callback, milliseconds) {
      // At least one, as the machine's: a timer that sets itself again must not hold up `advance` for ever.
      const timer = { at: passed + Math.max(1, milliseconds), callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    get pendingTimers() {
      return timers.size;
    },
  };
}

function toMilliseconds(time: number | Date | string): number {
  const milliseconds = typeof time === 'number' ? time : new Date(time).getTime();
  if (Number.isFinite(milliseconds)) return milliseconds;
  throw new TypeError(`not a time: ${String(time)}`);
}
