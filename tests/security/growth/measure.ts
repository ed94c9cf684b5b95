/** Something that reads what a caller sends, and how its input is made. */
export interface GrowthRow {
  /** Names what is driven and the shape of its input. */
  readonly name: string;
  /** Size of the smaller input: big enough that it takes a good part of a millisecond. */
  readonly n: number;
  /** Makes an input of a size and returns what is measured; runs several times on the same input, and may refuse it. */
  readonly prepare: (n: number) => (() => unknown) | Promise<() => unknown>;
}

const RUNS = 4;
const ATTEMPTS = 8;
/** Milliseconds a measured run should take at least: below it the clock and the compiler are measured. */
const ENOUGH = 0.5;
const FACTOR = 4;
/** Linear work costs 4 times as much for 4 times the input, n log n about 4.5, quadratic 16. */
export const LIMIT = 6;

/**
 * How many times as much an input of 4 n costs as one of n. What other work and collections of garbage add does not count: the
 * smallest of some attempts is taken, and what still seems to grow too fast has to do so again from 4 n to 16 n.
 */
export async function growthOf({ n, prepare }: Omit<GrowthRow, 'name'>): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY;
  let size = n;
  for (let attempt = 0; attempt < ATTEMPTS && lowest > LIMIT; attempt++) {
    const runs = [await prepare(size), await prepare(size * FACTOR)];
    const [fast = 0, slow = 0] = await cheapest(runs);
    lowest = Math.min(lowest, slow / Math.max(fast, ENOUGH));
    if (lowest > LIMIT && attempt >= ATTEMPTS / 2) {
      const [large = 0] = await cheapest([await prepare(size * FACTOR * FACTOR)]);
      lowest = Math.min(lowest, large / Math.max(slow, ENOUGH));
    }
    if (fast < ENOUGH) size *= 2;
  }
  return lowest;
}

/** The least that each of some runs costs, one after the other several times. */
async function cheapest(runs: readonly (() => unknown)[]): Promise<number[]> {
  const costs = runs.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < RUNS; round++)
    for (const [i, run] of runs.entries()) costs[i] = Math.min(costs[i] ?? 0, await cost(run));
  return costs;
}

/** CPU time, not the clock's: other processes do not count. */
async function cost(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  try {
    await run();
  } catch {
    // A refusal is an answer.
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
