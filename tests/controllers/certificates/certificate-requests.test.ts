import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../../src/api-server.js';
import { isNotFound } from '../../../src/meta/api-error.js';
import type { UserInfo } from '../../../src/meta/user-info.js';
import { extendedKeyUsageOid } from '../../../src/pki/certificate.js';
import { createCertificateAuthority, type KeyPair } from '../../../src/pki/certificate-authority.js';
import { readCertificates } from '../../../src/pki/certificate-reader.js';
import type { GeneralNames } from '../../../src/pki/names/general-names.js';
import type { CertificateSigningRequest } from '../../../src/resources/certificates/certificates-v1.types.js';
import { certificateSigningRequest } from '../../../src/resources/certificates/index.js';
import { clusterRole, clusterRoleBinding } from '../../../src/resources/rbac/index.js';
import { createFakeClock, type FakeClock } from '../../../src/testing/fake-clock.js';
import { makeRequest } from '../../pki/make-request.js';
import { startServer } from '../../support/servers.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const CLIENT = 'kubernetes.io/kube-apiserver-client';
const NODE_CLIENT = `${CLIENT}-kubelet`;
const NODE_SERVING = 'kubernetes.io/kubelet-serving';
const NODE_USAGES = ['digital signature', 'key encipherment', 'client auth'];
const NODE = { commonName: 'system:node:n1', organizations: ['system:nodes'] };

let clock: FakeClock;
let server: ApiServer;
let authority: KeyPair;
const start = async (options: ConstructorParameters<typeof ApiServer>[0] = {}) => {
  clock = createFakeClock('2026-11-21T12:00:00Z');
  authority = await createCertificateAuthority({ commonName: 'cluster-ca', now: clock.now(), days: 700 });
  const certificateSigning = { authority, duration: 2 * DAY };
  server = await startServer({
    dialect: 'k8s',
    controllers: { mode: 'stepped' },
    clock,
    certificates: { signing: certificateSigning },
    ...options,
  });
};
beforeEach(() => start());
afterEach(() => server.close());

interface Wanted {
  readonly signer?: string;
  readonly usages?: readonly string[];
  readonly expirationSeconds?: number;
  readonly commonName?: string;
  readonly organizations?: readonly string[];
  readonly names?: Partial<GeneralNames>;
  readonly user?: UserInfo;
}
async function requestCertificate(name: string, wanted: Wanted = {}): Promise<CertificateSigningRequest> {
  const { signer = CLIENT, usages = ['client auth'], expirationSeconds, user, ...parts } = wanted;
  const { pem } = await makeRequest({ commonName: 'dana', ...parts });
  const spec = {
    request: btoa(pem),
    signerName: signer,
    usages,
    ...(expirationSeconds === undefined ? {} : { expirationSeconds }),
  };
  return server
    .client(user ? { user } : {})
    .create(certificateSigningRequest, { metadata: { name }, spec, status: {} });
}
async function decide(name: string, type: 'Approved' | 'Denied'): Promise<void> {
  const conditions = [{ type, status: 'True', lastUpdateTime: null, lastTransitionTime: null }];
  await server
    .client()
    .update(certificateSigningRequest, name, (draft) => void (draft.status.conditions = conditions), {
      subresource: 'approval',
    });
  await server.settle();
}
const find = (name: string): Promise<CertificateSigningRequest | undefined> =>
  server
    .client()
    .get(certificateSigningRequest, name)
    .catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
const outcome = async (name: string) => {
  const { conditions = [], certificate } = (await find(name))?.status ?? {};
  return {
    issued: certificate !== undefined,
    types: conditions.map(({ type }) => type),
    message: conditions.at(-1)?.message,
  };
};
const issued = async (name: string) => {
  const [certificate] = readCertificates(atob((await find(name))?.status.certificate ?? ''));
  if (!certificate) throw new Error(`${name} has no certificate`);
  return certificate;
};

