import { describe, expect, it } from 'vitest';
import type { AdmissionAttributes, AdmissionPlugin } from '../../../src/admission/admission-plugin.js';
import { AdmissionChain } from '../../../src/admission/chain.js';
import type { AuthorizationAttributes, Authorizer } from '../../../src/authorization/authorizer.js';
import { run } from '../../../src/meta/flow.js';
import type { ApiObject } from '../../../src/meta/object-meta.js';
import { certificateApproval, certificateSigning } from '../../../src/plugins/certificates/certificate-signers.js';
import { certificateSubjectRestriction } from '../../../src/plugins/certificates/certificate-subject-restriction.js';
import { clusterTrustBundleAttest } from '../../../src/plugins/certificates/cluster-trust-bundle-attest.js';
import { makeRequest } from '../../pki/make-request.js';
import { casesOf } from '../../resources/certificate-data.js';
import { fakeHost } from '../../support/hosts.js';
import { hasSharedData } from '../../support/shared-data.js';

const host = { ...fakeHost(), servedKind: () => undefined };
const asked: AuthorizationAttributes[] = [];

/** Allows one signer name, and none if it fails. */
const updateStatus = () => Promise.reject(new Error('nothing is counted here'));
const createNamespace = () => Promise.reject(new Error('nothing is created here'));
const runsController = () => false;
const authorizer =
  (allowedName: string | undefined, trouble = false): (() => Authorizer) =>
  () => ({
    name: 'test',
    authorize(attributes) {
      asked.push(attributes);
      if (trouble) return { decision: 'NoOpinion', reason: '', error: new Error('broken') };
      return attributes.name === allowedName
        ? { decision: 'Allow', reason: '' }
        : { decision: 'NoOpinion', reason: '' };
    },
  });

const attributes = (resource: string, parts: Partial<AdmissionAttributes>): AdmissionAttributes => ({
  operation: 'UPDATE',
  resource: { group: 'certificates.k8s.io', version: 'v1', resource },
  kind: { group: 'certificates.k8s.io', version: 'v1', kind: 'Kind' },
  subresource: '',
  namespace: '',
  name: 'panda',
  user: { username: 'u' },
  dryRun: false,
  object: undefined,
  oldObject: undefined,
  options: {},
  forms: () => [],
  warn: () => {},
  annotate: () => {},
  ...parts,
});
const object = (spec: object, status: object = {}, metadata: object = {}) =>
  ({ metadata: { name: 'panda', ...metadata }, spec, status }) as unknown as ApiObject;

/** Returns the error of a plug-in; undefined if it accepts the write. */
async function refusal(plugin: AdmissionPlugin, given: AdmissionAttributes): Promise<string | undefined> {
  try {
    await run(new AdmissionChain({ plugins: [plugin] }, given.resource).validate(given));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
const forbidden = (why: string) => `certificatesigningrequests.certificates.k8s.io "panda" is forbidden: ${why}`;
const REQUESTS = 'certificatesigningrequests';

interface SignerCase {
  readonly name: string;
  readonly allowed: boolean;
  readonly allowedName?: string;
  readonly oldSigner?: string;
  readonly newSigner?: string;
  readonly authzError?: boolean;
  readonly kind?: string;
}

describe.skipIf(!hasSharedData)('approving (shared cases, skipped where the data is absent)', () => {
  const rows = casesOf<SignerCase>('admission-strategy-cases.json', 'approval');
  it.each(rows.filter(({ kind }) => kind === undefined))('$name', async (given) => {
    const plugin = certificateApproval({
      ...host,
      authorizer: authorizer(given.allowedName, given.authzError)(),
      updateStatus,
      createNamespace,
      runsController,
    });
    const [next, old] = [given.newSigner ?? given.oldSigner, given.oldSigner].map((signerName) =>
      object({ signerName }),
    );
    const found = await refusal(
      plugin,
      attributes(REQUESTS, { subresource: 'approval', object: next, oldObject: old }),
    );
    expect(found).toBe(
      given.allowed
        ? undefined
        : forbidden(`user not permitted to approve requests with signerName "${given.oldSigner}"`),
    );
  });
});

describe.skipIf(!hasSharedData)('attesting (shared cases, skipped where the data is absent)', () => {
  interface Attest extends SignerCase {
    readonly op: 'CREATE' | 'UPDATE';
    readonly oldMetadata?: object;
    readonly newMetadata?: object;
  }
  // Cases by changed fields follow below.
  const rows = casesOf<Attest>('admission-strategy-cases.json', 'clusterTrustBundleAttest').filter(
    ({ kind, name }) => kind === undefined && !/-only|no-op/.test(name),
  );
  it.each(rows)('$name', async (given) => {
    const plugin = clusterTrustBundleAttest({
      ...host,
      authorizer: authorizer(given.allowedName, given.authzError)(),
      updateStatus,
      createNamespace,
      runsController,
    });
    const next = object({ signerName: given.newSigner, trustBundle: 'b' });
    const old = given.op === 'CREATE' ? undefined : object({ signerName: given.oldSigner ?? '', trustBundle: 'a' });
    const found = await refusal(
      plugin,
      attributes('clustertrustbundles', { operation: given.op, object: next, oldObject: old }),
    );
    expect(found === undefined).toBe(given.allowed);
  });
});

describe('attesting', () => {
  const plugin = clusterTrustBundleAttest({
    ...host,
    authorizer: authorizer(undefined, true)(),
    updateStatus,
    createNamespace,
    runsController,
  });
  const bundle = (metadata: object = {}) => object({ signerName: 'panda.com/foo', trustBundle: 'a' }, {}, metadata);
  it.each([
    ['nothing', {}, true],
    ['owner references', { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }] }, true],
    ['finalizers', { finalizers: ['a/b'] }, true],
    ['managed fields', { managedFields: [{ manager: 'm' }] }, true],
    ['labels', { labels: { a: 'b' } }, false],
  ])('a change of %s needs no permission: %o', async (_name, metadata, allowed) => {
    const found = await refusal(
      plugin,
      attributes('clustertrustbundles', { object: bundle(metadata), oldObject: bundle() }),
    );
    expect(found).toBe(
      allowed
        ? undefined
        : 'clustertrustbundles.certificates.k8s.io "panda" is forbidden: user not permitted to attest for signerName "panda.com/foo"',
    );
  });
});

