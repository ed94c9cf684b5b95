import { messageOf } from '../../values/message-of.js';

export interface ExploreOrdersOptions {
  /** The number of seeds to try, from 1 on, or a list of seeds, such as the one in an earlier error message. Default 100. */
  readonly seeds?: number | readonly number[];
}

/**
 * Runs the body of a test once for each seed, one after the other, until one run fails. The body passes the seed to `controlOrder` and to
 * `insecureDeterministic`.
 * @throws Error that names the seed, with the failure as its cause. The same seed fails in the same way: `{ seeds: [17] }`.
 * @throws TypeError for seeds that are not whole numbers, and for an empty list.
 */
export async function exploreOrders(
  { seeds = 100 }: ExploreOrdersOptions,
  body: (seed: number) => Promise<unknown> | unknown,
): Promise<void> {
  const all = typeof seeds === 'number' ? Array.from({ length: seeds }, (_, i) => i + 1) : seeds;
  if (all.length === 0 || !all.every((seed) => Number.isSafeInteger(seed)))
    throw new TypeError(`exploreOrders: seeds is a number from 1 on, or a list of whole numbers: ${String(seeds)}`);
  for (const seed of all) {
    try {
      await body(seed);
    } catch (error) {
      throw new Error(`the order of seed ${seed} fails; { seeds: [${seed}] } repeats it: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }
}
