/** The seats that one priority level requests when a number of seats is divided among levels. */
export interface Claim {
  /** The requested number of seats, at least `lower`. */
  readonly target: number;
  /** The guaranteed number of seats, at least 0. */
  readonly lower: number;
  /** The maximum number of seats, at least `lower`. */
  readonly upper: number;
}

export interface Allocation {
  /** The number of seats of each level, in the order in which the levels' claims were passed. */
  readonly shares: readonly number[];
  /** The fraction of `target` that each level gets, unless `lower` or `upper` limits its seats. */
  readonly fairFraction: number;
}

/** The minimum target of a level, in seats. A smaller target is raised to it, because the algorithm divides by targets. */
const LEAST_TARGET = 0.001;
const EPSILON = 1e-7;

/**
 * Divides `sum` seats so that each level gets the same fraction of its `target`, within its limits `lower` and `upper`. Returns undefined
 * if the limits allow no such division.
 */
export function allocate(sum: number, claims: readonly Claim[]): Allocation | undefined {
  const target = (claim: Claim) => Math.max(claim.target, LEAST_TARGET);
  const share = (claim: Claim, fraction: number) =>
    Math.max(claim.lower, Math.min(claim.upper, fraction * target(claim)));
  const total = (fraction: number) => claims.reduce((before, claim) => before + share(claim, fraction), 0);
  if (total(0) - sum > EPSILON) return undefined;
  if (sum === 0) return { shares: claims.map(() => 0), fairFraction: 0 };
  // The sorted fractions at which the seats of a level reach one of its limits. The sum of the seats grows linearly between two adjacent
  // fractions, and is constant before the first fraction and after the last.
  const bounds = claims
    .flatMap((claim) => [claim.lower / target(claim), claim.upper / target(claim)])
    .sort((a, b) => a - b);
  const least = bounds[0];
  const most = bounds.at(-1);
  if (least === undefined || most === undefined) return undefined;
  if (sum - total(most) > EPSILON) return undefined;

  let below = 0;
  let above = bounds.length - 1;
  while (above - below > 1) {
    const middle = (below + above) >> 1;
    if (total(bounds[middle] ?? 0) <= sum) below = middle;
    else above = middle;
  }
  const from = bounds[below] ?? 0;
  const to = bounds[above] ?? 0;
  const grows = total(to) - total(from);
  const fairFraction = grows <= 0 ? from : from + ((to - from) * (sum - total(from))) / grows;
  return { shares: claims.map((claim) => share(claim, fairFraction)), fairFraction };
}
