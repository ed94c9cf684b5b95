import { beforeAll, describe, expect, it } from 'vitest';
import type { UserInfo } from '../../../src/meta/user-info.js';
import { createCertificateAuthority, issueCertificate } from '../../../src/pki/certificate-authority.js';
import { ask, requestsTo } from '../../support/ask.js';
import { startServer, suiteServer } from '../../support/servers.js';

// Trust bundles as clients of `orch` see them: their signers, permissions and contents (spec 15.11 to 15.13, 17.6, 19.8).
const BASE = '/apis/certificates.orch.io/v1alpha1/clustertrustbundles';
const RBAC = '/apis/rbac.authorization.orch.io/v1';
const SIGNER = 'example.com/signer';
const ADMIN: UserInfo = { username: 'admin', groups: ['system:masters'] };
/** A user who may write bundles, and may attest for one signer. */
const WRITER: UserInfo = { username: 'writer', groups: ['system:authenticated'] };
const READER: UserInfo = { username: 'reader', groups: ['system:authenticated'] };
const ACCOUNT: UserInfo = {
  username: 'system:serviceaccount:default:app',
  groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
};

const server = suiteServer({
  dialect: 'orch',
  featureGates: { ClusterTrustBundle: true },
  runtimeConfig: { 'certificates.orch.io/v1alpha1': true },
});
const as = (user: UserInfo) => requestsTo(server, { user });
let anchors: readonly string[];
let leaf: string;

const bundle = (name: string, signerName: string | undefined, trustBundle: string = anchors[0] ?? '') => ({
  metadata: { name },
  spec: { trustBundle, ...(signerName !== undefined && { signerName }) },
});
const create = (user: UserInfo, name: string, signerName?: string, trustBundle?: string) =>
  as(user).post(BASE, bundle(name, signerName, trustBundle));

beforeAll(async () => {
  const one = await createCertificateAuthority({ commonName: 'one' });
  anchors = [one.certificate, (await createCertificateAuthority({ commonName: 'two' })).certificate];
  leaf = (await issueCertificate(one, { commonName: 'leaf', usages: ['clientAuth'] })).certificate;
  const apiGroups = ['certificates.orch.io'];
  const metadata = { name: 'bundle-writers' };
  await as(ADMIN).post(`${RBAC}/clusterroles`, {
    metadata,
    rules: [
      { apiGroups, resources: ['clustertrustbundles'], verbs: ['create', 'update', 'patch', 'delete'] },
      { apiGroups, resources: ['signers'], resourceNames: [SIGNER], verbs: ['attest'] },
    ],
  });
  await as(ADMIN).post(`${RBAC}/clusterrolebindings`, {
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name: metadata.name },
    subjects: [{ apiGroup: 'rbac.authorization.orch.io', kind: 'User', name: WRITER.username }],
  });
});

