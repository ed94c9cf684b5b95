import { isJsonObject } from '../../json/value.js';
import { beginningSeconds, expirySeconds } from '../../tokens/numeric-date.js';
import { quote } from '../../values/quote.js';
import { trimEnd } from '../../values/trim-end.js';
import type { Claims } from './map-user.js';

/** The audiences and the validity period of a token, after their types were checked. */
export interface TokenTimes {
  readonly audiences: readonly string[];
  /** The end of the token's validity in milliseconds since the epoch. A token without an expiry counts as expired. */
  readonly expiry: number | undefined;
  readonly notBefore: number | undefined;
}

const NBF_LEEWAY = 60_000;
/** Go's zero time. Error messages show it as the expiry of a token that has none. */
const ZERO_TIME = '0001-01-01 00:00:00 +0000 UTC';
/** The last millisecond of the year 9999. */
const LAST_TIME = 253402300799999;

/**
 * Returns the issuer in the form that is used for comparisons: Google has two issuer names, which count as the same issuer (spec 11.14).
 */
export const canonicalIssuer = (issuer: unknown): unknown =>
  issuer === 'accounts.google.com' ? 'https://accounts.google.com' : issuer;

/** Reads the audiences and the validity period. @throws Error for claims of the wrong type, and for distributed claims without a source. */
export function readTokenTimes(claims: Claims): TokenTimes {
  const unmarshalError = (name: string) => new Error(`oidc: failed to unmarshal claims: ${name} is of another type`);
  const { aud = null, exp = null, nbf = null } = claims;
  const audiences = typeof aud === 'string' ? [aud] : (aud ?? []);
  const isTexts = Array.isArray(audiences) && audiences.every((each) => typeof each === 'string');
  if (!isTexts) throw unmarshalError('aud');
  for (const name of ['exp', 'nbf', 'iat'] as const) {
    const value = claims[name] ?? null;
    if (value !== null && typeof value !== 'number') throw unmarshalError(name);
  }
  checkSources(claims, unmarshalError);
  return {
    audiences,
    expiry: typeof exp === 'number' ? expirySeconds(exp) * 1000 : undefined,
    notBefore: typeof nbf === 'number' ? beginningSeconds(nbf) * 1000 : undefined,
  };
}

/** Checks that each distributed claim has a source. */
function checkSources(claims: Claims, failed: (name: string) => Error): void {
  const names = claims['_claim_names'] ?? {};
  const sources = claims['_claim_sources'] ?? {};
  if (!isJsonObject(names)) throw failed('_claim_names');
  if (!isJsonObject(sources)) throw failed('_claim_sources');
  for (const name of Object.keys(names)) {
    const source = names[name] ?? '';
    if (typeof source !== 'string') throw failed('_claim_names');
    if (source === '') throw new Error('oidc: failed to obtain source from claim name');
    if (!Object.hasOwn(sources, source)) throw new Error('oidc: source does not exist');
  }
}

/** Checks that the token is valid at `now`. @throws Error with upstream's message (spec 11.14). */
export function checkTimes({ expiry, notBefore }: TokenTimes, now: number): void {
  if (expiry === undefined || expiry < now)
    throw new Error(`oidc: token is expired (Token Expiry: ${expiry === undefined ? ZERO_TIME : printTime(expiry)})`);
  if (notBefore !== undefined && now + NBF_LEEWAY < notBefore)
    throw new Error(`oidc: current time ${printTime(now)} before the nbf (not before) time: ${printTime(notBefore)}`);
}

/** Formats a time as `2024-01-01 00:00:00.5 +0000 UTC`. */
function printTime(milliseconds: number): string {
  const bounded = Math.max(-62135596800000, Math.min(milliseconds, LAST_TIME));
  const [date = '', rest = ''] = new Date(bounded).toISOString().split('T');
  const [time = '', fraction = ''] = rest.slice(0, -1).split('.');
  const shown = trimEnd(fraction, '0');
  return `${date} ${time}${shown === '' ? '' : `.${shown}`} +0000 UTC`;
}

/** Checks the token's audiences. @throws Error when none of them is configured. */
export function checkAudience(configured: readonly string[], { audiences }: TokenTimes): void {
  if (audiences.some((audience) => configured.includes(audience))) return;
  const got = printTexts(audiences);
  const [only = ''] = configured;
  throw new Error(
    configured.length === 1
      ? `oidc: expected audience ${quote(only)} got ${got}`
      : `oidc: expected audience in ${printTexts([...configured].sort())} got ${got}`,
  );
}

/** Formats strings as `["a" "b"]`. */
export const printTexts = (texts: readonly string[]): string => `[${texts.map(quote).join(' ')}]`;
