import { expect, it } from 'vitest';
import { checkTimes, readTokenTimes } from '../../src/authentication/jwt/verify-claims.js';
import { beginningSeconds, expirySeconds } from '../../src/tokens/numeric-date.js';

it.each([
  [1.9, 1],
  [-1.9, -1],
  [2 ** 62, 2 ** 62],
])('%d is a whole number of seconds', (claim, seconds) => {
  expect(expirySeconds(claim)).toBe(seconds);
  expect(beginningSeconds(claim)).toBe(seconds);
});

it.each([2 ** 63, 1e300, 2 ** 63 - 2 ** 33])('%d has expired, and never begins', (claim) => {
  expect(expirySeconds(claim)).toBe(Number.NEGATIVE_INFINITY);
  expect(beginningSeconds(claim)).toBe(Number.POSITIVE_INFINITY);
});

it.each([2 ** 63, 1e300])('a token of an issuer with expiry %d has expired (spec 11.14)', (exp) => {
  expect(() => checkTimes(readTokenTimes({ aud: 'a', exp }), Date.now())).toThrow('oidc: token is expired');
});

it('a token of an issuer that never begins is refused', () => {
  expect(() => checkTimes(readTokenTimes({ aud: 'a', exp: 2 ** 40, nbf: 1e300 }), 0)).toThrow('before the nbf');
});
