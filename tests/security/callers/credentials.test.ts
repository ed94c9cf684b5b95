import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ApiServer } from '../../../src/api-server.js';
import { anonymous } from '../../../src/authentication/anonymous.js';
import { x509 } from '../../../src/authentication/certificates/x509.js';
import { requestHeader } from '../../../src/authentication/request-header.js';
import { sameSecret } from '../../../src/authentication/tokens/same-secret.js';
import { tokenFile } from '../../../src/authentication/tokens/token-file.js';
import { createCertificateAuthority, issueCertificate, type KeyPair } from '../../../src/pki/certificate-authority.js';
import { decodePem } from '../../../src/pki/pem.js';
import { bootstrapTokens } from '../../../src/plugins/bootstrap-tokens/bootstrap-token.js';
import { rbac } from '../../../src/plugins/rbac/rbac.js';
import { clusterRole, clusterRoleBinding } from '../../../src/resources/rbac/index.js';
import { requestsTo, whoIs } from '../../support/ask.js';
import { startServer } from '../../support/servers.js';

/*
 * attack                                            where it is refused
 * headers of a proxy without its certificate        here (in process), certificates.test.ts (HTTPS), authentication/request-header
 * client certificates: expired, not yet valid,      certificates.test.ts (HTTPS), pki/verify-chain.test.ts (each reason)
 *   self-signed, wrong use, non-CA issuer, path
 *   length, name constraints, other authority
 * groups smuggled by encodings of CN and O          certificates.test.ts
 * groups smuggled by certificate requests           plugins/certificates/certificate-signers.test.ts
 * impersonation of system:masters and others        here, requests/impersonate, requests/upstream-tables
 * token: prefix, case, quotes, time of comparison   here
 * several credentials at once                       here
 * case and look-alikes of users and groups          rbac/escalation.test.ts ("names that try to be others")
 * paths: //, .., %2F, %00                           access/paths.test.ts, server/hostile-input.test.ts (HTTPS)
 * more power by role, binding, aggregation label,   rbac/escalation.test.ts
 *   PUT or apply that creates
 * tokens and requests that were forged              forgery.test.ts
 * floods of headers, slow senders                   connections/slow-clients.test.ts
 */
const ANYBODY = 'system:anonymous';
let server: ApiServer;
const { get, post } = requestsTo(() => server);
let chains: Record<'alice' | 'proxy' | 'stranger', readonly Uint8Array[]>;

async function chainOf(authority: KeyPair, commonName: string): Promise<readonly Uint8Array[]> {
  const { certificate } = await issueCertificate(authority, { commonName, usages: ['clientAuth'] });
  return decodePem(certificate).map(({ bytes }) => bytes);
}

beforeAll(async () => {
  const users = await createCertificateAuthority({ commonName: 'users' });
  const proxies = await createCertificateAuthority({ commonName: 'proxies' });
  const strangers = await createCertificateAuthority({ commonName: 'users' });
  chains = {
    alice: await chainOf(users, 'alice'),
    proxy: await chainOf(proxies, 'proxy'),
    stranger: await chainOf(strangers, 'alice'),
  };
  server = await startServer({
    dialect: 'k8s',
    authentication: [
      requestHeader({
        clientCA: proxies.certificate,
        usernameHeaders: ['X-Remote-User'],
        groupHeaders: ['X-Remote-Group'],
        allowedNames: ['proxy'],
      }),
      x509({ clientCA: users.certificate }),
      tokenFile('secret-of-bob,bob,1\nsecret-of-carol,carol,2\n'),
      bootstrapTokens(),
      anonymous(),
    ],
    authorization: [rbac()],
  });
  const client = server.client();
  // Every user may read his own user info, and carol may impersonate any user, but no group.
  await client.create(clusterRole, {
    metadata: { name: 'who' },
    rules: [
      { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews', 'tokenreviews'] },
    ],
  });
  await client.create(clusterRole, {
    metadata: { name: 'impersonator' },
    rules: [{ verbs: ['impersonate'], apiGroups: [''], resources: ['users'] }],
  });
  const bind = (name: string, subject: { kind: string; name: string }) =>
    client.create(clusterRoleBinding, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ ...subject, apiGroup: 'rbac.authorization.k8s.io' }],
    });
  await bind('who', { kind: 'Group', name: 'system:unauthenticated' });
  await bind('impersonator', { kind: 'User', name: 'carol' });
});
afterAll(() => server.close());

