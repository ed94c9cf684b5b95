/** The injected source of time. The library reads the system's clock and timers only through this interface. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Milliseconds since an arbitrary moment, which never go back. Lifetimes are measured with it. Without it they are measured with `now()`,
   * and end when that goes back.
   */
  monotonic?(): number;
  /**
   * Calls back once after `milliseconds`, of which there may be any number; returns a function that cancels the timer.
   * @param holdsProcess whether the timer keeps the process alive. Default false.
   */
  setTimer(callback: () => void, milliseconds: number, holdsProcess?: boolean): () => void;
  /** Returns an independent clock with the same reading and without timers, for a fork of a server. Without it forks share the clock. */
  fork?(): Clock;
}

/** Looked up once, because every request reads the clock and the global `process` is a getter. */
const { process } = globalThis as {
  readonly process?: { hrtime?(): readonly [seconds: number, nanoseconds: number] };
};

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic() {
    // `hrtime` is ready to use in Node, while `performance` is loaded at its first use, which would slow down every start.
    const time = process?.hrtime?.();
    return time ? time[0] * 1000 + time[1] / 1_000_000 : performance.now();
  },
  setTimer(callback, milliseconds, holdsProcess = false) {
    let cancel: () => void;
    const wait = (left: number) => {
      cancel = setTimeoutOnce(() => (left > MAX_TIMEOUT ? wait(left - MAX_TIMEOUT) : callback()), left, holdsProcess);
    };
    wait(milliseconds);
    return () => cancel();
  },
};

/** The longest wait of the runtime's own timers; a longer one would fire at once. */
const MAX_TIMEOUT = 2 ** 31 - 1;

function setTimeoutOnce(callback: () => void, milliseconds: number, holdsProcess: boolean): () => void {
  const timer: unknown = setTimeout(callback, Math.min(milliseconds, MAX_TIMEOUT));
  const canBeUnreferenced = typeof timer === 'object' && timer !== null && 'unref' in timer;
  if (!holdsProcess && canBeUnreferenced && typeof timer.unref === 'function') timer.unref();
  return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
}

/**
 * Sets a timer that a request, a start or a shutdown waits for. It keeps the process alive, so that a script without other work gets its
 * answer. Timers of background work use {@link Clock.setTimer} directly, so that a finished script can exit.
 */
export function awaitedTimer(clock: Clock, callback: () => void, milliseconds: number): () => void {
  return clock.setTimer(callback, milliseconds, true);
}

/** Waits the given milliseconds of a clock, or until the signal fires, and keeps the process alive meanwhile. */
export function sleep(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = awaitedTimer(clock, done, milliseconds);
    function done(): void {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    }
    if (signal?.aborted) done();
    else signal?.addEventListener('abort', done);
  });
}

/** Returns a reading from which lifetimes are measured, see {@link isYoung}. It is not a time of day. */
export function reading(clock: Clock): number {
  return clock.monotonic ? clock.monotonic() : clock.now();
}

/** Returns whether less than a lifetime, in milliseconds, has passed since a {@link reading}; false when the clock went back. */
export function isYoung(clock: Clock, since: number, lifetime: number): boolean {
  const age = reading(clock) - since;
  return age >= 0 && age < lifetime;
}

/** Formats a time for the wire with microseconds, of which the clock knows only milliseconds. */
export function formatMicroTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z');
}

/** Formats a time for the wire: RFC 3339, UTC, whole seconds (spec 2.3). */
export function formatTime(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000);
  if (second !== latest.second) latest = { second, text: `${new Date(milliseconds).toISOString().slice(0, 19)}Z` };
  return latest.text;
}
// The last result is cached, because many writes happen in a second and each one formats the time more than once.
let latest = { second: Number.NaN, text: '' };
