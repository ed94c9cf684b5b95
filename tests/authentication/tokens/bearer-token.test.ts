import { describe, expect, it } from 'vitest';
import { rejected, skipped } from '../../../src/authentication/authenticator.js';
import { bearerTokens, readBearerToken, tokenAuthenticator } from '../../../src/authentication/tokens/bearer-token.js';
import { headersOf } from '../../../src/meta/request-headers.js';
import { bearerCredentials } from '../../support/bearer-credentials.js';

const knows = (name: string, token: string) =>
  tokenAuthenticator(name, (given) =>
    given === token ? { outcome: 'authenticated', user: { username: name } } : skipped,
  );
const authenticate = (authorization: string | string[]) =>
  bearerTokens('t', [knows('a', 'one'), knows('b', 'two')]).authenticate({ headers: headersOf({ authorization }) });

describe('readBearerToken', () => {
  it.each([
    ['Bearer token', 'token'],
    ['bEaReR token', 'token'],
    ['  Bearer token  ', 'token'],
    ['Bearer token a b c', 'token'],
    ['Bearer token   a', 'token'],
    ['Bearer', ''],
    ['Bearer ', ''],
    ['Bearer  token', ''],
    ['bear token', ''],
    ['Bearer: token', ''],
    ['Basic 123', ''],
    ['', ''],
  ])('%j -> %j', (header, token) => {
    expect(readBearerToken(header)).toBe(token);
  });
  it('reads the first header only', () => {
    expect(readBearerToken(headersOf({ authorization: ['Bearer x', 'Bearer y'] }).get('authorization'))).toBe('x');
    expect(readBearerToken(undefined)).toBe('');
  });
});

describe('bearerTokens', () => {
  it('returns the user of the first member that knows the token', async () => {
    expect(await authenticate('Bearer two')).toMatchObject({ outcome: 'authenticated', user: { username: 'b' } });
  });
  it('rejects a token that no member knows', async () => {
    expect(await authenticate('Bearer three')).toMatchObject({
      outcome: 'rejected',
      error: { message: 'invalid bearer token' },
    });
  });
  it('skips if there is no token', async () => {
    expect(await authenticate('Basic abc')).toEqual({ outcome: 'skipped' });
  });
  it('warns of a token after two spaces', async () => {
    expect(await authenticate('Bearer  one')).toEqual({
      outcome: 'skipped',
      warnings: ['the provided Authorization header contains extra space before the bearer token, and is ignored'],
    });
  });
  it('returns all errors, but none if a member knows the token', async () => {
    const bad = tokenAuthenticator('bad', () => rejected('service account token has expired'));
    const broken = tokenAuthenticator('broken', () => {
      throw new Error('broken');
    });
    const result = await bearerTokens('t', [bad, broken, bad]).authenticateToken('x', undefined);
    expect(result).toMatchObject({
      error: { message: '[invalid bearer token, service account token has expired, broken]' },
    });
    expect(await bearerTokens('t', [bad, broken, knows('a', 'x')]).authenticateToken('x', undefined)).toMatchObject({
      outcome: 'authenticated',
    });
  });
  it('passes the audiences on', async () => {
    let seen: readonly string[] | undefined;
    const member = tokenAuthenticator('a', (_, audiences) => {
      seen = audiences;
      return skipped;
    });
    await bearerTokens('t', [member]).authenticate(bearerCredentials('x', ['vault']));
    expect(seen).toEqual(['vault']);
  });
});
