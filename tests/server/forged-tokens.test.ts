import { createHmac, type KeyObject, sign } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../src/api-server.js';
import type { TokenRequest } from '../../src/resources/authentication/authentication-v1.types.js';
import { serviceAccount } from '../../src/resources/core/index.js';
import { createFakeClock, type FakeClock } from '../../src/testing/fake-clock.js';
import { readToken } from '../../src/tokens/compact-token.js';
import { loadKeys, type TokenKey } from '../../src/tokens/token-key.js';
import { fetchFrom } from '../support/ask.js';
import { rsaKeys } from '../support/rsa-keys.js';
import { startServer } from '../support/servers.js';
import { verifyToken } from '../tokens/verify-token.js';

const where = { namespace: 'default' };
const START = Date.parse('2026-11-21T12:00:00Z');
const MINUTE = 60_000;

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const pem = (key: KeyObject, type: 'pkcs8' | 'spki') =>
  key.export({ type, format: 'pem' } as never) as unknown as string;
const [own, second, foreign] = [rsaKeys(), rsaKeys(), rsaKeys()];

let clock: FakeClock;
let server: ApiServer;
let token: string;
let header: Record<string, unknown>;
let claims: Record<string, unknown>;
beforeEach(async () => {
  clock = createFakeClock(START);
  const serviceAccountTokens = {
    signingKey: pem(own.privateKey, 'pkcs8'),
    keys: [pem(second.publicKey, 'spki'), pem(own.publicKey, 'spki')],
  };
  server = await startServer({ dialect: 'k8s', controllers: { mode: 'stepped' }, clock, serviceAccountTokens });
  token = await newToken('default');
  const read = readToken(token);
  header = { ...read?.header };
  claims = { ...read?.claims };
});
afterEach(() => server.close());

