import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../../src/api-server.js';
import { tokenFile } from '../../../src/authentication/tokens/token-file.js';
import { createFakeClock, type FakeClock } from '../../../src/testing/fake-clock.js';
import { ask, requestsTo } from '../../support/ask.js';
import { startServer } from '../../support/servers.js';

// Tokens of ServiceAccounts and reviews, as clients of `orch` see them (spec 11.23, 11.24, 14.2 to 14.8, 19.13, 19.14).
const GROUP = '/apis/authentication.orch.io/v1';
const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const ISSUER = 'https://orch.default.svc';
const ADMIN = { username: 'admin', groups: ['system:masters'] };

let server: ApiServer;
const { get, post, remove } = requestsTo(() => server, { user: ADMIN });
let clock: FakeClock;
beforeAll(async () => {
  clock = createFakeClock('2030-01-01T00:00:00Z');
  server = await startServer({ dialect: 'orch', clock, authentication: [tokenFile('janes,jane,u-1,"devs"')] });
  await post(ACCOUNTS, { metadata: { name: 'app' } });
});
afterAll(() => server.close());

const request = (spec: object, query = '') => post(`${ACCOUNTS}/app/token?${query}`, { spec });
const review = async (spec: object) => (await post(`${GROUP}/tokenreviews`, { spec })).value.status;
const tokenFor = async (spec: object): Promise<string> => (await request(spec)).value.status.token;
const self = (headers: Record<string, string>, body: object = {}) =>
  ask(server, { method: 'POST', path: `${GROUP}/selfsubjectreviews`, headers, body });

describe('a token request', () => {
  it('has a token and its expiration in the response', async () => {
    const { status, value } = await request({ audiences: ['vault', ISSUER], expirationSeconds: 600 });
    expect([status, value]).toMatchObject([
      201,
      {
        apiVersion: 'authentication.orch.io/v1',
        kind: 'TokenRequest',
        spec: { audiences: ['vault', ISSUER], expirationSeconds: 600, boundObjectRef: null },
        status: {
          expirationTimestamp: '2030-01-01T00:10:00Z',
          token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        },
      },
    ]);
    for (const audiences of [['vault'], ['vault', 'other'], undefined])
      expect((await review({ token: value.status.token, audiences })).authenticated).toBe(true);
  });

  it('names audiences, one of which the recipient must have', async () => {
    expect((await request({})).message).toContain('spec.audiences: Required value');
    const token = await tokenFor({ audiences: ['vault'] });
    expect(await review({ token, audiences: ['other'] })).toMatchObject({ error: expect.stringContaining('audience') });
    // The server is not one of its audiences.
    expect((await self({ authorization: `Bearer ${token}` })).status).toBe(401);
    expect((await review({ token, audiences: ['vault'] })).audiences).toEqual(['vault']);
  });

  it.each(['Pod', 'Secret'])('bound to a %s is valid as long as that exists', async (kind) => {
    const path = `/api/v1/namespaces/default/${kind.toLowerCase()}s`;
    const metadata = { name: `bound-${kind.toLowerCase()}` };
    const spec = { serviceAccountName: 'app', containers: [{ name: 'c', image: 'i' }] };
    const made = await post(path, kind === 'Pod' ? { metadata, spec } : { metadata });
    const boundObjectRef = { apiVersion: 'v1', kind, name: metadata.name, uid: made.value.metadata.uid };
    const token = await tokenFor({ audiences: [ISSUER], boundObjectRef });
    expect((await review({ token })).authenticated).toBe(true);
    const grace = kind === 'Pod' ? { gracePeriodSeconds: 0 } : {};
    await remove(`${path}/${metadata.name}`, grace);
    expect((await review({ token })).authenticated).toBeUndefined();
    const other = { ...boundObjectRef, uid: 'other' };
    await post(path, kind === 'Pod' ? { metadata, spec } : { metadata });
    expect((await request({ audiences: [ISSUER], boundObjectRef: other })).status).toBe(409);
  });

  it('cannot be bound to a Node or a ConfigMap', async () => {
    for (const kind of ['Node', 'ConfigMap']) {
      const boundObjectRef = { apiVersion: 'v1', kind, name: 'n' };
      const { status, message } = await request({ audiences: [ISSUER], boundObjectRef });
      expect([status, message]).toEqual([400, `cannot bind token to object of type /v1, Kind=${kind}`]);
    }
  });

  it('fails for an absent account, and stores nothing in a dry run', async () => {
    expect((await post(`${ACCOUNTS}/none/token`, { spec: { audiences: ['a'] } })).status).toBe(404);
    expect(
      (await request({ audiences: ['a'] }, 'dryRun=All&pretty=true&fieldManager=m&fieldValidation=Strict')).status,
    ).toBe(201);
    expect(
      (await post(`${ACCOUNTS}/app/token?fieldValidation=Strict`, { spec: { audiences: ['a'], a: 1 } })).status,
    ).toBe(400);
  });

  it('has an atomic list of audiences', async () => {
    const schemas = async (path: string) => (await get(`/openapi/v3/${path}`)).value.components.schemas;
    const request = await schemas('api/v1');
    expect(request['io.orch.api.authentication.v1.TokenRequestSpec'].properties.audiences['x-orch-list-type']).toBe(
      'atomic',
    );
    const reviews = await schemas('apis/authentication.orch.io/v1');
    for (const [name, field] of [
      ['TokenReviewSpec', 'audiences'],
      ['TokenReviewStatus', 'audiences'],
      ['UserInfo', 'groups'],
    ] as const)
      expect(reviews[`io.orch.api.authentication.v1.${name}`].properties[field]['x-orch-list-type']).toBe('atomic');
  });
});

