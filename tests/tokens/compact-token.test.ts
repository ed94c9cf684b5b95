import { expect, it } from 'vitest';
import { checkTimes, readTokenTimes } from '../../src/authentication/jwt/verify-claims.js';
import { beginningSeconds, expirySeconds } from '../../src/tokens/compact-token.js';

it.each([
  [1.9, 1],
  [-1.9, -1],
  [2 ** 62, 2 ** 62],
])('%d is a whole number of seconds', (claim, seconds) => {
  expect(expirySeconds(claim)).toBe(seconds);
  expect(beginningSeconds(claim)).toBe(seconds);
});

it.each([2 ** 63, 1e300, 2 ** 63 - 2 ** 33])('%d has expired, and is never valid', (claim) => {
  expect(expirySeconds(claim)).toBe(Number.NEGATIVE_INFINITY);
  expect(beginningSeconds(claim)).toBe(Number.POSITIVE_INFINITY);
});

it.each([2 ** 63, 1e300])('a token of an issuer with expiry %d has expired (spec 11.14)', (exp) => {
  expect(() => checkTimes(readTokenTimes({ aud: 'a', exp }), Date.now())).toThrow('oidc: token is expired');
});

it('a token of an issuer whose validity never begins is refused', () => {
  expect(() => checkTimes(readTokenTimes({ aud: 'a', exp: 2 ** 40, nbf: 1e300 }), 0)).toThrow('before the nbf');
});

it.each([
  [{ exp: '2000000000' }, 2e12],
  [{ exp: '2e9' }, 2e12],
  [{ exp: 2e9, nbf: null }, 2e12],
])('reads the expiry of %j as upstream reads it', (claims, expiry) => {
  expect(readTokenTimes(claims).expiry).toBe(expiry);
});

it.each([
  [{ exp: null }, 'strconv.ParseFloat: parsing "": invalid syntax'],
  [{ exp: 2e9, iat: 'now' }, 'json: invalid number literal, trying to unmarshal "\\"now\\"" into Number'],
  [{ exp: 2e9, nbf: [] }, 'json: cannot unmarshal array into Go value of type json.Number'],
  [{ sub: 1 }, 'json: cannot unmarshal number into Go struct field idToken.sub of type string'],
  [{ nonce: {} }, 'json: cannot unmarshal object into Go struct field idToken.nonce of type string'],
  [{ _claim_sources: { a: [] } }, 'idToken._claim_sources of type oidc.claimSource'],
  [{ _claim_sources: { a: { endpoint: 1 } } }, 'idToken._claim_sources.endpoint of type string'],
])('refuses a token with %j, whether or not the claim is used', (claims, message) => {
  expect(() => readTokenTimes(claims)).toThrow(message);
});
