/** Time, injected. Nothing in the library reads the system's clock or timers but through one of these. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after `milliseconds`; returns what cancels it. Callbacks never keep a process alive. */
  setTimer(callback: () => void, milliseconds: number): () => void;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(callback, milliseconds) {
    const timer: unknown = setTimeout(callback, milliseconds);
    if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function')
      timer.unref();
    return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
  },
};

/** The wire's form of a time: RFC 3339, UTC, whole seconds (gap file 2.2.1). */
export function formatTime(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000);
  if (second !== latest.second) latest = { second, text: `${new Date(milliseconds).toISOString().slice(0, 19)}Z` };
  return latest.text;
}
// Writes come many in a second, and each tells the time more than once.
let latest = { second: Number.NaN, text: '' };