describe('the signer', () => {
  it('issues approved certificates, for the requested lifetime up to the maximum', async () => {
    await requestCertificate('short', { expirationSeconds: 1800 });
    await requestCertificate('long', { expirationSeconds: 10 * 24 * 3600 });
    await requestCertificate('any');
    for (const name of ['short', 'long', 'any']) await decide(name, 'Approved');
    const lives = await Promise.all(['short', 'long', 'any'].map(issued));
    expect(lives.map(({ notBefore, notAfter }) => notAfter - notBefore)).toEqual([35 * 60_000, 2 * DAY, 2 * DAY]);
    const [ca] = readCertificates(authority.certificate);
    expect(lives[0]).toMatchObject({
      issuer: { raw: ca?.subject.raw },
      extendedKeyUsage: [extendedKeyUsageOid.clientAuth],
    });
  });
  it('ignores requests that are denied, undecided, or for another signer', async () => {
    await requestCertificate('denied');
    await decide('denied', 'Denied');
    await requestCertificate('pending');
    await requestCertificate('other', { signer: 'example.com/own' });
    await decide('other', 'Approved');
    expect((await outcome('denied')).issued).toBe(false);
    expect(await outcome('pending')).toEqual({ issued: false, types: [], message: undefined });
    expect(await outcome('other')).toMatchObject({ issued: false, types: ['Approved'] });
  });
  it.each([
    [
      'the usages lack client auth',
      { usages: ['digital signature'] },
      'missing required usage for client certificate: client auth',
    ],
    [
      'the usages include server auth',
      { usages: ['client auth', 'server auth'] },
      'invalid usage for client certificate: server auth',
    ],
    [
      'the organization is not system:nodes',
      { signer: NODE_SERVING, usages: ['server auth', 'digital signature'] },
      'subject organization is not system:nodes',
    ],
    [
      'there is a second organization',
      { signer: NODE_CLIENT, usages: NODE_USAGES, ...NODE, organizations: ['system:nodes', 'x'] },
      'subject organization is not system:nodes',
    ],
    [
      'there is an IP name',
      { signer: NODE_CLIENT, usages: NODE_USAGES, ...NODE, names: { uri: ['a:b'], ip: [new Uint8Array(4)] } },
      'IP subjectAltNames are not allowed',
    ],
    [
      'a serving certificate has no name',
      { signer: NODE_SERVING, usages: ['server auth', 'digital signature'], ...NODE },
      'DNS or IP subjectAltName is required',
    ],
    [
      'the usages are checked before the name',
      { signer: NODE_SERVING, usages: NODE_USAGES, ...NODE, commonName: 'x', names: { dns: ['a.b'] } },
      'usages did not match [digital signature key encipherment server auth]',
    ],
  ] satisfies [string, Wanted, string][])('reports why it does not sign: %s', async (_name, wanted, message) => {
    await requestCertificate('r', wanted);
    await decide('r', 'Approved');
    expect(await outcome('r')).toEqual({ issued: false, types: ['Approved', 'Failed'], message });
    expect((await find('r'))?.status.conditions?.at(-1)).toMatchObject({
      reason: 'SignerValidationFailure',
      status: 'True',
    });
  });
  it('issues to nodes with or without key encipherment', async () => {
    await requestCertificate('client', { signer: NODE_CLIENT, usages: ['client auth', 'digital signature'], ...NODE });
    await requestCertificate('serving', {
      signer: NODE_SERVING,
      usages: ['server auth', 'digital signature', 'key encipherment'],
      ...NODE,
      names: { dns: ['a.b'] },
    });
    await decide('client', 'Approved');
    await decide('serving', 'Approved');
    expect((await issued('client')).keyUsage).toEqual(['digitalSignature']);
    expect((await issued('serving')).subjectAltNames?.dns).toEqual(['a.b']);
  });
  it('waits without failing the request when its CA has expired', async () => {
    await requestCertificate('late');
    clock.advance(701 * DAY);
    await decide('late', 'Approved');
    expect(await outcome('late')).toMatchObject({ issued: false, types: ['Approved'] });
  });
  it('does nothing without a key to sign with', async () => {
    await server.close();
    await start({ certificates: { signing: false } });
    await requestCertificate('r');
    await decide('r', 'Approved');
    expect(await outcome('r')).toMatchObject({ issued: false, types: ['Approved'] });
  });
});

