import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../src/api-server.js';
import type { ApiServerOptions } from '../../src/api-server-options.js';
import type { ApiError } from '../../src/meta/api-error.js';
import type { TokenRequest } from '../../src/resources/authentication/authentication-v1.types.js';
import { configMap, node, pod, secret, serviceAccount } from '../../src/resources/core/index.js';
import { createFakeClock, type FakeClock } from '../../src/testing/fake-clock.js';
import { readToken } from '../../src/tokens/compact-token.js';
import { fetchFrom, send } from '../support/ask.js';
import { startServer } from '../support/servers.js';

const where = { namespace: 'default' };
const NOW = Date.parse('2026-11-21T12:00:00Z') / 1000;

let clock: FakeClock;
let server: ApiServer;
const start = async (options: ApiServerOptions) => {
  clock = createFakeClock(NOW * 1000);
  server = await startServer({ controllers: { mode: 'stepped' }, clock, ...options });
  await server.client().create(serviceAccount, { metadata: { name: 'app' } }, where);
};
afterEach(() => server.close());

const requestToken = (spec: object, name = 'app', more: object = {}) =>
  server.client().createSubresource<TokenRequest>(serviceAccount, name, 'token', { spec, ...more }, where);
const refused = (spec: object, name = 'app', more: object = {}) =>
  requestToken(spec, name, more).then(
    () => 'answered',
    ({ code, message }: ApiError) => `${code} ${message}`,
  );
const claimsOf = ({ status }: TokenRequest) => readToken(status.token)?.claims ?? {};
const makePod = (name: string, nodeName?: string) =>
  server.client().create(
    pod,
    {
      metadata: { name },
      spec: {
        serviceAccountName: 'app',
        containers: [{ name: 'c', image: 'i' }],
        ...(nodeName === undefined ? {} : { nodeName }),
      },
    } as never, // Defaults set the other fields.
    where,
  );

