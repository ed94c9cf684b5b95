import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../src/api-server.js';
import { anonymous } from '../../src/authentication/anonymous.js';
import { x509 } from '../../src/authentication/certificates/x509.js';
import { requestHeader } from '../../src/authentication/request-header.js';
import { tokenFile } from '../../src/authentication/tokens/token-file.js';
import { createCertificateAuthority, issueCertificate, type KeyPair } from '../../src/pki/certificate-authority.js';
import { decodePem } from '../../src/pki/pem.js';
import { bootstrapTokens } from '../../src/plugins/bootstrap-tokens/bootstrap-token.js';
import { createFakeClock } from '../../src/testing/fake-clock.js';
import { ask, type Question, requestsTo } from '../support/ask.js';
import { startServer } from '../support/servers.js';

// The users that a server of `orch` authenticates with all methods enabled at once (spec 11.1 to 11.12, 11.19 to 11.21).
const NOW = '2030-01-01T00:00:00Z';
const WHO = '/apis/authentication.orch.io/v1/selfsubjectreviews';
const ADMIN = { username: 'admin', groups: ['system:masters'] };
const SECRET = '0123456789abcdef';
let server: ApiServer;
const { post } = requestsTo(() => server, { user: ADMIN });
let clients: KeyPair;
let proxies: KeyPair;
const chainOf = (pem: string) => decodePem(pem).map(({ bytes }) => bytes);
const issue = async (by: KeyPair, commonName: string, organizations: readonly string[] = []) =>
  chainOf(
    (await issueCertificate(by, { commonName, organizations, now: Date.parse(NOW), usages: ['clientAuth'] }))
      .certificate,
  );
beforeAll(async () => {
  const now = Date.parse(NOW);
  clients = await createCertificateAuthority({ commonName: 'clients', now });
  proxies = await createCertificateAuthority({ commonName: 'proxies', now });
  server = await startServer({
    dialect: 'orch',
    clock: createFakeClock(NOW),
    authentication: [
      requestHeader({
        clientCA: proxies.certificate,
        allowedNames: ['front'],
        usernameHeaders: ['X-Remote-User'],
        groupHeaders: ['X-Remote-Group'],
        extraHeaderPrefixes: ['X-Remote-Extra-'],
      }),
      x509({ clientCA: clients.certificate }),
      tokenFile('janes,jane,u-1,"devs,ops"\nalones,alone,u-2\n'),
      bootstrapTokens(),
      anonymous(),
    ],
  });
  await post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'app' } });
});
afterAll(() => server.close());

/** Returns the authenticated user, or the status of a refusal. */
async function who(headers: Question['headers'] = {}, chain?: readonly Uint8Array[]) {
  const { status, value } = await ask(server, {
    method: 'POST',
    path: WHO,
    headers,
    body: {},
    ...(chain && { chain }),
  });
  return status === 201 ? value.status.userInfo : status;
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const asJane = (headers: Record<string, string | string[]>) => ({ ...bearer('janes'), ...headers });

describe('a certificate', () => {
  it('of the client CA authenticates its common name, with a group for each organization', async () => {
    expect(await who({}, await issue(clients, 'joe', ['devs', 'ops']))).toMatchObject({
      username: 'joe',
      groups: ['devs', 'ops', 'system:authenticated'],
    });
    expect(await who({}, await issue(proxies, 'joe'))).toBe(401);
  });
});

describe('a bearer token', () => {
  it('of the token file authenticates the user of its row', async () => {
    expect(await who(bearer('janes'))).toEqual({
      username: 'jane',
      uid: 'u-1',
      groups: ['devs', 'ops', 'system:authenticated'],
    });
    expect(await who(bearer('alones'))).toEqual({ username: 'alone', uid: 'u-2', groups: ['system:authenticated'] });
    expect(await who({ authorization: 'bearer janes' })).toMatchObject({ username: 'jane' });
  });

  it('of a ServiceAccount authenticates that account, with its groups', async () => {
    const audiences = ['https://orch.default.svc'];
    const { value } = await post('/api/v1/namespaces/default/serviceaccounts/app/token', { spec: { audiences } });
    expect(await who(bearer(value.status.token))).toMatchObject({
      username: 'system:serviceaccount:default:app',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
    });
  });

  it('that is unknown is refused, and does not become anonymous', async () => {
    for (const token of ['none', 'a.b.c', 'abcdef.0123456789abcdef']) expect(await who(bearer(token))).toBe(401);
    const answer = await ask(server, { path: '/livez', headers: bearer('none') });
    expect([answer.status, answer.value.reason]).toEqual([401, 'Unauthorized']);
  });
});

describe('a bootstrap token', () => {
  let made = 0;
  /** Creates a Secret with a token, and returns the token. */
  async function make(data: Readonly<Record<string, string>> = {}, more: object = {}, name?: string) {
    const id = `aaaaa${made++}`;
    const { status } = await post('/api/v1/namespaces/kube-system/secrets', {
      metadata: { name: name ?? `bootstrap-token-${id}` },
      type: 'bootstrap.orch.io/token',
      stringData: { 'token-id': id, 'token-secret': SECRET, 'usage-bootstrap-authentication': 'true', ...data },
      ...more,
    });
    expect(status).toBe(201);
    return { id, token: `${id}.${SECRET}` };
  }

  it('authenticates a user named after its id, in the bootstrap groups', async () => {
    const { id, token } = await make({
      description: 'any',
      expiration: '2030-01-01T00:00:01Z',
      'auth-extra-groups': 'system:bootstrappers:a,system:bootstrappers:b',
    });
    expect(await who(bearer(token))).toMatchObject({
      username: `system:bootstrap:${id}`,
      groups: ['system:bootstrappers', 'system:bootstrappers:a', 'system:bootstrappers:b', 'system:authenticated'],
    });
  });

  it.each<[string, Record<string, string>, object, string?]>([
    ['expired', { expiration: '2030-01-01T00:00:00Z' }, {}],
    ['not marked for authentication', { 'usage-bootstrap-authentication': 'false' }, {}],
    ['in a group that bootstrap tokens may not have', { 'auth-extra-groups': 'system:masters' }, {}],
    ['different from the stored secret', { 'token-secret': '0000000000000000' }, {}],
    ['stored without a secret', { 'token-secret': '' }, {}],
    ['stored without an id', { 'token-id': '' }, {}],
    ['stored in a Secret of another type', {}, { type: 'Opaque' }],
    ['stored in a Secret with another name', {}, {}, 'bootstrap-token-zzzzzz'],
  ])('is refused if it is %s', async (_what, data, more, name) => {
    const { token } = await make(data, more, name);
    expect(await who(bearer(token))).toBe(401);
  });

  it('has six characters, a dot and sixteen characters, all lower-case letters or digits', async () => {
    const { token } = await make();
    expect(await who(bearer(token))).toMatchObject({ groups: ['system:bootstrappers', 'system:authenticated'] });
    for (const other of [token.toUpperCase(), token.replace('.', ''), token.slice(1), `${token}0`])
      expect(await who(bearer(other))).toBe(401);
  });
});

describe('a proxy', () => {
  const headers = {
    'X-Remote-User': 'pat',
    'X-Remote-Group': ['one', 'two'],
    'X-Remote-Extra-Acme.com%2FTeam': ['a', 'b'],
  };
  it('authenticates the user in its headers if its certificate has the right CA and an allowed name', async () => {
    expect(await who(headers, await issue(proxies, 'front'))).toEqual({
      username: 'pat',
      groups: ['one', 'two', 'system:authenticated'],
      extra: { 'acme.com/team': ['a', 'b'] },
    });
    expect(await who(headers, await issue(proxies, 'other'))).toBe(401);
    expect(await who(headers, await issue(clients, 'front'))).toMatchObject({ username: 'front' });
  });
});

describe('a request without credentials', () => {
  it('is anonymous', async () => {
    const { message } = await ask(server, { path: '/api/v1/nodes' });
    expect(message).toContain('User "system:anonymous" cannot list resource "nodes"');
    expect((await ask(server, { path: '/livez' })).status).toBe(200);
  });
  it('has the group of unauthenticated users, and no other', async () => {
    const group = 'rbac.authorization.orch.io';
    await post(`/apis/${group}/v1/clusterrolebindings`, {
      metadata: { name: 'anybody' },
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'system:basic-user' },
      subjects: [{ apiGroup: group, kind: 'Group', name: 'system:unauthenticated' }],
    });
    expect(await who()).toEqual({ username: 'system:anonymous', groups: ['system:unauthenticated'] });
  });
});

