/** Time, injected. Nothing in the library reads the system's clock or timers but through one of these. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Milliseconds since any moment, never going back: what lifetimes are measured with. Without it they are measured with
   * `now()`, and end where that goes back.
   */
  monotonic?(): number;
  /**
   * Calls back once after `milliseconds`, which may be any number of them; returns what cancels it.
   * @param holdsProcess whether the process goes on until then although nothing else keeps it. Default: it does not.
   */
  setTimer(callback: () => void, milliseconds: number, holdsProcess?: boolean): () => void;
}

/** Looked up once: every request reads the clock, and what is global has a getter. */
const { process } = globalThis as {
  readonly process?: { hrtime?(): readonly [seconds: number, nanoseconds: number] };
};

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic() {
    // Node has a reading at hand here. What is behind `performance` it loads when it is first used, and every start would pay for it.
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
  const canBeLetGo = typeof timer === 'object' && timer !== null && 'unref' in timer;
  if (!holdsProcess && canBeLetGo && typeof timer.unref === 'function') timer.unref();
  return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
}

/**
 * A timer that a request, a start or an end waits for: it holds the process, so that a script without anything else to do gets
 * its answer. Timers of background work are set by {@link Clock.setTimer} alone, and let a script end that has done its work.
 */
export function awaitedTimer(clock: Clock, callback: () => void, milliseconds: number): () => void {
  return clock.setTimer(callback, milliseconds, true);
}

/** Waits so many milliseconds by a clock, or until the signal fires, and holds the process meanwhile. */
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

/** A reading to measure lifetimes from, see {@link isYoung}. Not a time of day. */
export function reading(clock: Clock): number {
  return clock.monotonic ? clock.monotonic() : clock.now();
}

/** Whether less than a lifetime, in milliseconds, has gone by since a {@link reading}. A clock that went back makes nothing young. */
export function isYoung(clock: Clock, since: number, lifetime: number): boolean {
  const age = reading(clock) - since;
  return age >= 0 && age < lifetime;
}

/** The wire's form of a time: RFC 3339, UTC, whole seconds (spec 2.3). */
export function formatTime(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000);
  if (second !== latest.second) latest = { second, text: `${new Date(milliseconds).toISOString().slice(0, 19)}Z` };
  return latest.text;
}
// There are many writes in a second, and each formats the time more than once.
let latest = { second: Number.NaN, text: '' };
