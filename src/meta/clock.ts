/** A timer that has not fired yet. */
export interface PendingTimer {
  /** What the timer is for, such as `bookmark of the watch of /pods/default/`. */
  readonly name: string;
  /** The time at which the timer fires, in milliseconds since the epoch, unless the clock is set to another time before. */
  readonly at: number;
}

/** The injected source of time. The library reads the system's clock and timers only through this interface. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Returns milliseconds since an arbitrary moment; the value never decreases. Lifetimes are measured with it. If the method is absent,
   * lifetimes are measured with `now()`, and end early when the clock is set back.
   */
  monotonic?(): number;
  /**
   * Calls `callback` once after `milliseconds`. The wait may be longer than the 2^31 - 1 milliseconds that the runtime's `setTimeout`
   * supports.
   * @param holdsProcess whether the timer keeps the process alive. Default false.
   * @param name what the timer is for, as {@link timers} lists it. A clock may ignore it.
   * @returns a function that cancels the timer
   */
  setTimer(callback: () => void, milliseconds: number, holdsProcess?: boolean, name?: string): () => void;
  /** Returns the timers that are neither fired nor canceled, in the order in which they fire. Absent if the clock does not list them. */
  timers?(): readonly PendingTimer[];
  /**
   * Returns an independent clock with the same reading and without timers. A fork of a server (`ApiServer.fork`) uses it. If the method is
   * absent, the fork shares the clock with the server.
   */
  fork?(): Clock;
}

/** The value of the global `process` is kept, because the global is a getter and every request reads the clock. */
const { process } = globalThis as {
  readonly process?: { hrtime?(): readonly [seconds: number, nanoseconds: number] };
};

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic() {
    // In Node, `hrtime` is loaded at the start anyway. `performance` would be loaded on first use, and that would slow down every start.
    const time = process?.hrtime?.();
    return time ? time[0] * 1000 + time[1] / 1_000_000 : performance.now();
  },
  setTimer(callback, milliseconds, holdsProcess = false) {
    let timer: ReturnType<typeof setTimeout> | { unref?(): void };
    const wait = (left: number) => {
      const fire = left > MAX_TIMEOUT ? () => wait(left - MAX_TIMEOUT) : callback;
      timer = setTimeout(fire, Math.min(left, MAX_TIMEOUT));
      // Other runtimes than Node may have timers that are numbers.
      if (!holdsProcess && typeof timer === 'object') timer.unref?.();
    };
    wait(milliseconds);
    return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
  },
};

/** The maximum delay of the runtime's own timers. A timer with a longer delay would fire at once. */
const MAX_TIMEOUT = 2 ** 31 - 1;

/**
 * Sets a timer that a request, a start or a shutdown waits for. It keeps the process alive, so that a script without other work gets its
 * result. Timers of background work use {@link Clock.setTimer} directly, so that a finished script can exit.
 */
export function awaitedTimer(clock: Clock, callback: () => void, milliseconds: number, name?: string): () => void {
  return clock.setTimer(callback, milliseconds, true, name);
}

/** Resolves after the given milliseconds of a clock, or when the signal fires. It keeps the process alive meanwhile. */
export function sleep(clock: Clock, milliseconds: number, signal?: AbortSignal, name?: string): Promise<void> {
  return new Promise((resolve) => {
    const cancel = awaitedTimer(clock, done, milliseconds, name);
    function done(): void {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    }
    if (signal?.aborted) done();
    else signal?.addEventListener('abort', done);
  });
}

/** Returns a reading of the clock from which lifetimes are measured, see {@link isYoung}. It is not a time of day. */
export function reading(clock: Clock): number {
  return clock.monotonic ? clock.monotonic() : clock.now();
}

/** The milliseconds for which {@link TimesOfDay} reuses one reading of the time of day. */
const REUSED = 50;

/**
 * Converts each {@link reading} of a clock to the time of day. With the machine's clock, the time of day is read at most once in 50
 * milliseconds, and the time that has passed since then is added. Reading it for every request would take longer than the steps that use it.
 */
export class TimesOfDay {
  readonly #clock: Clock;
  #readAt = Number.NEGATIVE_INFINITY;
  #offset = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the milliseconds since the epoch, with a fraction, at which the clock had the given reading. */
  at(time: number): number {
    const clock = this.#clock;
    if (clock !== systemClock) return clock.now() - (reading(clock) - time);
    if (time - this.#readAt > REUSED) {
      this.#readAt = reading(clock);
      this.#offset = clock.now() - this.#readAt;
    }
    return time + this.#offset;
  }
}

/** Returns whether less than a lifetime, in milliseconds, has passed since a {@link reading}; false when the clock went back. */
export function isYoung(clock: Clock, since: number, lifetime: number): boolean {
  const age = reading(clock) - since;
  return age >= 0 && age < lifetime;
}

/** Formats a time for the wire with six fractional digits. The clock has milliseconds, so the last three digits are 0. */
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
