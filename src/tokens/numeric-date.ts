/**
 * From this second on the reference's times wrap around to the distant past: its 64 bits count from the year 1, 62,135,596,800
 * seconds before the epoch.
 */
const END_OF_TIME = 2 ** 63 - 62_135_596_800;

/**
 * The end that a token's `exp` names, in whole seconds since the epoch. A number beyond the times that the reference has is the
 * distant past, so that such a token has expired instead of living forever (spec 11.14, 14.6).
 */
export function expirySeconds(claim: number): number {
  return claim < END_OF_TIME ? Math.trunc(claim) : Number.NEGATIVE_INFINITY;
}

/**
 * The beginning that `nbf` and `iat` name, in whole seconds since the epoch. A number beyond the reference's times never comes:
 * such a token is refused, although the reference takes it for one of the past.
 */
export function beginningSeconds(claim: number): number {
  return claim < END_OF_TIME ? Math.trunc(claim) : Number.POSITIVE_INFINITY;
}
