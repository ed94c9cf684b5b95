import { collectGarbage } from '../../support/collect-garbage.js';

/** Something that reads what a caller sends, and how its input is made. */
export interface GrowthRow {
  /** Names what is driven and the shape of its input. */
  readonly name: string;
  /**
   * Size of the smaller input, which may be made up to eight times as large. What changes its ways at a size (objects of very many
   * members) wants an n beyond.
   */
  readonly n: number;
  /** Makes an input of a size and returns what is measured; runs several times on the same input, and may refuse it. */
  readonly prepare: (n: number) => (() => unknown) | Promise<() => unknown>;
}

/** The numbers from 0 up to the one before n. */
export const numbers = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** A text of n parts. */
export const numbered = (n: number, part: (i: number) => string, between = ''): string =>
  numbers(n).map(part).join(between);

/** A row that reads a text. */
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
 * Linear work costs 4 times as much for 4 times the input, n log n about 4.5, maps that outgrow a cache up to 7.5, quadratic work 16.
 */
export const LIMIT = 9;
/**
 * Milliseconds of the smaller input that are measured at once: below it the clock is measured. What takes less is made larger at
 * first, as constant parts hide what grows, and then repeated, as very large inputs measure the machine's memory. It is not more, so
 * that a run of the larger input fits between two switches to other processes, which leave no cache as it was.
 */
const ENOUGH = 0.5;
const MOST_DOUBLINGS = 3;
const MOST_REPETITIONS = 500;
/** Runs of each input in turn, on inputs made anew so often; in one go no longer than some milliseconds. */
const ROUNDS = 40;
const LONGEST_GO = 4_000;
const ATTEMPTS = 3;

/**
 * How many times as much an input of 4 n costs as one of n. Where that is above the limit, 16 n is compared with 4 n as well and the
 * less counts: what grows too fast does so at both steps, but a cache that ends between two sizes is met once.
 */
export async function growthOf({ n, prepare }: Omit<GrowthRow, 'name'>): Promise<number> {
  const { size, repetitions } = await enough(n, prepare);
  const first = await step(size, repetitions, prepare);
  if (first <= LIMIT) return first;
  return Math.min(first, await step(size * FACTOR, Math.max(Math.floor(repetitions / FACTOR), 1), prepare));
}

/**
 * What an input of four times the size costs as a multiple. What other work, the compiler and collections of garbage do only adds, so
 * the least of many runs of each counts, small and large in turn. It goes on only while the answer is above the limit: what really
 * grows too fast is above it after the last run as after the first.
 */
async function step(size: number, repetitions: number, prepare: GrowthRow['prepare']): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && lowest > LIMIT; attempt++) {
    const runs = [await prepare(size), await prepare(size * FACTOR)] as const;
    let [small, large, spent] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
    const goesOn = (round: number) => round < 2 || (large / small > LIMIT && spent < LONGEST_GO && round < ROUNDS);
    for (let round = 0; goesOn(round); round++) {
      if (round % 8 === 2)
        // What one row has left behind is not collected at the cost of the next, by threads whose time counts as well.
        collectGarbage();
      // As much work each: a small run is not lucky more often than a large one.
      for (let i = 0; i < FACTOR; i++) small = Math.min(small, await cost(runs[0], repetitions));
      const took = await cost(runs[1], repetitions);
      large = Math.min(large, took);
      spent += 2 * took;
    }
    // An input of 32 n that takes less than this is harmless, and the measurement would only show the speed of memory.
    if (large / repetitions < ENOUGH) return 1;
    lowest = Math.min(lowest, large / small);
    if (lowest > 2 * LIMIT) break; // no noise is that loud for so long
  }
  return lowest;
}

/** An input that takes long enough, or how often to run it. */
async function enough(n: number, prepare: GrowthRow['prepare']): Promise<{ size: number; repetitions: number }> {
  for (let size = n, doublings = 0; ; size *= 2, doublings++) {
    const run = await prepare(size);
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < FACTOR; i++) least = Math.min(least, await cost(run, 1));
    if (least < ENOUGH && doublings < MOST_DOUBLINGS) continue;
    return { size, repetitions: Math.min(Math.max(Math.ceil(ENOUGH / Math.max(least, 0.002)), 1), MOST_REPETITIONS) };
  }
}

/** Milliseconds of CPU time, not the clock's: other processes do not count. */
async function cost(run: () => unknown, repetitions: number): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < repetitions; i++) {
    try {
      await run();
    } catch (error) {
      // A refusal is an answer; a mistake in the row itself is not.
      if (isMistake(error)) throw error;
    }
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Whether an error comes from code that does not fit together, as after a rename, rather than from a refused input. */
function isMistake(error: unknown): boolean {
  return (
    error instanceof ReferenceError ||
    (error instanceof TypeError && /is not a (?:function|constructor)|^Cannot read properties/.test(error.message))
  );
}
