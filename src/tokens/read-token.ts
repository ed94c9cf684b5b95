import { decodeBase64Url } from '../values/base64.js';

/** The header and the claims of a token. Its signature has not been checked. */
export interface UnverifiedToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a compact token without verifying it: three parts, of which the first two are JSON objects. Returns undefined for any other string.
 */
export function readToken(token: string): UnverifiedToken | undefined {
  const parts = token.split('.', 4);
  if (parts.length !== 3) return undefined;
  const header = readPart(parts[0]);
  const claims = readPart(parts[1]);
  return header && claims && { header, claims };
}

function readPart(text = ''): Readonly<Record<string, unknown>> | undefined {
  try {
    const bytes = decodeBase64Url(text);
    const value: unknown = bytes && JSON.parse(decoder.decode(bytes));
    // A value that is an object but not an array is a JSON object, so the cast is safe.
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

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