describe('approval of node certificates', () => {
  const node: UserInfo = { username: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] };
  const bootstrapper: UserInfo = { username: 'boot', groups: ['system:authenticated'] };
  async function allow(user: string, subresource: string): Promise<void> {
    const rules = [
      {
        verbs: ['create'],
        apiGroups: ['certificates.k8s.io'],
        resources: ['certificatesigningrequests', `certificatesigningrequests/${subresource}`],
      },
    ];
    await server.client().create(clusterRole, { metadata: { name: user }, rules });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: user };
    const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: user }];
    await server.client().create(clusterRoleBinding, { metadata: { name: user }, roleRef, subjects });
  }
  const wanted = { signer: NODE_CLIENT, usages: NODE_USAGES, ...NODE };

  it('approves `nodeclient` for any requester with the permission', async () => {
    await allow('boot', 'nodeclient');
    await requestCertificate('r', { ...wanted, user: bootstrapper });
    await server.settle();
    expect(await outcome('r')).toEqual({
      issued: true,
      types: ['Approved'],
      message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
    });
  });
  it('approves `selfnodeclient` only for the node itself', async () => {
    await allow('boot', 'selfnodeclient');
    await allow('system:node:n1', 'selfnodeclient');
    await requestCertificate('own', { ...wanted, user: node });
    await requestCertificate('other', { ...wanted, user: bootstrapper });
    await server.settle();
    expect((await outcome('own')).message).toBe(
      'Auto approving self kubelet client certificate after SubjectAccessReview.',
    );
    expect(await outcome('other')).toMatchObject({ types: [] });
  });
  it('retries later if the permission was missing', async () => {
    await allow('boot', 'unrelated');
    await requestCertificate('r', { ...wanted, user: bootstrapper });
    await server.settle();
    expect(await outcome('r')).toMatchObject({ types: [] });
    await server
      .client()
      .update(
        clusterRole,
        'boot',
        (draft) => void draft.rules?.[0]?.resources?.push('certificatesigningrequests/nodeclient'),
      );
    await server.settle();
    clock.advance(60_000);
    await server.settle();
    expect(await outcome('r')).toMatchObject({ issued: true, types: ['Approved'] });
  });
  it('does not approve certificates of other kinds, whatever the permission', async () => {
    await allow('boot', 'nodeclient');
    await requestCertificate('serving', {
      ...wanted,
      signer: NODE_SERVING,
      usages: ['server auth', 'digital signature'],
      names: { dns: ['a.b'] },
      user: bootstrapper,
    });
    await requestCertificate('named', { ...wanted, names: { dns: ['a.b'] }, user: bootstrapper });
    await requestCertificate('client', { ...wanted, signer: CLIENT, user: bootstrapper });
    await server.settle();
    for (const name of ['serving', 'named', 'client']) expect(await outcome(name)).toMatchObject({ types: [] });
  });
});

describe('cleaning up requests', () => {
  const round = async (milliseconds: number) => {
    clock.advance(milliseconds);
    await server.settle();
  };
  it('deletes finished requests after an hour, and undecided ones after a day', async () => {
    await requestCertificate('issued');
    await decide('issued', 'Approved');
    await requestCertificate('denied');
    await decide('denied', 'Denied');
    await requestCertificate('failed', { usages: ['any'] });
    await decide('failed', 'Approved');
    await requestCertificate('approved', { signer: 'example.com/own' });
    await decide('approved', 'Approved');
    await requestCertificate('pending');
    const left = async () =>
      (await server.client().list(certificateSigningRequest)).items.map(({ metadata }) => metadata.name);
    await round(HOUR);
    expect(await left()).toEqual(['approved', 'denied', 'failed', 'issued', 'pending']);
    await round(HOUR);
    expect(await left()).toEqual(['approved', 'pending']);
    await round(22 * HOUR);
    expect(await left()).toEqual(['approved', 'pending']);
    await round(HOUR);
    expect(await left()).toEqual(['approved']);
  });
});
