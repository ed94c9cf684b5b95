import type { FakeClock } from '../../src/testing/fake-clock.js';

/** Advances the clock by a second per turn of the event loop until the awaited state is reached. */
export async function passingTime<T>(clock: FakeClock, awaited: Promise<T>): Promise<T> {
  let isWaiting = true;
  const settled = () => {
    isWaiting = false;
  };
  awaited.then(settled, settled);
  for (; isWaiting; clock.advance(1000)) await new Promise((resolve) => setImmediate(resolve));
  return awaited;
}