describe('headers of an authenticating proxy', () => {
  const spoofed = { 'X-Remote-User': 'root', 'X-Remote-Group': 'system:masters' };
  it('are ignored from other clients', async () => {
    expect(await whoIs(server, { headers: spoofed })).toBe(ANYBODY);
    expect(await whoIs(server, { headers: spoofed, chain: chains.alice })).toBe('alice');
    expect(await whoIs(server, { headers: spoofed, chain: chains.stranger })).toBe(401);
    expect(await whoIs(server, { headers: { ...spoofed, authorization: 'Bearer secret-of-bob' } })).toBe('bob');
    expect(
      await whoIs(server, { headers: { ...spoofed, authorization: 'Bearer secret-of-bob' }, chain: chains.stranger }),
    ).toBe('bob');
  });
  it('are used from the proxy, whatever else it sends', async () => {
    expect(await whoIs(server, { headers: spoofed, chain: chains.proxy })).toBe('root');
    expect(
      await whoIs(server, { headers: { ...spoofed, authorization: 'Bearer nonsense' }, chain: chains.proxy }),
    ).toBe('root');
  });
  it('must name a user: the certificate of the proxy does not authenticate one', async () => {
    expect(await whoIs(server, { headers: { 'X-Remote-Group': 'system:masters' }, chain: chains.proxy })).toBe(401);
  });
});

describe('several credentials at once', () => {
  it('are decided by the certificate, then the header, then the handshake', async () => {
    const handshake = {
      upgrade: 'websocket',
      connection: 'upgrade',
      'sec-websocket-protocol': `base64url.bearer.authorization.k8s.io.${Buffer.from('secret-of-carol').toString('base64url')}, x`,
    };
    expect(
      await whoIs(server, { headers: { authorization: 'Bearer secret-of-bob', ...handshake }, chain: chains.alice }),
    ).toBe('alice');
    expect(await whoIs(server, { headers: { authorization: 'Bearer secret-of-bob', ...handshake } })).toBe('bob');
    expect(await whoIs(server, { headers: { authorization: 'Bearer nonsense', ...handshake } })).toBe('carol');
    expect(await whoIs(server, { headers: handshake })).toBe('carol');
  });
  it('use only the first header of a name', async () => {
    expect(
      await whoIs(server, { headers: { authorization: ['Bearer secret-of-bob', 'Bearer secret-of-carol'] } }),
    ).toBe('bob');
    expect(await whoIs(server, { headers: { authorization: ['Bearer nonsense', 'Bearer secret-of-carol'] } })).toBe(
      401,
    );
    expect(await whoIs(server, { headers: { authorization: ['Basic x', 'Bearer secret-of-carol'] } })).toBe(ANYBODY);
  });
  it('never become anonymous if one is invalid', async () => {
    expect(await whoIs(server, { headers: { authorization: 'Bearer nonsense' } })).toBe(401);
    expect(await whoIs(server, { chain: chains.stranger })).toBe(401);
    expect(await whoIs(server, { headers: { authorization: 'Bearer nonsense' }, chain: chains.alice })).toBe('alice');
  });
});

