/** The first second that overflows the reference's times: they count 64 bits from the year 1, 62,135,596,800 seconds before the epoch. */
const END_OF_TIME = 2 ** 63 - 62_135_596_800;

/**
 * Reads `exp` as whole seconds since the epoch. A number beyond the range of the reference's times counts as the infinite past, so that
 * such a token has expired instead of living forever (spec 11.14, 14.6).
 */
export function expirySeconds(claim: number): number {
  return claim < END_OF_TIME ? Math.trunc(claim) : Number.NEGATIVE_INFINITY;
}

/**
 * Reads `nbf` or `iat` as whole seconds since the epoch. A number beyond the range of the reference's times counts as the infinite future,
 * so the token is refused. (The reference overflows to the past and accepts it.)
 */
export function beginningSeconds(claim: number): number {
  return claim < END_OF_TIME ? Math.trunc(claim) : Number.POSITIVE_INFINITY;
}
