import type { Clock } from '../../meta/clock.js';

/** Waits so many milliseconds by a clock, or until the signal fires. */
export function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.setTimer(done, milliseconds);
    function done(): void {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    }
    if (signal.aborted) done();
    else signal.addEventListener('abort', done);
  });
}
