/**
 * The first second that overflows Go's `time.Time`, a 64-bit number of seconds since the year 1. That year began 62,135,596,800 seconds
 * before the epoch.
 */
const END_OF_TIME = 2 ** 63 - 62_135_596_800;

/**
 * Returns `exp` in whole seconds since the epoch. A number beyond the range of Go's times counts as the infinite past. A token with such an
 * `exp` has therefore expired instead of being valid forever (spec 11.14, 14.6).
 */
export function expirySeconds(claim: number): number {
  return claim < END_OF_TIME ? Math.trunc(claim) : Number.NEGATIVE_INFINITY;
}

/**
 * Returns `nbf` or `iat` in whole seconds since the epoch. A number beyond the range of Go's times counts as the infinite future, so the
 * token is refused. (In upstream, the number overflows to the past, so the token is accepted.)
 */
export function beginningSeconds(claim: number): number {
  return claim < END_OF_TIME ? Math.trunc(claim) : Number.POSITIVE_INFINITY;
}
