/** Something that reads what a caller sends, and how its input is made. */
export interface GrowthRow {
  /** Names what is driven and the shape of its input. */
  readonly name: string;
  /** Size of the smaller input to begin with; it is doubled until a run takes long enough to be measured. */
  readonly n: number;
  /** Makes an input of a size and returns what is measured; runs several times on the same input, and may refuse it. */
  readonly prepare: (n: number) => (() => unknown) | Promise<() => unknown>;
}

const RUNS = 4;
const ATTEMPTS = 8;
/** Milliseconds a run of the smaller input should take at least: below it the clock, the compiler and collections are measured. */
const ENOUGH = 3;
/** Some inputs cost nothing at any size, or are refused; these are doubled only so often. */
const DOUBLINGS = 4;
const FACTOR = 4;
/** Linear work costs 4 times as much for 4 times the input, n log n about 4.5, quadratic 16. */
export const LIMIT = 6;

/** How many times as much an input of 4 n costs as one of n: the smallest of some attempts, as noise only adds. */
export async function growthOf({ n, prepare }: Omit<GrowthRow, 'name'>): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY;
  let size = n;
  let doublings = 0;
  for (let attempt = 0; attempt < ATTEMPTS && lowest > LIMIT; attempt++) {
    const [small, large] = [await prepare(size), await prepare(size * FACTOR)];
    let [fast, slow] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    // The first run of each compiles; the least of all runs is what counts.
    for (let run = 0; run < RUNS + attempt; run++) {
      fast = Math.min(fast, await cost(small));
      slow = Math.min(slow, await cost(large));
      // Even against the least that counts: nothing grows here.
      if (slow / Math.max(fast, ENOUGH) < 1) return 1;
    }
    lowest = Math.min(lowest, slow / Math.max(fast, ENOUGH / 2));
    if (fast < ENOUGH && doublings++ < DOUBLINGS) size *= 2;
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