describe('the signer of a trust bundle', () => {
  it('requires the permission to attest of everyone who writes its bundles', async () => {
    const name = 'example.com:signer:attested';
    expect((await create(WRITER, name, SIGNER)).status).toBe(201);
    const other = await create(WRITER, 'example.com:other:a', 'example.com/other');
    expect([other.status, other.message]).toEqual([
      403,
      expect.stringContaining('user not permitted to attest for signerName "example.com/other"'),
    ]);
    expect((await create(ADMIN, 'example.com:other:a', 'example.com/other')).status).toBe(201);
    const label = { metadata: { labels: { a: 'b' } } };
    const patch = (of: string) =>
      as(WRITER)
        .merge(`${BASE}/${of}`, label)
        .then(({ status }) => status);
    expect([await patch(name), await patch('example.com:other:a')]).toEqual([200, 403]);
  });

  it('is the beginning of the name, with colons for slashes; a bundle without signer has no such name', async () => {
    expect((await create(ADMIN, 'example.com:signer:named', SIGNER)).status).toBe(201);
    expect((await create(ADMIN, 'plain')).status).toBe(201);
    expect((await create(ADMIN, 'empty', '')).status).toBe(201);
    for (const [name, signer] of [
      ['named', SIGNER],
      ['example.com/signer', SIGNER],
      ['example.com:signer', SIGNER],
      ['example.com:signer:', SIGNER],
      ['example.com:signer:x', undefined],
      ['example.com:signer:x', 'example.com/other'],
    ] as const)
      expect([name, signer, (await create(ADMIN, name, signer)).status]).toEqual([name, signer, 422]);
  });

  it('selects bundles, of which it can have several', async () => {
    for (const name of ['first', 'second'])
      await create(ADMIN, `example.com:chosen:${name}`, 'example.com/chosen', anchors.join(''));
    const { value } = await as(READER).get(`${BASE}?fieldSelector=spec.signerName%3Dexample.com/chosen`);
    expect(value.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual([
      'example.com:chosen:first',
      'example.com:chosen:second',
    ]);
    expect(value).toMatchObject({ kind: 'ClusterTrustBundleList', apiVersion: 'certificates.orch.io/v1alpha1' });
    expect(value.metadata.resourceVersion).toMatch(/^\d+$/);
  });
});

describe('a trust bundle', () => {
  it('can be read by authenticated users only', async () => {
    await create(ADMIN, 'read');
    for (const user of [READER, ACCOUNT]) {
      expect((await as(user).get(`${BASE}/read`)).status).toBe(200);
      expect((await as(user).get(BASE)).status).toBe(200);
      expect((await create(user, 'mine')).status).toBe(403);
    }
    expect((await ask(server, { path: BASE })).status).toBe(403);
  });

  it.each<[string, () => string, string]>([
    ['a certificate twice', () => `${anchors[0]}${anchors[0]}`, 'duplicate trust anchor (indices [0 1])'],
    [
      'a PEM header',
      () => (anchors[0] ?? '').replace('CERTIFICATE-----\n', 'CERTIFICATE-----\na: b\n\n'),
      'entry 0 has PEM block headers',
    ],
    [
      'another PEM block',
      () => `${anchors[0]}-----BEGIN X-----\nAAAA\n-----END X-----\n`,
      'entry 1 has bad block type: X',
    ],
    [
      'a block that is not a certificate',
      () => '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
      'entry 0 does not parse as X.509',
    ],
    ['a certificate without the CA flag', () => leaf, 'entry 0 does not have the CA bit set'],
    ['no certificate at all', () => '', 'at least one trust anchor must be provided'],
  ])('cannot contain %s', async (_what, trustBundle, why) => {
    const { status, message } = await create(ADMIN, 'bad', undefined, trustBundle());
    expect([status, message]).toEqual([422, expect.stringContaining(`spec.trustBundle: Invalid value: `)]);
    expect(message).toContain(why);
  });

  it('is cluster-scoped, with the operations of a stored kind', async () => {
    const made = await create(ADMIN, 'used');
    expect([made.status, made.value.kind, made.value.metadata.namespace]).toEqual([
      201,
      'ClusterTrustBundle',
      undefined,
    ]);
    const path = `${BASE}/used`;
    const put = await as(ADMIN).put(path, { ...made.value, spec: { trustBundle: anchors.join('') } });
    expect([put.status, put.value.spec.trustBundle]).toEqual([200, anchors.join('')]);
    expect((await as(ADMIN).merge(path, { metadata: { labels: { a: 'b' } } })).status).toBe(200);
    expect((await as(ADMIN).get(path)).value.metadata.labels).toEqual({ a: 'b' });
    const gone = await as(ADMIN).remove(path);
    expect([gone.status, gone.value.kind]).toEqual([200, 'Status']);
    const none = await as(ADMIN).remove(`${BASE}?labelSelector=none%3Dthere`);
    expect([none.status, none.value.kind]).toEqual([200, 'Status']);
  });

  it('is an alpha kind, off by default, and deprecated', async () => {
    await using plain = await startServer({ dialect: 'orch' });
    expect((await ask(plain, { path: BASE }, { user: ADMIN })).status).toBe(404);
    const { headers } = await as(READER).get(BASE);
    expect(String(headers['Warning'])).toContain(
      'certificates.orch.io/v1alpha1 ClusterTrustBundle is deprecated in v1.29+',
    );
  });
});