describe('a ServiceAccount token in the k8s dialect', () => {
  beforeEach(() => start({ dialect: 'k8s' }));

  it('has a subject, a beginning and an end', async () => {
    const account = await server.client().get(serviceAccount, 'app', where);
    const answer = await requestToken({ expirationSeconds: 700 });
    expect(answer).toMatchObject({
      kind: 'TokenRequest',
      metadata: { name: 'app', namespace: 'default', creationTimestamp: '2026-11-21T12:00:00Z' },
      spec: { audiences: ['https://k8s.default.svc'], expirationSeconds: 700, boundObjectRef: null },
      status: { expirationTimestamp: '2026-11-21T12:11:40Z' },
    });
    expect(answer.metadata.managedFields).toMatchObject([
      { operation: 'Update', subresource: 'token', fieldsV1: { 'f:spec': { 'f:expirationSeconds': {} } } },
    ]);
    const claims = claimsOf(answer);
    expect(Object.keys(claims)).toEqual(['aud', 'exp', 'iat', 'iss', 'jti', 'kubernetes.io', 'nbf', 'sub']);
    expect(claims).toMatchObject({
      aud: ['https://k8s.default.svc'],
      exp: NOW + 700,
      iat: NOW,
      nbf: NOW,
      iss: 'https://k8s.default.svc',
      sub: 'system:serviceaccount:default:app',
      'kubernetes.io': { namespace: 'default', serviceaccount: { name: 'app', uid: account.metadata.uid } },
    });
    expect(readToken(answer.status.token)?.header).toEqual({ alg: 'ES256', kid: expect.stringMatching(/^[\w-]{43}$/) });
  });
  it.each([
    [599, 'Invalid value: 599: may not specify a duration less than 10 minutes'],
    [2 ** 32 + 1, 'Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds'],
  ])('cannot live for %d seconds', async (expirationSeconds, why) => {
    expect(await refused({ expirationSeconds })).toBe(
      `422 TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: ${why}`,
    );
  });
  it('cannot be requested for another name, another namespace, or no account', async () => {
    expect(await refused({}, 'app', { metadata: { name: 'x' } })).toContain(
      '"app" is invalid: metadata.name: Invalid value: "x": must match the service account name if specified',
    );
    expect(await refused({}, 'app', { metadata: { namespace: 'x' } })).toContain(
      '400 the namespace of the provided object does not match',
    );
    expect(await refused({ expirationSeconds: 1 }, 'nobody')).toBe('404 serviceaccounts "nobody" not found');
  });

  it('can be bound to a pod, a secret, or a node', async () => {
    const client = server.client();
    const made = await makePod('p');
    const { metadata } = await client.create(secret, { metadata: { name: 's' } }, where);
    const machine = await client.create(node, { metadata: { name: 'n' } } as never);
    const bound = async (kind: string, name: string, uid?: string) =>
      claimsOf(
        await requestToken({ boundObjectRef: { apiVersion: 'v1', kind, name, ...(uid === undefined ? {} : { uid }) } }),
      )['kubernetes.io'];
    expect(await bound('Pod', 'p')).toMatchObject({ pod: { name: 'p', uid: made.metadata.uid } });
    expect(await bound('Secret', 's', metadata.uid)).toMatchObject({ secret: { name: 's', uid: metadata.uid } });
    expect(await bound('Node', 'n')).toMatchObject({ node: { name: 'n', uid: machine.metadata.uid } });
    await makePod('placed', 'n');
    expect(await bound('Pod', 'placed')).toMatchObject({ node: { name: 'n', uid: machine.metadata.uid } });
    await makePod('lost', 'gone');
    expect(await bound('Pod', 'lost')).toMatchObject({ node: { name: 'gone' } });
  });
  it.each([
    [
      { kind: 'Pod', name: 'p', uid: 'x' },
      '409 Operation cannot be fulfilled on Pod "p": the UID in the bound object reference (x) does not match the UID in record. The object might have been deleted and then recreated',
    ],
    [{ kind: 'Pod', name: 'none' }, '404 pods "none" not found'],
    [{ kind: 'Pod' }, '400 Name parameter required.'],
    [{ kind: 'Pod', apiVersion: 'apps/v1', name: 'p' }, '400 cannot bind token to object of type apps/v1, Kind=Pod'],
    [{ kind: 'ConfigMap', apiVersion: 'v1', name: 'm' }, '400 cannot bind token to object of type /v1, Kind=ConfigMap'],
    [{ kind: 'constructor', name: 'm' }, '400 cannot bind token to object of type /, Kind=constructor'],
    [{}, '400 cannot bind token to object of type /, Kind='],
  ])('cannot be bound to %o', async (boundObjectRef, answer) => {
    await makePod('p');
    await server.client().create(configMap, { metadata: { name: 'm' } }, where);
    expect(await refused({ boundObjectRef })).toBe(answer);
  });
  it('in a pod lives for a year, and records when it should be refreshed', async () => {
    await makePod('p');
    const boundObjectRef = { kind: 'Pod', name: 'p' };
    const answer = await requestToken({ boundObjectRef, expirationSeconds: 3607 });
    expect(claimsOf(answer)).toMatchObject({ exp: NOW + 31_536_000, 'kubernetes.io': { warnafter: NOW + 3607 } });
    expect(answer).toMatchObject({
      spec: { expirationSeconds: 3607 },
      status: { expirationTimestamp: '2026-11-21T13:00:07Z' },
    });
    expect(claimsOf(await requestToken({ boundObjectRef, expirationSeconds: 3607, audiences: ['else'] }))['exp']).toBe(
      NOW + 3607,
    );
    expect(claimsOf(await requestToken({ expirationSeconds: 3607 }))['exp']).toBe(NOW + 3607);
  });
});

