import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeRestriction } from '../../src/exports/admission.js';
import { alwaysAllow } from '../../src/exports/authorization.js';
import { validatingAdmissionPolicy, validatingAdmissionPolicyBinding } from '../../src/exports/kinds.js';
import { type ApiServer, configMap, pod } from '../../src/index.js';
import { requestsTo } from '../support/ask.js';
import { startServer } from '../support/servers.js';
import { everybody } from './support.js';

// Definitions may give custom resources the names of built-in kinds, in versions of their own.

let server: ApiServer;
const { get, post } = requestsTo(() => server);
beforeEach(async () => {
  server = await startServer({
    dialect: 'k8s',
    authentication: [everybody],
    authorization: [alwaysAllow()],
    admission: (defaults) => [...defaults, nodeRestriction],
    // Without the gate, the kind of trust bundles has no special meaning.
    featureGates: { ClusterTrustBundle: true },
  });
});
afterEach(() => server.close());

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const NAME = 'customresourcedefinitions.apiextensions.k8s.io';
const ANYBODY = { 'impersonate-user': 'anybody' };
const NODE = { 'impersonate-user': 'system:node:n', 'impersonate-group': 'system:nodes' };

/** Creates a definition and waits until it is served. A user who may create definitions may also approve them. */
const imitate = async (group: string, plural: string, kind: string, scope = 'Cluster') => {
  const metadata = {
    name: `${plural}.${group}`,
    annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes/enhancements' },
  };
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const versions = [
    { name: 'v9', served: true, storage: true, schema: { openAPIV3Schema }, subresources: { status: {} } },
  ];
  const spec = { group, scope, names: { plural, kind }, versions };
  expect((await post(DEFINITIONS, { metadata, spec })).status).toBe(201);
  await server.settle();
  const collection = `/apis/${group}/v9${scope === 'Cluster' ? '' : '/namespaces/default'}/${plural}`;
  expect(await get(collection)).toMatchObject({ status: 200 });
  const object = { apiVersion: `${group}/v9`, kind, metadata: { name: 'own' } };
  const make = (more: object = {}, headers = {}) => post(collection, { ...object, ...more }, { headers });
  return { collection, object, make };
};

it('does not disable a policy', async () => {
  const client = server.client();
  await client.create(validatingAdmissionPolicy, {
    metadata: { name: 'none' },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
      },
      validations: [{ expression: 'false', message: 'no more' }],
    },
  });
  await client.create(validatingAdmissionPolicyBinding, {
    metadata: { name: 'none' },
    spec: { policyName: 'none', validationActions: ['Deny'] },
  });
  const make = () => client.create(configMap, { metadata: { name: 'a', namespace: 'default' } });
  await expect(make()).rejects.toThrow('no more');
  const { make: makeOther } = await imitate(
    'admissionregistration.k8s.io',
    'validatingadmissionpolicies',
    'ValidatingAdmissionPolicy',
  );
  expect(await makeOther({}, ANYBODY)).toMatchObject({ status: 201 });
  await expect(make()).rejects.toThrow('no more');
});

it('is not used by controllers and authorizers', async () => {
  await imitate('scheduling.k8s.io', 'priorityclasses', 'PriorityClass');
  for (const [plural, kind] of [
    ['clusterrolebindings', 'ClusterRoleBinding'],
    ['clusterroles', 'ClusterRole'],
  ] as const) {
    const { make } = await imitate('rbac.authorization.k8s.io', plural, kind);
    expect(await make({ roleRef: 7, rules: 'none' }, ANYBODY)).toMatchObject({ status: 201 });
  }
  const important = { priorityClassName: 'system-cluster-critical', containers: [{ name: 'a', image: 'a' }] };
  const made = await server.client().create(pod, { metadata: { name: 'a', namespace: 'default' }, spec: important });
  expect(made.spec.priority).toBe(2_000_000_000);
});

it('of definitions is not used either, and the server continues', async () => {
  await imitate('apiextensions.k8s.io', 'customresourcedefinitions', 'CustomResourceDefinition');
  await server.client().delete(server.kind('apiextensions.k8s.io/v1', 'CustomResourceDefinition'), NAME);
  await server.settle();
  expect((await get(`${DEFINITIONS}/${NAME}`)).status).toBe(404);
});

const UNTYPED = 'got: *unstructured.Unstructured';
it.each<[group: string, plural: string, kind: string, more: object, headers: object, code: number, why: string]>([
  [
    'networking',
    'ingresses',
    'Ingress',
    {},
    {},
    500,
    'Internal error occurred: Expected Ingress resource, got: networking.k8s.io/v9, Kind=Ingress',
  ],
  [
    'certificates',
    'certificatesigningrequests',
    'CertificateSigningRequest',
    { spec: 7 },
    {},
    403,
    `certificatesigningrequests.certificates.k8s.io "own" is forbidden: expected type CertificateSigningRequest, ${UNTYPED}`,
  ],
  [
    'certificates',
    'certificatesigningrequests',
    'CertificateSigningRequest',
    {},
    NODE,
    403,
    'certificatesigningrequests.certificates.k8s.io "own" is forbidden: unexpected type *unstructured.Unstructured',
  ],
  [
    'certificates',
    'clustertrustbundles',
    'ClusterTrustBundle',
    { spec: { signerName: [] } },
    {},
    403,
    'clustertrustbundles.certificates.k8s.io "own" is forbidden: expected type ClusterTrustBundle, got: <nil>',
  ],
  [
    'scheduling',
    'priorityclasses',
    'PriorityClass',
    { globalDefault: true },
    {},
    400,
    'resource was marked with kind PriorityClass but was unable to be converted',
  ],
  [
    'resource',
    'resourceslices',
    'ResourceSlice',
    { spec: 'n' },
    NODE,
    403,
    'resourceslices.resource.k8s.io "own" is forbidden: unexpected type *unstructured.Unstructured',
  ],
  [
    'storage',
    'csinodes',
    'CSINode',
    {},
    NODE,
    403,
    'csinodes.storage.k8s.io "own" is forbidden: can only access CSINode with the same name as the requesting node',
  ],
])(
  '%s %s: field labels of the built-in kind are refused, whatever the objects contain',
  async (stem, plural, kind, more, headers, code, message) => {
    const { make } = await imitate(`${stem}.k8s.io`, plural, kind);
    expect(await make(more, headers)).toMatchObject({ status: code, message });
  },
);

it('of another group must be in an existing namespace', async () => {
  const { make, collection } = await imitate(
    'example.com',
    'localsubjectaccessreviews',
    'LocalSubjectAccessReview',
    'Namespaced',
  );
  expect(await make()).toMatchObject({ status: 201 });
  const missing = collection.replace('/default/', '/missing/');
  const body = { apiVersion: 'example.com/v9', kind: 'LocalSubjectAccessReview', metadata: { name: 'a' } };
  expect(await post(missing, body)).toMatchObject({
    status: 404,
    message: 'namespaces "missing" not found',
  });
});
