import { createHmac, type KeyObject, sign } from 'node:crypto';
import https from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../../src/api-server.js';
import { type Listener, listen } from '../../../src/http/index.js';
import { decodePem, encodePem } from '../../../src/pki/pem.js';
import type { TokenRequest } from '../../../src/resources/authentication/authentication-v1.types.js';
import { certificateSigningRequest } from '../../../src/resources/certificates/index.js';
import { serviceAccount } from '../../../src/resources/core/index.js';
import { createFakeClock } from '../../../src/testing/fake-clock.js';
import { readToken } from '../../../src/tokens/compact-token.js';
import { outcome } from '../../authorization/server.js';
import { makeRequest } from '../../pki/make-request.js';
import { fetchFrom } from '../../support/ask.js';
import { rsaKeys } from '../../support/rsa-keys.js';
import { startServer } from '../../support/servers.js';

/*
 * attack                                               in process                         over HTTPS
 * alg none, HS256 with the public key, wrong kid       server/forged-tokens.test.ts       here
 * two keys with one kid                                server/forged-tokens.test.ts       -
 * JWK, jku, x5c within the token                       server/forged-tokens.test.ts       here
 * expired (past the 60 s of leeway), not before        server/forged-tokens.test.ts       here
 * other issuer, other audience                         server/forged-tokens.test.ts       here
 * claims of another cluster, of the other dialect      here                               here
 * account deleted and made anew                        server/forged-tokens.test.ts       -
 * legacy tokens: account, secret, revocation           plugins/service-accounts/service-account-token.test.ts
 * all JWS vectors of Wycheproof                        tokens/wycheproof.test.ts
 * request (CSR) with a tampered signature or byte      pki/certificate-request.test.ts, here   -
 * PEM with headers, nested, broken blocks              pki/pem.test.ts, here              -
 * chains: CA flags, path lengths, names, time, use     pki/verify-chain.test.ts           certificates.test.ts
 */
const START = Date.parse('2026-11-21T12:00:00Z');
const where = { namespace: 'default' };
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const [own, foreign] = [rsaKeys(), rsaKeys()];
const privatePem = own.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string; // PEM is text
const publicPem = own.publicKey.export({ type: 'spki', format: 'pem' }) as string; // PEM is text

let server: ApiServer;
let listener: Listener;
let token: string;
let header: Readonly<Record<string, unknown>>;
let claims: Readonly<Record<string, unknown>>;

const startSigning = async (dialect: 'k8s' | 'orch', signingKey: string) => {
  const started = await startServer({
    dialect,
    controllers: { mode: 'stepped' },
    clock: createFakeClock(START),
    serviceAccountTokens: { signingKey },
  });
  return started;
};
const tokenOf = async (from: ApiServer, audiences?: unknown) =>
  (
    await from
      .client()
      .createSubresource<TokenRequest>(serviceAccount, 'default', 'token', { spec: { audiences } }, where)
  ).status.token;

beforeAll(async () => {
  server = await startSigning('k8s', privatePem);
  listener = await listen({ handle: (request) => server.handle(request) });
  token = await tokenOf(server);
  const read = readToken(token);
  header = read?.header ?? {};
  claims = read?.claims ?? {};
});
afterAll(async () => {
  await listener?.close();
  await server?.close();
});

/** 403: authenticated, without permissions. 401: not authenticated. */
function overHttps(credential: string): Promise<number> {
  return new Promise((resolve, reject) => {
    https
      .get(
        {
          host: '127.0.0.1',
          port: listener.port,
          ca: listener.certificateAuthority,
          path: '/api/v1/namespaces/default/secrets',
          headers: { authorization: `Bearer ${credential}` },
          agent: false,
        },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      )
      .on('error', reject);
  });
}
const inProcess = async (credential: string) =>
  (
    await fetchFrom(server, '/api/v1/namespaces/default/secrets', {
      headers: { authorization: `Bearer ${credential}` },
    })
  ).status;