describe('a permission on all signers of a domain', () => {
  it('is not used if the authorizer fails for the signer itself', async () => {
    const failing: Authorizer = {
      name: 'test',
      authorize: ({ name }) =>
        name === 'abc.com/*'
          ? { decision: 'Allow', reason: '' }
          : { decision: 'NoOpinion', reason: '', error: new Error('broken') },
    };
    const plugin = certificateApproval({ ...host, authorizer: failing, updateStatus, createNamespace, runsController });
    const request = object({ signerName: 'abc.com/x' });
    const given = attributes(REQUESTS, { subresource: 'approval', object: request, oldObject: request });
    expect(await refusal(plugin, given)).toBe(
      forbidden('user not permitted to approve requests with signerName "abc.com/x"'),
    );
  });
});

describe('signing', () => {
  const plugin = certificateSigning({
    ...host,
    authorizer: authorizer('abc.com/*')(),
    updateStatus,
    createNamespace,
    runsController,
  });
  const signer = (signerName: string) => ({ signerName });
  it.each([
    ['a certificate', 'abc.com/x', { certificate: 'YQ==' }, undefined],
    ['a certificate of another signer', 'xyz.com/x', { certificate: 'YQ==' }, 'xyz.com/x'],
    ['a condition', 'xyz.com/x', { conditions: [{ type: 'Failed', status: 'True' }] }, 'xyz.com/x'],
    ['labels only', 'xyz.com/x', {}, undefined],
  ])('is checked for %s of %s', async (_name, signerName, status, refused) => {
    const given = attributes(REQUESTS, {
      subresource: 'status',
      object: object(signer(signerName), status),
      oldObject: object(signer(signerName)),
    });
    expect(await refusal(plugin, given)).toBe(
      refused && forbidden(`user not permitted to sign requests with signerName "${refused}"`),
    );
  });
  it('checks the name of the signer, then its domain', async () => {
    asked.length = 0;
    const certificate = object(signer('a.b/c'), { certificate: 'YQ==' });
    await refusal(
      plugin,
      attributes(REQUESTS, { subresource: 'status', object: certificate, oldObject: object(signer('a.b/c')) }),
    );
    const about = {
      verb: 'sign',
      group: 'certificates.k8s.io',
      version: '*',
      resource: 'signers',
      namespace: '',
      subresource: '',
      resourceRequest: true,
    };
    expect(asked).toMatchObject([
      { ...about, name: 'a.b/c' },
      { ...about, name: 'a.b/*' },
    ]);
  });
});