describe('a token review', () => {
  const user = { username: 'jane', uid: 'u-1', groups: ['devs', 'system:authenticated'] };

  it('returns the user of the token, with the audiences of the server by default', async () => {
    const { status, value } = await post(`${GROUP}/tokenreviews`, { spec: { token: 'janes' } });
    expect([status, value]).toMatchObject([
      201,
      { apiVersion: 'authentication.orch.io/v1', kind: 'TokenReview', spec: { token: 'janes' } },
    ]);
    expect(value.status).toEqual({ authenticated: true, user, audiences: [ISSUER] });
  });

  it('returns the audiences that both the review and the token name', async () => {
    const token = await tokenFor({ audiences: ['a', 'b', 'c'] });
    expect((await review({ token, audiences: ['x', 'c', 'b'] })).audiences?.sort()).toEqual(['b', 'c']);
    expect((await review({ token: 'janes', audiences: ['x', ISSUER] })).audiences).toEqual([ISSUER]);
  });

  it('reports why a token is invalid', async () => {
    expect(await review({ token: 'none' })).toEqual({ user: {}, error: 'invalid bearer token' });
    expect((await post(`${GROUP}/tokenreviews`, { spec: {} })).status).toBe(400);
  });

  it('returns a uid that no other account of that name has, and the extra of the authenticator', async () => {
    await post(ACCOUNTS, { metadata: { name: 'again' } });
    const found = async () => {
      const { value } = await post(`${ACCOUNTS}/again/token`, { spec: { audiences: [ISSUER] } });
      return (await review({ token: value.status.token })).user;
    };
    const first = await found();
    expect(first).toMatchObject({
      username: 'system:serviceaccount:default:again',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
      extra: { 'authentication.orch.io/credential-id': [expect.stringMatching(/^JTI=/)] },
    });
    await remove(`${ACCOUNTS}/again`);
    await post(ACCOUNTS, { metadata: { name: 'again' } });
    const second = await found();
    expect(second.username).toBe(first.username);
    expect(second.uid).not.toBe(first.uid);
  });
});

describe('a self subject review', () => {
  it('returns the authenticated user, whatever is sent', async () => {
    const lies = { status: { userInfo: { username: 'root' } } };
    const { status, value } = await self({ authorization: 'Bearer janes' }, lies);
    expect([status, value]).toEqual([
      201,
      {
        apiVersion: 'authentication.orch.io/v1',
        kind: 'SelfSubjectReview',
        metadata: { creationTimestamp: '2030-01-01T00:00:00Z' },
        status: { userInfo: { username: 'jane', uid: 'u-1', groups: ['devs', 'system:authenticated'] } },
      },
    ]);
  });

  it('returns the impersonated user, with lower-case keys', async () => {
    const headers = { 'impersonate-user': 'joe', 'impersonate-uid': 'u-2', 'Impersonate-Extra-Acme.com%2FTeam': 'A' };
    const { value } = await post(`${GROUP}/selfsubjectreviews`, {}, { headers });
    expect(value.status.userInfo).toEqual({
      username: 'joe',
      uid: 'u-2',
      groups: ['system:authenticated'],
      extra: { 'acme.com/team': ['A'] },
    });
  });

  it('is allowed for authenticated users only', async () => {
    expect((await self({ authorization: 'Bearer none' })).status).toBe(401);
    expect((await self({})).status).not.toBe(201);
  });
});

it('reviews and token requests are not stored, and cannot be listed or watched', async () => {
  for (const path of [`${GROUP}/tokenreviews`, `${GROUP}/selfsubjectreviews`, `${ACCOUNTS}/app/token`])
    expect((await get(`${path}?watch=true`)).status).toBe(405);
});
