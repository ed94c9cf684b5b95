import { refuseUnknownMembers } from '../../values/did-you-mean.js';
import { messageOf } from '../../values/message-of.js';
import { checkFunction } from '../check-arguments.js';

/** The options of {@link exploreOrders}. */
export interface ExploreOrdersOptions {
  /** The number of seeds to try, from 1 on, or a list of seeds, such as the one in an earlier error message. Default 100. */
  readonly seeds?: number | readonly number[];
}

/** The maximum number of seeds. It is limited, because the list of all seeds is in memory. */
const MAX_SEEDS = 1_000_000;

/**
 * Runs the body of a test once for each seed, one after the other, until one run fails. The body passes the seed to `controlOrder` and to
 * `insecureDeterministic`.
 * @throws Error that names the seed, with the failure as its cause. The same seed fails in the same way: `{ seeds: [17] }`.
 * @throws TypeError for an option that does not exist, seeds that are not whole numbers, an empty list, and a number of seeds above a million.
 */
export async function exploreOrders(
  options: ExploreOrdersOptions,
  body: (seed: number) => Promise<unknown> | unknown,
): Promise<void> {
  refuseUnknownMembers('exploreOrders', options, ['seeds']);
  checkFunction('exploreOrders', 'body', body);
  const { seeds = 100 } = options;
  const isCount = Number.isSafeInteger(seeds) && (seeds as number) >= 1 && (seeds as number) <= MAX_SEEDS;
  const all = isCount ? Array.from({ length: seeds as number }, (_, i) => i + 1) : seeds;
  if (!Array.isArray(all) || all.length === 0 || !all.every((seed) => Number.isSafeInteger(seed)))
    throw new TypeError(
      `exploreOrders: seeds must be a number of at least 1, or a list of integers, not ${String(seeds)}`,
    );
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