function forge(key: KeyObject, changes: object = {}, headerChanges: object = {}): string {
  const input = `${encode({ ...header, ...headerChanges })}.${encode({ ...claims, ...changes })}`;
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`;
}

const now = START / 1000;
const forgeries: readonly (readonly [string, () => string | Promise<string>])[] = [
  ['they have no signature and alg none', () => `${encode({ ...header, alg: 'none' })}.${token.split('.')[1]}.`],
  [
    'they have the old signature and alg none',
    () => `${encode({ ...header, alg: 'none' })}.${token.split('.').slice(1).join('.')}`,
  ],
  [
    'they are signed by HS256 with the public key',
    () => {
      const input = `${encode({ ...header, alg: 'HS256' })}.${token.split('.')[1]}`;
      return `${input}.${createHmac('sha256', publicPem).update(input).digest('base64url')}`;
    },
  ],
  ['another key signed them', () => forge(foreign.privateKey)],
  ['another key signed them without a kid', () => forge(foreign.privateKey, {}, { kid: undefined })],
  ['their kid is wrong', () => forge(own.privateKey, {}, { kid: 'other' })],
  [
    'their header contains the key',
    () => forge(foreign.privateKey, {}, { jwk: foreign.publicKey.export({ format: 'jwk' }) }),
  ],
  [
    'their header contains a URL of keys',
    () => forge(foreign.privateKey, {}, { jku: 'https://127.0.0.1/jwks', kid: 'x' }),
  ],
  ['they expired a second more than the leeway ago', () => forge(own.privateKey, { exp: now - 61 })],
  ['they are valid from a second more than the leeway on', () => forge(own.privateKey, { nbf: now + 61 })],
  ['they were issued in the future', () => forge(own.privateKey, { iat: now + 61 })],
  ['they have no expiry', () => forge(own.privateKey, { exp: undefined, iss: 'https://other' })],
  ['they have another issuer', () => forge(own.privateKey, { iss: 'https://other' })],
  ['they have another audience', () => forge(own.privateKey, { aud: ['vault'] })],
  [
    'they have the claims of the other dialect',
    () => forge(own.privateKey, { 'kubernetes.io': undefined, 'orch.io': claims['kubernetes.io'] }),
  ],
  [
    'their subject is another account',
    () => forge(own.privateKey, { sub: 'system:serviceaccount:kube-system:default', 'kubernetes.io': undefined }),
  ],
  [
    'another cluster with the same issuer issued them',
    async () => {
      await using other = await startSigning(
        'k8s',
        foreign.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
      ); // PEM is text
      return await tokenOf(other);
    },
  ],
  [
    'another cluster with the same key issued them for another uid',
    async () => {
      await using other = await startSigning('k8s', privatePem);
      return await tokenOf(other);
    },
  ],
  [
    'a server of the other dialect with the same key issued them',
    async () => {
      await using other = await startSigning('orch', privatePem);
      return await tokenOf(other, claims['aud']);
    },
  ],
];

describe('tokens', () => {
  it('are accepted as they were issued', async () => {
    expect([await overHttps(token), await inProcess(token)]).toEqual([403, 403]);
    expect(await overHttps(forge(own.privateKey, { exp: now - 59 }))).toBe(403);
  });
  it.each(forgeries)('are refused in process and over HTTPS if %s', async (_, make) => {
    const forged = await make();
    expect([await inProcess(forged), await overHttps(forged)]).toEqual([401, 401]);
  });
  it('with a changed end of the signature are refused', async () => {
    // Four bits of the last letter are unused; letters that differ only in these are the same signature.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const bits = (letter: string) => alphabet.indexOf(letter) >> 4;
    const last = token.at(-1) ?? '';
    for (const letter of `${alphabet}=.+/ `)
      if (bits(letter) !== bits(last)) expect(await inProcess(token.slice(0, -1) + letter), letter).toBe(401);
  });
});

describe('certificate requests', () => {
  let good: string;
  let der: Uint8Array;
  beforeAll(async () => {
    good = (await makeRequest({ commonName: 'jane', organizations: ['ops'] })).pem;
    der = decodePem(good)[0]?.bytes ?? new Uint8Array();
  });
  const submit = (pem: string) =>
    outcome(
      server.client().create(certificateSigningRequest, {
        metadata: { generateName: 'r-' },
        spec: {
          request: Buffer.from(pem).toString('base64'),
          signerName: 'kubernetes.io/kube-apiserver-client',
          usages: ['client auth'],
        },
      }),
    );
  const changed = (at: number) => encodePem('CERTIFICATE REQUEST', der.with(at, (der.at(at) ?? 0) ^ 1));

  it('are accepted as they were signed', async () => expect(await submit(good)).toMatchObject({ code: 200 }));

  const bad: readonly (readonly [string, () => string])[] = [
    ['a changed signature', () => changed(der.length - 1)],
    ['another name under the signature', () => encodePem('CERTIFICATE REQUEST', replaced(der, 'jane', 'root'))],
    ['another group under the signature', () => encodePem('CERTIFICATE REQUEST', replaced(der, 'ops', 'adm'))],
    ['bytes after it', () => encodePem('CERTIFICATE REQUEST', Uint8Array.from([...der, 0]))],
    ['half of its bytes', () => encodePem('CERTIFICATE REQUEST', der.subarray(0, der.length / 2))],
    ['another label', () => encodePem('CERTIFICATE', der)],
    ['another PEM block before it', () => encodePem('PUBLIC KEY', Uint8Array.of(1)) + good],
    ['no end', () => good.slice(0, good.indexOf('-----END'))],
    ['DER without PEM', () => Buffer.from(der).toString('latin1')],
    ['nothing', () => ''],
  ];
  it.each(bad)('are refused with %s', async (_, make) => expect(await submit(make())).toMatchObject({ code: 422 }));
  it('are found where a block is begun twice: the complete one is used, as by other parsers', async () => {
    const nested = good.replace(/\n/, `\n${good}`).replace(/-----END.*\n$/, '');
    expect(await submit(nested)).toMatchObject({ code: 200 });
  });
});

function replaced(der: Uint8Array, from: string, to: string): Uint8Array {
  const text = Buffer.from(der).toString('latin1');
  expect(text).toContain(from);
  return Uint8Array.from(Buffer.from(text.replace(from, to), 'latin1'));
}
