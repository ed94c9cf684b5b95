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
const ATTEMPTS = 10;
/** Milliseconds a measured run should take at least: below it the clock and the compiler are measured. */
const ENOUGH = 0.5;
const FACTOR = 4;
/** Linear work costs 4 times as much for 4 times the input, n log n about 4.5, quadratic 16. */
export const LIMIT = 6;

/** How many times as much an input of 4 n costs as one of n: the smallest of some attempts, as noise only adds. */
export async function growthOf({ n, prepare }: Omit<GrowthRow, 'name'>): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY;
  let size = n;
  for (let attempt = 0; attempt < ATTEMPTS && lowest > LIMIT; attempt++) {
    const [small, large] = [await prepare(size), await prepare(size * FACTOR)];
    let [fast, slow] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let run = 0; run < RUNS; run++) {
      fast = Math.min(fast, await cost(small));
      slow = Math.min(slow, await cost(large));
    }
    lowest = Math.min(lowest, slow / Math.max(fast, ENOUGH));
    if (fast < ENOUGH) size *= 2;
  }
  return lowest;
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