async function newToken(name: string, spec: object = {}): Promise<string> {
  return (await server.client().createSubresource<TokenRequest>(serviceAccount, name, 'token', { spec }, where)).status
    .token;
}
/** Returns the status of a request: 403 if the token is accepted (its user has no permissions), 401 if it is not. */
async function status(credential: string): Promise<number> {
  const headers = { authorization: `Bearer ${credential}` };
  return (await fetchFrom(server, '/api/v1/namespaces/default/secrets', { headers })).status;
}
/** Signs a token with RSA and SHA-256, with changed claims and header members. */
function forge(key: KeyObject, changes: object = {}, headerChanges: object = {}): string {
  const input = `${encode({ ...header, ...headerChanges })}.${encode({ ...claims, ...changes })}`;
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`;
}

it('accepts its own token, and the same one signed by anyone with the key', async () => {
  expect(await status(token)).toBe(403);
  expect(await status(forge(own.privateKey))).toBe(403);
  expect(await status(forge(own.privateKey, { iss: 'https://k8s.default.svc' }, { kid: undefined }))).toBe(403);
});

describe('refuses', () => {
  it('a token without a signature', async () => {
    const [, payload] = token.split('.');
    for (const alg of ['none', 'None', 'NONE', '']) {
      expect(await status(`${encode({ ...header, alg })}.${payload}.`)).toBe(401);
      expect(await status(`${encode({ alg })}.${payload}.`)).toBe(401);
    }
    expect(await status(`${token.slice(0, token.lastIndexOf('.'))}.`)).toBe(401);
    expect(await status(token.slice(0, token.lastIndexOf('.')))).toBe(401);
  });
  it('a token signed with the public key as if it were a secret', async () => {
    const [, payload] = token.split('.');
    const der = own.publicKey.export({ type: 'spki', format: 'der' });
    for (const secret of [pem(own.publicKey, 'spki'), pem(own.publicKey, 'spki').trim(), der]) {
      const input = `${encode({ ...header, alg: 'HS256' })}.${payload}`;
      expect(await status(`${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`)).toBe(401);
    }
  });
  it('a token of another key, under any key id', async () => {
    expect(await status(forge(foreign.privateKey))).toBe(401);
    expect(await status(forge(foreign.privateKey, {}, { kid: undefined }))).toBe(401);
    expect(await status(forge(foreign.privateKey, {}, { kid: 'made-up' }))).toBe(401);
    expect(await status(forge(own.privateKey, {}, { kid: 'made-up' }))).toBe(401);
    expect(await status(forge(own.privateKey, {}, { kid: ['x'] }))).toBe(401);
    expect(await status(forge(second.privateKey))).toBe(401); // a trusted key under the kid of another one
  });
  it('a token that contains its key', async () => {
    const jwk = foreign.publicKey.export({ format: 'jwk' });
    for (const members of [{ jwk }, { jwk, kid: undefined }, { jku: 'https://evil/jwks' }, { x5c: ['MIIB'] }])
      expect(await status(forge(foreign.privateKey, {}, members))).toBe(401);
  });
  it('a token with unknown critical header members', async () => {
    expect(await status(forge(own.privateKey, {}, { crit: ['exp2'], exp2: 1 }))).toBe(401);
  });
  it('a token before its validity and after it, except for a minute', async () => {
    const now = START / 1000;
    expect(await status(forge(own.privateKey, { exp: now - 59 }))).toBe(403);
    expect(await status(forge(own.privateKey, { exp: now - 61 }))).toBe(401);
    expect(await status(forge(own.privateKey, { nbf: now + 59 }))).toBe(403);
    expect(await status(forge(own.privateKey, { nbf: now + 61 }))).toBe(401);
    expect(await status(forge(own.privateKey, { iat: now + 61 }))).toBe(401);
    clock.advance(61 * MINUTE + 1000);
    expect(await status(token)).toBe(401);
  });
  it('a token of another issuer or audience', async () => {
    expect(await status(forge(own.privateKey, { iss: 'https://other' }))).toBe(401);
    expect(await status(forge(own.privateKey, { iss: undefined }))).toBe(401);
    expect(await status(await newToken('default', { audiences: ['vault'] }))).toBe(401);
  });
  it('a token with wrong claims about the account', async () => {
    const account = { namespace: 'default', serviceaccount: { name: 'default', uid: 'other' } };
    expect(await status(forge(own.privateKey, { 'kubernetes.io': account }))).toBe(401);
    expect(await status(forge(own.privateKey, { 'kubernetes.io': undefined }))).toBe(401);
    expect(await status(forge(own.privateKey, { sub: 'system:serviceaccount:kube-system:default' }))).not.toBe(200);
  });
  it('a token of an account that was deleted, even if it was created again', async () => {
    const client = server.client();
    await client.create(serviceAccount, { metadata: { name: 'app' } }, where);
    const old = await newToken('app');
    expect(await status(old)).toBe(403);
    await client.delete(serviceAccount, 'app', where);
    clock.advance(11_000);
    expect(await status(old)).toBe(401);
    await client.create(serviceAccount, { metadata: { name: 'app' } }, where);
    expect(await status(old)).toBe(401);
    expect(await status(await newToken('app'))).toBe(403);
  });
  it('a value that is not a token', async () => {
    for (const text of [
      'a',
      'a.b',
      'a.b.c',
      '....',
      token.replaceAll('.', '..'),
      `${token}x`,
      token.split('').reverse().join(''),
    ])
      expect(await status(text)).toBe(401);
  });
});

it('tries every key with the key id, so that a key can replace another', async () => {
  const keys = await Promise.all(
    [foreign, own].map(
      async ({ publicKey }) => ({ ...(await loadKeys(pem(publicKey, 'spki')))[0], kid: 'same' }) as TokenKey,
    ),
  );
  expect(await verifyToken(forge(own.privateKey, {}, { kid: 'same' }), keys)).toMatchObject({ iss: claims['iss'] });
  expect(await verifyToken(forge(foreign.privateKey, {}, { kid: 'same' }), keys)).toMatchObject({ iss: claims['iss'] });
  await expect(verifyToken(forge(second.privateKey, {}, { kid: 'same' }), keys)).rejects.toThrow(
    'error in cryptographic primitive',
  );
});

it.each([2 ** 63, 1e300, 2 ** 63 - 2 ** 33])(
  'refuses a token whose expiry is no valid time upstream: %d',
  async (exp) => {
    expect(await status(forge(own.privateKey, { exp }))).toBe(401);
  },
);

it('accepts a token with the last valid expiry', async () => {
  expect(await status(forge(own.privateKey, { exp: 2 ** 62 }))).toBe(403);
});