describe('impersonation', () => {
  const group = 'rbac.authorization.orch.io';
  beforeAll(async () => {
    await post(`/apis/${group}/v1/clusterroles`, {
      metadata: { name: 'act' },
      rules: [
        { apiGroups: [''], resources: ['users'], resourceNames: ['joe'], verbs: ['impersonate'] },
        { apiGroups: [''], resources: ['groups', 'serviceaccounts'], verbs: ['impersonate'] },
        { apiGroups: ['authentication.orch.io'], resources: ['userextras/team', 'uids'], verbs: ['impersonate'] },
      ],
    });
    await post(`/apis/${group}/v1/clusterrolebindings`, {
      metadata: { name: 'act' },
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'act' },
      subjects: [{ apiGroup: group, kind: 'User', name: 'jane' }],
    });
  });

  it('sets a user, groups, extra and a uid', async () => {
    const headers = {
      'Impersonate-User': 'joe',
      'Impersonate-Group': ['a', 'b'],
      'Impersonate-Uid': 'u-9',
      'Impersonate-Extra-Team': ['x', 'y'],
    };
    expect(await who(asJane(headers))).toEqual({
      username: 'joe',
      uid: 'u-9',
      groups: ['a', 'b', 'system:authenticated'],
      extra: { team: ['x', 'y'] },
    });
    expect(await who(asJane({ 'Impersonate-User': 'system:serviceaccount:default:app' }))).toMatchObject({
      username: 'system:serviceaccount:default:app',
    });
  });

  it('requires a cluster-wide permission for each of them, and a user if the others are given', async () => {
    expect(await who(asJane({ 'Impersonate-User': 'root' }))).toBe(403);
    expect(await who(asJane({ 'Impersonate-User': 'joe', 'Impersonate-Extra-Other': 'x' }))).toBe(403);
    expect(await who(asJane({ 'Impersonate-Group': 'a' }))).toBe(400);
    expect(await who({ ...bearer('alones'), 'Impersonate-User': 'joe' })).toBe(403);
    // A namespaced role does not grant it.
    await post(`/apis/${group}/v1/namespaces/default/rolebindings`, {
      metadata: { name: 'act' },
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'act' },
      subjects: [{ apiGroup: group, kind: 'User', name: 'alone' }],
    });
    expect(await who({ ...bearer('alones'), 'Impersonate-User': 'joe' })).toBe(403);
  });

  it('authorizes the request as the impersonated user, who must not gain the permissions of the caller', async () => {
    const { message } = await ask(server, {
      path: '/api/v1/nodes',
      headers: asJane({ 'Impersonate-User': 'joe' }),
    });
    expect(message).toContain('User "joe" cannot list resource "nodes"');
    expect(await who({ 'Impersonate-User': 'joe', ...bearer('none') })).toBe(401);
  });
});