describe('options of the server', () => {
  it('shorten the lifetime of tokens, with a warning', async () => {
    await start({
      dialect: 'k8s',
      serviceAccountTokens: {
        maxExpirationSeconds: 3600,
        extendExpiration: false,
        issuers: ['https://a', 'https://b'],
        apiAudiences: ['api'],
      },
    });
    await makePod('p');
    const answer = await fetchFrom(server, '/api/v1/namespaces/default/serviceaccounts/app/token', {
      method: 'POST',
      headers: { authorization: `Bearer ${(await requestToken({})).status.token}` },
      body: '{}',
    });
    expect(answer.status).toBe(403); // The user is authenticated, but may not create tokens.
    const short = await requestToken({ expirationSeconds: 7200, boundObjectRef: { kind: 'Pod', name: 'p' } });
    expect(short.spec.expirationSeconds).toBe(3600);
    expect(claimsOf(short)).toMatchObject({ exp: NOW + 3600, iss: 'https://a', aud: ['api'] });
  });
});

describe('a ServiceAccount token in the orch dialect', () => {
  beforeEach(() => start({ dialect: 'orch' }));
  it('requires audiences', async () => {
    expect(await refused({})).toBe(
      '422 TokenRequest.authentication.orch.io "" is invalid: spec.audiences: Required value',
    );
    expect(await refused({ audiences: [], expirationSeconds: 5 })).toContain(
      '[spec.audiences: Required value, spec.expirationSeconds: Invalid value: 5',
    );
  });
  it('has claims in its own domain', async () => {
    expect(claimsOf(await requestToken({ audiences: ['a'] }))).toMatchObject({
      aud: ['a'],
      'orch.io': { serviceaccount: { name: 'app' } },
    });
  });
  it('cannot be bound to nodes', async () => {
    await server.client().create(node, { metadata: { name: 'n' } } as never);
    expect(await refused({ audiences: ['a'], boundObjectRef: { apiVersion: 'v1', kind: 'Node', name: 'n' } })).toBe(
      '400 cannot bind token to object of type /v1, Kind=Node',
    );
  });
});

describe('the discovery documents of the issuer', () => {
  it("are not served if no client could find them by the issuer's name", async () => {
    await start({ dialect: 'k8s', serviceAccountTokens: { issuers: ['http://plain'] }, authentication: [] });
    expect((await send(server, { path: '/openid/v1/jwks' })).status).toBe(401); // The request has no particular user.
    const token = (await requestToken({})).status.token;
    const answer = await fetchFrom(server, '/openid/v1/jwks', { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(404);
  });
  it.each([
    ['https://issuer.example', 200],
    ['HTTPS://issuer.example', 200],
    ['https://192.0.2.1:80', 200],
    ['https://issuer.example?', 200],
    ['https://issuer.example?a=b', 404],
    ['https://issuer.example#a', 404],
    ['issuer.example', 404],
    ['issuer', 404],
  ])('of the issuer %s are served with status %i', async (name, status) => {
    await start({ dialect: 'k8s', serviceAccountTokens: { issuers: [name] } });
    const headers = { authorization: `Bearer ${(await requestToken({})).status.token}` };
    for (const path of ['/.well-known/openid-configuration', '/openid/v1/jwks'])
      expect((await fetchFrom(server, path, { headers })).status).toBe(status);
  });
  it('publish the keys to ServiceAccounts', async () => {
    await start({ dialect: 'k8s' });
    const token = (await requestToken({})).status.token;
    const headers = { authorization: `Bearer ${token}` };
    const metadata = await fetchFrom(server, '/.well-known/openid-configuration', { headers });
    expect(metadata.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(await metadata.json()).toMatchObject({
      issuer: 'https://k8s.default.svc',
      id_token_signing_alg_values_supported: ['ES256'],
    });
    const { keys } = (await (await fetchFrom(server, '/openid/v1/jwks', { headers })).json()) as {
      keys: object[];
    };
    expect(keys).toMatchObject([
      { use: 'sig', kty: 'EC', kid: readToken(token)?.header['kid'], crv: 'P-256', alg: 'ES256' },
    ]);
    expect(keys[0]).not.toHaveProperty('d');
  });
});