describe('signing, by changed fields and permissions', () => {
  const CERTIFICATE = { certificate: 'ZGF0YQ==' };
  const FAILED = { conditions: [{ type: 'Failed' }] };
  it.each<
    [
      title: string,
      allowedName: string | undefined,
      old: string,
      next: string,
      from: object,
      to: object,
      allowed: boolean,
    ]
  >([
    ['an unchanged certificate needs no permission', undefined, 'a/b', 'a/b', CERTIFICATE, CERTIFICATE, true],
    ['a failing authorizer refuses a certificate', undefined, 'abc.com/xyz', 'abc.com/xyz', {}, CERTIFICATE, false],
    ['a failing authorizer refuses a condition', undefined, 'abc.com/xyz', 'abc.com/xyz', {}, FAILED, false],
    ['a name allows a certificate', 'abc.com/xyz', 'abc.com/xyz', 'abc.com/xyz', {}, CERTIFICATE, true],
    ['a name allows a condition', 'abc.com/xyz', 'abc.com/xyz', 'abc.com/xyz', {}, FAILED, true],
    ['a domain allows a certificate', 'abc.com/*', 'abc.com/xyz', 'abc.com/xyz', {}, CERTIFICATE, true],
    ['another name allows no certificate', 'notabc.com/xyz', 'abc.com/xyz', 'abc.com/xyz', {}, CERTIFICATE, false],
    [
      'the signer of the old object counts',
      'allowed.com/xyz',
      'notallowed.com/xyz',
      'allowed.com/xyz',
      {},
      CERTIFICATE,
      false,
    ],
    ['the removal of a certificate needs permission', 'x/y', 'abc.com/xyz', 'abc.com/xyz', CERTIFICATE, {}, false],
  ])('%s', async (_title, allowedName, old, next, from, to, allowed) => {
    const trouble = allowedName === undefined;
    const judge = authorizer(allowedName, trouble)();
    const plugin = certificateSigning({ ...host, authorizer: judge, updateStatus, createNamespace, runsController });
    const given = attributes(REQUESTS, {
      subresource: 'status',
      object: object({ signerName: next }, to),
      oldObject: object({ signerName: old }, from),
    });
    expect(await refusal(plugin, given)).toBe(
      allowed ? undefined : forbidden(`user not permitted to sign requests with signerName "${old}"`),
    );
  });
});

describe('custom resources with these names are', () => {
  const custom = (gate: boolean) => ({
    ...host,
    gates: { ...host.gates, ClusterTrustBundle: gate },
    authorizer: authorizer(undefined)(),
    updateStatus,
    createNamespace,
    runsController,
  });
  const got = 'got: *unstructured.Unstructured';
  const ofRequests = (why: string) => forbidden(`expected type CertificateSigningRequest, ${why}`);
  const ofBundles = (why: string) =>
    `clustertrustbundles.certificates.k8s.io "panda" is forbidden: expected type ClusterTrustBundle, got: ${why}`;
  const make = { operation: 'CREATE', object: object({}) } as const;
  const change = { object: object({}), oldObject: object({}) } as const;
  const BUNDLES = 'clustertrustbundles';
  it.each([
    [
      'checked at approval',
      certificateApproval,
      true,
      REQUESTS,
      { ...change, subresource: 'approval' },
      ofRequests(got),
    ],
    ['checked at signing', certificateSigning, true, REQUESTS, { ...change, subresource: 'status' }, ofRequests(got)],
    ['checked for their subject', certificateSubjectRestriction, true, REQUESTS, make, ofRequests(got)],
    [
      'not checked for a subject in a subresource',
      certificateSubjectRestriction,
      true,
      REQUESTS,
      { ...make, subresource: 'approve' },
      undefined,
    ],
    ['not checked if they are of another kind', certificateSubjectRestriction, true, 'bars', make, undefined],
    ['checked when a bundle is created', clusterTrustBundleAttest, true, BUNDLES, make, ofBundles('<nil>')],
    [
      'checked when a bundle is updated',
      clusterTrustBundleAttest,
      true,
      BUNDLES,
      change,
      ofBundles('*unstructured.Unstructured'),
    ],
    ['not checked without the feature gate', clusterTrustBundleAttest, false, BUNDLES, change, undefined],
  ] as const)('%s', async (_title, plugin, gate, resource, parts, refused) => {
    expect(await refusal(plugin(custom(gate)), attributes(resource, { ...parts, isCustom: true }))).toBe(refused);
  });
});

describe('members of system:masters', () => {
  it('a request that is not for one of these kinds is not affected', async () => {
    const plugin = certificateSubjectRestriction({
      ...host,
      authorizer: authorizer(undefined)(),
      updateStatus,
      createNamespace,
      runsController,
    });
    const spec = { signerName: 'kubernetes.io/kube-apiserver-client', request: btoa('this is not a CSR') };
    expect(await refusal(plugin, attributes(REQUESTS, { operation: 'CREATE', object: object(spec) }))).toBe(
      forbidden('failed to parse CSR: PEM block type must be CERTIFICATE REQUEST'),
    );
  });

  const plugin = certificateSubjectRestriction({
    ...host,
    authorizer: authorizer(undefined)(),
    updateStatus,
    createNamespace,
    runsController,
  });
  const client = 'kubernetes.io/kube-apiserver-client';
  it.each([
    [client, ['system:masters'], false],
    [client, ['a', 'system:masters', 'b'], false],
    [client, ['system:admin'], true],
    [client, ['System:Masters'], true],
    ['kubernetes.io/kube-apiserver-client-kubelet', ['system:masters'], true],
    ['example.com/own', ['system:masters'], true],
  ])('%s for %j: %s', async (signerName, organizations, allowed) => {
    const { pem } = await makeRequest({ organizations });
    const given = attributes(REQUESTS, { operation: 'CREATE', object: object({ signerName, request: btoa(pem) }) });
    expect(await refusal(plugin, given)).toBe(
      allowed ? undefined : forbidden(`use of ${client} signer with system:masters group is not allowed`),
    );
  });
});
