import { describe, expect, it } from 'vitest';
import { anonymous } from '../../src/authentication/anonymous.js';
import { addAuthenticatedGroup } from '../../src/authentication/authenticated-group.js';
import {
  type AuthenticationResult,
  type Authenticator,
  rejected,
  skipped,
} from '../../src/authentication/authenticator.js';
import { requestAuthenticator } from '../../src/authentication/request-authenticator.js';
import { tokenFile } from '../../src/authentication/tokens/token-file.js';
import { headersOf } from '../../src/meta/request-headers.js';
import { serviceAccountTokens } from '../../src/plugins/service-accounts/service-account-token.js';
import { bearerCredentials } from '../support/bearer-credentials.js';
import { fakeHost } from '../support/hosts.js';
import { hasSharedData, readShared } from '../support/shared-data.js';

const always = (name: string, result: AuthenticationResult): Authenticator => ({ name, authenticate: () => result });
const known = (username: string, groups?: string[]): AuthenticationResult => ({
  outcome: 'authenticated',
  user: { username, ...(groups ? { groups } : {}) },
});
const nothing = { headers: headersOf() };

describe('authenticators in order', () => {
  const authenticateBy = (...results: AuthenticationResult[]) =>
    requestAuthenticator(
      results.map((r, i) => always(String(i), r)),
      fakeHost(),
    ).authenticate(nothing);
  it('use the first one that authenticates, whatever failed before', async () => {
    expect(await authenticateBy(skipped, rejected('bad'), known('a'), known('b'))).toMatchObject({
      user: { username: 'a' },
    });
  });
  it('reject if one failed and none authenticates', async () => {
    expect(await authenticateBy(skipped, rejected('bad'), skipped)).toMatchObject({
      outcome: 'rejected',
      error: { message: 'bad' },
    });
    expect(await authenticateBy(rejected('x'), rejected('y'), rejected('x'))).toMatchObject({
      error: { message: '[x, y]' },
    });
  });
  it('skip if all skip', async () => {
    expect(await authenticateBy()).toEqual(skipped);
    expect(await authenticateBy(skipped, skipped)).toEqual(skipped);
  });
  it('treat an exception as a rejection', async () => {
    const broken: Authenticator = { name: 'broken', authenticate: () => Promise.reject(new Error('crash')) };
    expect(await requestAuthenticator([broken, always('s', skipped)], fakeHost()).authenticate(nothing)).toMatchObject({
      outcome: 'rejected',
      error: { message: 'crash' },
    });
    expect(
      await requestAuthenticator([broken, always('a', known('a'))], fakeHost()).authenticate(nothing),
    ).toMatchObject({
      outcome: 'authenticated',
    });
  });
  it('collect warnings', async () => {
    expect(await authenticateBy({ outcome: 'skipped', warnings: ['w'] }, known('a'))).toMatchObject({
      outcome: 'authenticated',
      warnings: ['w'],
    });
    expect(await authenticateBy({ outcome: 'skipped', warnings: ['w'] })).toEqual({
      outcome: 'skipped',
      warnings: ['w'],
    });
  });
});

describe('addAuthenticatedGroup', () => {
  it.each([
    ['adds the group to a user', 'user', ['some-group'], ['some-group', 'system:authenticated']],
    [
      'does not add a group that is present',
      'user',
      ['system:authenticated', 'some-group'],
      ['system:authenticated', 'some-group'],
    ],
    ['does not add it to the anonymous user', 'system:anonymous', ['some-group'], ['some-group']],
    [
      'does not add it to a member of system:unauthenticated',
      'user',
      ['system:unauthenticated', 'some-group'],
      ['system:unauthenticated', 'some-group'],
    ],
  ])('%s', (_, username, groups, expected) => {
    const user = { username, groups };
    expect(addAuthenticatedGroup(user)).toEqual({ username, groups: expected });
    expect(addAuthenticatedGroup(user)).toBe(addAuthenticatedGroup(user));
  });
  it('adds the group if there are no groups', () => {
    expect(addAuthenticatedGroup({ username: 'u' }).groups).toEqual(['system:authenticated']);
  });
});

