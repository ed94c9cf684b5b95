import { getOwn } from '../../json/members.js';
import { jsonTypeName } from '../../json/number-text.js';
import { isJsonObject } from '../../json/value.js';
import { beginningSeconds, expirySeconds } from '../../tokens/compact-token.js';
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

/** The other claims that upstream reads as strings before it maps any claim. A token in which one has another type is refused. */
const TEXTS = ['sub', 'nonce', 'at_hash'];
/** Matches a JSON number. Upstream reads a string with a number as a time, too. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/** Reads the audiences and the validity period. @throws Error for claims of the wrong type, and for distributed claims without a source. */
export function readTokenTimes(claims: Claims): TokenTimes {
  for (const name of TEXTS) stringMember(claims[name], name);
  const audiences = readAudiences(claims['aud']);
  const expiry = readSeconds(claims, 'exp');
  const notBefore = claims['nbf'] === null ? undefined : readSeconds(claims, 'nbf');
  readSeconds(claims, 'iat');
  checkSources(claims);
  return {
    audiences,
    expiry: expiry === undefined ? undefined : expirySeconds(expiry) * 1000,
    notBefore: notBefore === undefined ? undefined : beginningSeconds(notBefore) * 1000,
  };
}

const failed = (why: string) => new Error(`oidc: failed to unmarshal claims: ${why}`);
const wrongType = (value: unknown, where: string) =>
  failed(`json: cannot unmarshal ${jsonTypeName(value)} into ${where}`);

/** Returns a member that is a string; '' when it is absent or null. @throws Error for a value of another type */
function stringMember(value: unknown, name: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw wrongType(value, `Go struct field idToken.${name} of type string`);
  return value;
}

/** Returns a claim as a string or a list of strings. As in upstream, null counts as ''. */
function readAudiences(aud: unknown): readonly string[] {
  if (aud === undefined) return [];
  if (Array.isArray(aud)) return aud.map((each: unknown) => stringMember(each, 'aud'));
  if (aud !== null && typeof aud !== 'string') throw wrongType(aud, 'Go value of type []string');
  return [aud ?? ''];
}

function readSeconds(claims: Claims, name: string): number | undefined {
  const value = claims[name];
  if (value === undefined || typeof value === 'number') return value;
  if (value === null) throw failed('strconv.ParseFloat: parsing "": invalid syntax');
  if (typeof value !== 'string') throw wrongType(value, 'Go value of type json.Number');
  if (NUMBER.test(value)) return Number(value);
  throw failed(`json: invalid number literal, trying to unmarshal ${quote(quote(value))} into Number`);
}

/** Checks that each distributed claim has a source, and that the sources are well-formed. */
function checkSources(claims: Claims): void {
  const names = claims['_claim_names'] ?? {};
  const sources = claims['_claim_sources'] ?? {};
  if (!isJsonObject(names)) throw wrongType(names, 'Go struct field idToken._claim_names of type map[string]string');
  if (!isJsonObject(sources))
    throw wrongType(sources, 'Go struct field idToken._claim_sources of type map[string]oidc.claimSource');
  for (const source of Object.values(sources)) {
    if (source === null) continue;
    if (!isJsonObject(source))
      throw wrongType(source, 'Go struct field idToken._claim_sources of type oidc.claimSource');
    for (const name of ['endpoint', 'access_token']) stringMember(getOwn(source, name), `_claim_sources.${name}`);
  }
  for (const name of Object.keys(names)) {
    const source = stringMember(names[name], '_claim_names');
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
