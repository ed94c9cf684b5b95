import { collectGarbage } from '../../support/collect-garbage.js';

/** A function that reads the input of callers, and how the input is created. */
export interface GrowthRow {
  /** Names the function and the shape of its input. */
  readonly name: string;
  /**
   * The size of the smaller input, which may be made up to eight times as large. If the function works differently above some size (as for
   * objects of very many members), n must be larger than that size.
   */
  readonly n: number;
  /**
   * Creates an input of a size, and returns the function to measure. The function runs several times on the same input, and may refuse it.
   */
  readonly prepare: (n: number) => (() => unknown) | Promise<() => unknown>;
}

/** Returns the numbers from 0 to n - 1. */
export const numbers = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** Returns a string of n parts. */
export const numbered = (n: number, part: (i: number) => string, between = ''): string =>
  numbers(n).map(part).join(between);

/** Returns a row for a function that reads a string. */
export const row = (
  name: string,
  n: number,
  read: (text: string) => unknown,
  text: (n: number) => string,
): GrowthRow => ({
  name,
  n,
  prepare: (size) => {
    const given = text(size);
    return () => read(given);
  },
});

const FACTOR = 4;
/**
 * The maximum growth for 4 times the input. Linear work grows by 4, n log n by about 4.5, maps that outgrow a cache by up to 7.5, and
 * quadratic work by 16.
 */
export const LIMIT = 9;
/**
 * The minimum CPU time in milliseconds of one measurement of the smaller input; less than that cannot be measured precisely. A faster input
 * is first enlarged, because constant costs hide growth, and then run repeatedly, because a very large input would measure the memory. The
 * time is short, so that the larger input can be measured between two switches of the process, which empty the caches.
 */
const ENOUGH = 0.5;
const MOST_DOUBLINGS = 3;
const MOST_REPETITIONS = 500;
/**
 * The maximum number of times that each input is measured (`ROUNDS`), the maximum CPU time in milliseconds for these (`LONGEST_GO`), and
 * how often new inputs are created (`ATTEMPTS`).
 */
const ROUNDS = 40;
const LONGEST_GO = 4_000;
const ATTEMPTS = 3;

/**
 * Returns how many times as much an input of size 4 n costs as one of size n. If the result is above the limit, 16 n is compared with 4 n,
 * and the smaller result counts: work that grows too fast does so in both steps, whereas an input outgrows a cache in one step only.
 */
export async function growthOf({ n, prepare }: Omit<GrowthRow, 'name'>): Promise<number> {
  const { size, repetitions } = await enough(n, prepare);
  const first = await step(size, repetitions, prepare);
  if (first <= LIMIT) return first;
  return Math.min(first, await step(size * FACTOR, Math.max(Math.floor(repetitions / FACTOR), 1), prepare));
}

/**
 * Returns how many times as much an input of four times the size costs. Other processes, the compiler and garbage collections only add to
 * the cost, so the minimum of many runs counts. The two sizes are measured in turns, and only while the result is above the limit.
 */
async function step(size: number, repetitions: number, prepare: GrowthRow['prepare']): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && lowest > LIMIT; attempt++) {
    const runs = [await prepare(size), await prepare(size * FACTOR)] as const;
    let [small, large, spent] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
    const goesOn = (round: number) => round < 2 || (large / small > LIMIT && spent < LONGEST_GO && round < ROUNDS);
    for (let round = 0; goesOn(round); round++) {
      if (round % 8 === 2)
        // Otherwise the garbage of one row would be collected while the next one is measured, by threads whose time counts, too.
        collectGarbage();
      // Both sizes get the same amount of work, so that the minimum of the smaller one is not found in more time.
      for (let i = 0; i < FACTOR; i++) small = Math.min(small, await cost(runs[0], repetitions));
      const took = await cost(runs[1], repetitions);
      large = Math.min(large, took);
      spent += 2 * took;
    }
    // If even an input of 32 n takes less time than this, it is harmless, and the measurement would show the speed of memory.
    if (large / repetitions < ENOUGH) return 1;
    lowest = Math.min(lowest, large / small);
    if (lowest > 2 * LIMIT) break; // noise does not last that long
  }
  return lowest;
}

/** Finds the size of the smaller input, and how often to run it, so that the cost can be measured. */
async function enough(n: number, prepare: GrowthRow['prepare']): Promise<{ size: number; repetitions: number }> {
  for (let size = n, doublings = 0; ; size *= 2, doublings++) {
    const run = await prepare(size);
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < FACTOR; i++) least = Math.min(least, await cost(run, 1));
    if (least < ENOUGH && doublings < MOST_DOUBLINGS) continue;
    return { size, repetitions: Math.min(Math.max(Math.ceil(ENOUGH / Math.max(least, 0.002)), 1), MOST_REPETITIONS) };
  }
}

/** Returns the milliseconds of CPU time of the runs. Unlike the time of a clock, it does not include other processes. */
async function cost(run: () => unknown, repetitions: number): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < repetitions; i++) {
    try {
      await run();
    } catch (error) {
      // The function may refuse its input, but an error of the row itself is thrown.
      if (isMistake(error)) throw error;
    }
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Returns whether an error was caused by wrong code in a row, as after a renaming, rather than by a refused input. */
function isMistake(error: unknown): boolean {
  return (
    error instanceof ReferenceError ||
    (error instanceof TypeError && /is not a (?:function|constructor)|^Cannot read properties/.test(error.message))
  );
}