describe('requestAuthenticator', () => {
  const host = fakeHost();
  const make = (...members: Authenticator[]) => requestAuthenticator(members, host);
  const tokens = tokenFile('t,jane,1\n')(host);
  const anyone = anonymous()(host);

  it('adds the group, and returns the same object each time', async () => {
    const whole = make(anyone, tokens);
    const first = await whole.authenticate(bearerCredentials('t'));
    expect(first).toMatchObject({ user: { username: 'jane', groups: ['system:authenticated'] } });
    expect(await whole.authenticate(bearerCredentials('t'))).toBe(first);
  });
  it('returns the anonymous user without credentials if that is allowed', async () => {
    expect(await make(anyone, tokens).authenticate(nothing)).toMatchObject({
      user: { username: 'system:anonymous', groups: ['system:unauthenticated'] },
    });
    expect(await make(tokens).authenticate(nothing)).toEqual(skipped);
  });
  it('does not treat an invalid credential as anonymous', async () => {
    expect(await make(anyone, tokens).authenticate(bearerCredentials('bad'))).toMatchObject({
      outcome: 'rejected',
      error: { message: 'invalid bearer token' },
    });
    expect(await make(anyone).authenticate(bearerCredentials('bad'))).toMatchObject({ outcome: 'rejected' });
    expect(await make(anyone, always('x', rejected('bad certificate'))).authenticate(nothing)).toMatchObject({
      outcome: 'rejected',
    });
  });
  it('accepts a valid token besides an invalid certificate, and the other way round', async () => {
    const badCertificate = always('x509', rejected('bad'));
    expect(await make(badCertificate, tokens).authenticate(bearerCredentials('t'))).toMatchObject({
      user: { username: 'jane' },
    });
    expect(await make(tokens, always('x509', known('cert'))).authenticate(bearerCredentials('bad'))).toMatchObject({
      user: { username: 'cert' },
    });
  });
  it('treats a token after two spaces as absent, with a warning', async () => {
    const result = await make(anyone, tokens).authenticate({ headers: headersOf({ authorization: 'Bearer  t' }) });
    expect(result).toMatchObject({
      user: { username: 'system:anonymous' },
      warnings: [expect.stringContaining('extra space')],
    });
  });
  it('answers synchronously if no lookup is needed, so that guessed tokens cost little', () => {
    const accounts = serviceAccountTokens({ issuers: ['https://own'], keys: () => Promise.reject(new Error('asked')) });
    const whole = make(tokens, accounts(host), anyone);
    const elsewhere = `eyJhbGciOiJSUzI1NiJ9.${btoa('{"iss":"https://elsewhere"}')}.AAAA`;
    for (const token of ['guess', 'a.b.c', elsewhere])
      expect(whole.authenticate(bearerCredentials(token)), token).toMatchObject({
        outcome: 'rejected',
        error: { message: 'invalid bearer token' },
      });
    expect(whole.authenticate(nothing)).toMatchObject({ outcome: 'authenticated' });
    expect(whole.authenticate(bearerCredentials('t'))).toMatchObject({ outcome: 'authenticated' });
  });
  it('refuses two authenticators of the same name', () => {
    expect(() => make(tokens, tokens)).toThrow(TypeError);
  });
});

describe.skipIf(!hasSharedData)('shared cases (skipped where the data is absent)', () => {
  interface Table {
    test: string;
    cases: { path: string; desc: string; wantAllowed: boolean }[];
  }
  const tables: Table[] = readShared('data/k8s-tables/auth-token.json', { tables: [] }).tables;
  const cases = tables.find((t) => t.test === 'TestAnonymousRestricted')?.cases ?? [];
  it.each(cases)('anonymous on some paths: $desc', async ({ path, wantAllowed }) => {
    const limited = anonymous({ paths: ['/healthz', '/readyz', '/livez'] })(fakeHost());
    const result = await limited.authenticate({ ...nothing, path: new URL(path).pathname });
    expect(result.outcome).toBe(wantAllowed ? 'authenticated' : 'skipped');
  });
});