describe('a bearer token', () => {
  it.each([
    'secret-of-bo',
    'secret-of-bobb',
    'SECRET-OF-BOB',
    'secret-of-bob,bob',
    '"secret-of-bob"',
    'secret-of-bob\u0000',
    '__proto__',
    'constructor',
    '*',
    '["secret-of-bob","https://k8s.default.svc"]',
  ])('is compared completely: %j', async (token) =>
    expect(await whoIs(server, { headers: { authorization: `Bearer ${token}` } })).toBe(401),
  );
  it.each([
    '',
    ' ',
    'Bearer',
    'Bearer ',
    'Bearer  secret-of-bob',
    'bearer\tsecret-of-bob',
    'Bearer: secret-of-bob',
    'Token secret-of-bob',
    'secret-of-bob',
    'Basic Ym9iOng=',
  ])('is not parsed from %j', async (value) =>
    expect(await whoIs(server, { headers: { authorization: value } })).toBe(ANYBODY),
  );
  it('is not read from the query', async () => {
    expect((await get('/api/v1/namespaces?access_token=secret-of-bob')).message).toContain('system:anonymous');
  });
  it('that a webhook reviewed for other audiences is refused', async () => {
    // The result of a review is cached for some seconds by token and audiences, so no token may imitate the combination of both.
    const review = { spec: { token: 'secret-of-bob', audiences: ['https://k8s.default.svc', 'vault'] } };
    const { value } = await post('/apis/authentication.k8s.io/v1/tokenreviews', review);
    expect(value.status).toMatchObject({ authenticated: true, user: { username: 'bob' } });
    for (const audiences of [review.spec.audiences, ['https://k8s.default.svc']]) {
      const token = JSON.stringify(['secret-of-bob', ...audiences]);
      for (const forged of [token, `a${token}`, `t${token}`])
        expect(await whoIs(server, { headers: { authorization: `Bearer ${forged}` } })).toBe(401);
    }
  });
  it('is compared in full, whatever differs', () => {
    expect(sameSecret('abc', 'abc')).toBe(true);
    for (const other of ['', 'ab', 'abcd', 'abd', 'xbc', 'ABC']) expect(sameSecret('abc', other)).toBe(false);
  });
  it('is compared to its end, wherever it differs', () => {
    // Time is too coarse to measure, so the compared characters are counted.
    const looks = vi.spyOn(String.prototype, 'charCodeAt');
    const counts = ['x123456789', '01234x6789', '012345678x', '0123456789'].map((other) => {
      looks.mockClear();
      sameSecret('0123456789', other);
      return looks.mock.calls.length;
    });
    looks.mockRestore();
    expect(counts).toEqual([20, 20, 20, 20]);
  });
});

describe('impersonation', () => {
  const as = (headers: Readonly<Record<string, string | readonly string[]>>, token = 'secret-of-carol') =>
    whoIs(server, { headers: { authorization: `Bearer ${token}`, ...headers } });

  it('grants what was permitted, and no group with it', async () => {
    expect(await as({ 'Impersonate-User': 'jane' })).toBe('jane');
    expect(await as({ 'Impersonate-User': 'jane', 'Impersonate-Group': 'system:masters' })).toBe(403);
    expect(await as({ 'Impersonate-User': 'jane', 'Impersonate-Group': ['', 'system:masters'] })).toBe(403);
    expect(await as({ 'Impersonate-User': 'jane', 'Impersonate-Uid': '1' })).toBe(403);
    expect(await as({ 'Impersonate-User': 'jane', 'Impersonate-Extra-x': '1' })).toBe(403);
    expect(await as({ 'Impersonate-User': 'system:serviceaccount:kube-system:default' })).toBe(403);
  });
  it('of a privileged name grants no permissions, which belong to groups', async () => {
    const { status, message } = await get('/api/v1/namespaces/kube-system/secrets', {
      headers: { authorization: 'Bearer secret-of-carol', 'Impersonate-User': 'system:apiserver' },
    });
    expect({ status, message }).toMatchObject({
      status: 403,
      message: expect.stringContaining('User "system:apiserver" cannot list resource "secrets"'),
    });
  });
  it('is not allowed for others, nor without credentials', async () => {
    expect(await as({ 'Impersonate-User': 'jane' }, 'secret-of-bob')).toBe(403);
    expect(await whoIs(server, { headers: { 'Impersonate-User': 'jane' } })).toBe(403);
    expect(await as({ 'Impersonate-User': 'carol' }, 'secret-of-bob')).toBe(403);
    expect(await as({ 'Impersonate-User': 'jane' }, 'nonsense')).toBe(401);
  });
  it('is detected in any case of the header names', async () => {
    expect(await as({ 'IMPERSONATE-USER': 'jane' })).toBe('jane');
    expect(await as({ 'impersonate-user': 'jane', 'IMPERSONATE-GROUP': 'system:masters' })).toBe(403);
  });
  it('of the anonymous user does not make it authenticated', async () => {
    const { value } = await post(
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      {},
      { headers: { authorization: 'Bearer secret-of-carol', 'Impersonate-User': ANYBODY } },
    );
    expect(value.status.userInfo).toEqual({ username: ANYBODY, groups: ['system:unauthenticated'] });
  });
});
