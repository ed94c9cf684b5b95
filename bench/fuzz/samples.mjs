// Valid bodies, from which random requests are derived.
const meta = (name) => ({ name, labels: { app: 'fuzz', tier: 'one' }, annotations: { note: 'ä' } });

export const NAMESPACES = ['default', 'fuzz', 'missing'];
export const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];
export const GROUPS = ['rbac.authorization.k8s.io', 'coordination.k8s.io', 'certificates.k8s.io', 'events.k8s.io'];

/** By collection: whether it is namespaced, the prefix of its path, its subresources, and an object. */
export const KINDS = [
  kind('configmaps', 'v1', 'ConfigMap', true, (m) => ({
    metadata: m,
    data: { a: '1', b: '2' },
    binaryData: { c: 'AAE=' },
  })),
  kind('secrets', 'v1', 'Secret', true, (m) => ({
    metadata: m,
    type: 'Opaque',
    data: { a: 'YQ==' },
    stringData: { b: 'x' },
  })),
  kind('serviceaccounts', 'v1', 'ServiceAccount', true, (m) => ({ metadata: m, secrets: [{ name: 'a' }] }), ['token']),
  kind('pods', 'v1', 'Pod', true, pod, ['status']),
  kind('events', 'v1', 'Event', true, (m) => ({
    metadata: m,
    involvedObject: { kind: 'Pod', namespace: 'default', name: 'a' },
    reason: 'Because',
    source: { component: 'fuzz' },
    count: 1,
  })),
  kind('namespaces', 'v1', 'Namespace', false, (m) => ({ metadata: m }), ['status', 'finalize']),
  kind('nodes', 'v1', 'Node', false, (m) => ({ metadata: m, spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } }), [
    'status',
  ]),
  kind('roles', `${GROUPS[0]}/v1`, 'Role', true, (m) => ({
    metadata: m,
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }],
  })),
  kind('clusterrolebindings', `${GROUPS[0]}/v1`, 'ClusterRoleBinding', false, (m) => ({
    metadata: m,
    roleRef: { apiGroup: GROUPS[0], kind: 'ClusterRole', name: 'view' },
    subjects: [{ kind: 'User', apiGroup: GROUPS[0], name: 'bob' }],
  })),
  kind('leases', `${GROUPS[1]}/v1`, 'Lease', true, (m) => ({
    metadata: m,
    spec: { holderIdentity: 'a', leaseDurationSeconds: 10, renewTime: '2026-01-02T03:04:05.000006Z' },
  })),
  kind(
    'certificatesigningrequests',
    `${GROUPS[2]}/v1`,
    'CertificateSigningRequest',
    false,
    (m) => ({
      metadata: m,
      spec: { request: 'bm8gcmVxdWVzdA==', signerName: 'example.com/a', usages: ['client auth'] },
    }),
    ['status', 'approval'],
  ),
  kind('subjectaccessreviews', 'authorization.k8s.io/v1', 'SubjectAccessReview', false, () => ({
    spec: { user: 'bob', resourceAttributes: { verb: 'get', resource: 'pods' } },
  })),
  kind('selfsubjectrulesreviews', 'authorization.k8s.io/v1', 'SelfSubjectRulesReview', false, () => ({
    spec: { namespace: 'default' },
  })),
  kind('tokenreviews', 'authentication.k8s.io/v1', 'TokenReview', false, () => ({ spec: { token: 'x' } })),
];

/** Paths that are not resources. */
export const PATHS = [
  '/',
  '/api',
  '/apis',
  '/api/v1',
  '/apis/rbac.authorization.k8s.io',
  '/apis/coordination.k8s.io/v1',
  '/version',
  '/healthz',
  '/livez/ping',
  '/readyz?verbose',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/api/v1',
  '/.well-known/openid-configuration',
  '/openid/v1/jwks',
];

function kind(plural, apiVersion, name, namespaced, body, subresources = []) {
  const prefix = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return {
    plural,
    apiVersion,
    kind: name,
    namespaced,
    prefix,
    subresources,
    sample: (n) => ({ apiVersion, kind: name, ...body(meta(n)) }),
  };
}

function pod(metadata) {
  return {
    metadata,
    spec: {
      containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }], env: [{ name: 'A', value: 'b' }] }],
      tolerations: [{ key: 'k', operator: 'Exists' }],
      volumes: [{ name: 'v', emptyDir: {} }],
    },
  };
}
