import type { Random } from '../meta/random.js';
import { checkSeed } from './check-arguments.js';

/** A source of bytes that a seed determines. */
export interface FakeRandom extends Random {
  fork(): FakeRandom;
}

/**
 * Creates a source that produces the same bytes for the same seed on every machine. It must not be used for secrets.
 * @throws TypeError for a seed that is not a whole number.
 */
export function createFakeRandom(seed = 1): FakeRandom {
  checkSeed('createFakeRandom', seed);
  // The algorithm is "mulberry32": a counter and a mixing function, 32 bits each.
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }
  return {
    fill(bytes) {
      for (let i = 0; i < bytes.length; i++) bytes[i] = next() >>> 24;
      return bytes;
    },
    // The state is itself a seed: a source that is created with it continues with the same bytes.
    fork: () => createFakeRandom(state),
  };
}
