import fc from 'fast-check';
import type { ApiServer, UserInfo } from '../../../src/index.js';
import { advance } from '../../../src/testing/advance.js';
import { requestsTo, send, textOf } from '../../support/ask.js';

const admin = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };

/** One step of a random workload: which action, on which of a few objects, with which small number. */
export interface Step {
  readonly action: keyof typeof ACTIONS;
  readonly namespace: string;
  readonly name: string;
  readonly value: number;
}

type Requests = ReturnType<typeof requestsTo>;
type Action = (to: Requests, step: Step, server: ApiServer) => Promise<unknown>;

const core = (namespace: string, plural: string, name = '') =>
  `/api/v1/namespaces/${namespace}/${plural}${name === '' ? '' : `/${name}`}`;

/** Returns the uid of an object, or one that no object has. */
async function uidOf(to: Requests, path: string): Promise<string> {
  const { value } = await to.get(path);
  return value.metadata?.uid ?? '00000000-0000-4000-8000-000000000000';
}

const widgets = (conversion: boolean) => ({
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: ['v1', 'v2'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      subresources: { status: {} },
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: { type: 'object', properties: { size: { type: 'integer', default: 1, maximum: 6 } } },
            status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
      },
    })),
    ...(conversion ? {} : { preserveUnknownFields: false }),
  },
});

const ACTIONS = {
  create: (to, { namespace, name, value }) =>
    to.post(core(namespace, 'configmaps'), {
      metadata: { name, labels: { value: String(value) }, ...(value === 3 && { finalizers: ['example.com/held'] }) },
      data: { value: String(value) },
    }),
  generate: (to, { namespace }) => to.post(core(namespace, 'configmaps'), { metadata: { generateName: 'g-' } }),
  patch: (to, { namespace, name, value }) =>
    to.merge(core(namespace, 'configmaps', name), { data: { value: `${value}` } }),
  apply: (to, { namespace, name, value }) =>
    to.apply(`${core(namespace, 'configmaps', name)}?fieldManager=m${value}&force=${value % 2 === 0}`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
      data: { [`k${value}`]: 'x' },
    }),
  release: (to, { namespace, name }) =>
    to.merge(core(namespace, 'configmaps', name), { metadata: { finalizers: null } }),
  remove: (to, { namespace, name, value }) =>
    to.remove(core(namespace, 'configmaps', name), {
      propagationPolicy: ['Background', 'Foreground', 'Orphan', 'Background'][value],
    }),
  removeAll: (to, { namespace, value }) => to.remove(`${core(namespace, 'configmaps')}?labelSelector=value%3D${value}`),
  depend: async (to, { namespace, name, value }) => {
    const uid = await uidOf(to, core(namespace, 'configmaps', name));
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name, uid, blockOwnerDeletion: value > 1 };
    return to.post(core(namespace, 'secrets'), { metadata: { name: `of-${name}-${value}`, ownerReferences: [owner] } });
  },
  namespace: (to, { namespace }) => to.post('/api/v1/namespaces', { metadata: { name: namespace } }),
  removeNamespace: (to, { namespace }) =>
    namespace === 'default' ? Promise.resolve() : to.remove(`/api/v1/namespaces/${namespace}`),
  event: (to, { namespace, name, value }) =>
    to.post(core(namespace, 'events'), {
      metadata: { name: `${name}-${value}` },
      involvedObject: { kind: 'ConfigMap', namespace, name },
      reason: 'Tested',
    }),
  lease: async (to, { namespace, name, value }) => {
    const path = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
    await to.post(path, { metadata: { name }, spec: { holderIdentity: name, leaseDurationSeconds: 15 } });
    return to.merge(`${path}/${name}`, { spec: { leaseTransitions: value } });
  },
  account: (to, { namespace, name }) => to.post(core(namespace, 'serviceaccounts'), { metadata: { name } }),
  token: (to, { namespace, name, value }) =>
    to.post(`${core(namespace, 'serviceaccounts', value === 0 ? 'default' : name)}/token`, {
      spec: { expirationSeconds: 600 + value },
    }),
  accountSecret: (to, { namespace, name }) =>
    to.post(core(namespace, 'secrets'), {
      metadata: { name: `token-${name}`, annotations: { 'kubernetes.io/service-account.name': name } },
      type: 'kubernetes.io/service-account-token',
    }),
  bootstrapToken: (to, { value }, server) =>
    to.post(core('kube-system', 'secrets'), {
      metadata: { name: `bootstrap-token-00000${value}` },
      type: 'bootstrap.kubernetes.io/token',
      stringData: {
        'token-id': `00000${value}`,
        'token-secret': '0123456789abcdef',
        expiration: `${new Date(server.clock.now() + 1000 * 60 * value).toISOString().slice(0, 19)}Z`,
        'usage-bootstrap-signing': 'true',
      },
    }),
  quota: (to, { namespace, value }) =>
    to.post(core(namespace, 'resourcequotas'), {
      metadata: { name: 'q' },
      spec: { hard: { configmaps: `${value + 3}` } },
    }),
  pod: (to, { namespace, name, value }) =>
    to.post(core(namespace, 'pods'), {
      metadata: { name, labels: { app: `${value % 2}` } },
      spec: { containers: [{ name: 'c', image: 'i' }], ...(value > 1 && { nodeName: 'n' }) },
    }),
  removePod: (to, { namespace, name, value }) =>
    to.remove(core(namespace, 'pods', name), value === 0 ? {} : { gracePeriodSeconds: value - 1 }),
  readyPod: (to, { namespace, name }) =>
    to.merge(`${core(namespace, 'pods', name)}/status`, {
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    }),
  budget: (to, { namespace, value }) =>
    to.post(`/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`, {
      metadata: { name: 'b' },
      spec: { maxUnavailable: value, selector: { matchLabels: { app: '1' } } },
    }),
  evict: (to, { namespace, name }) =>
    to.post(`${core(namespace, 'pods', name)}/eviction`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name, namespace },
    }),
  define: (to, { value }) => to.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgets(value > 1)),
  undefine: (to, { value }) =>
    value === 0
      ? to.remove('/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com')
      : Promise.resolve(),
  widget: (to, { namespace, name, value }) =>
    to.post(`/apis/example.com/v${1 + (value % 2)}/namespaces/${namespace}/widgets`, {
      apiVersion: `example.com/v${1 + (value % 2)}`,
      kind: 'Widget',
      metadata: { name },
      spec: value === 0 ? {} : { size: value * 3 },
    }),
  role: (to, { namespace, name, value }) =>
    to.post(`/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/roles`, {
      metadata: { name },
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'].slice(value % 2) }],
    }),
  service: (to, { namespace, name, value }) =>
    to.post(core(namespace, 'services'), {
      metadata: { name },
      spec: { ports: [{ port: 80 }], ...(value > 1 && { type: 'NodePort' }) },
    }),
  removeService: (to, { namespace, name }) => to.remove(core(namespace, 'services', name)),
  policy: (to, { name, value }) =>
    to.post('/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies', {
      metadata: { name },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        },
        validations: [{ expression: `object.metadata.name != 'never${value}'` }],
      },
    }),
  bindPolicy: (to, { name }) =>
    to.post('/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings', {
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'] },
    }),
  settle: (_to, _step, server) => server.settle(),
  second: (_to, { value }, server) => advance(server, value * 700),
  minutes: (_to, { value }, server) => advance(server, value * 97_531),
  hour: (_to, { value }, server) => (value === 0 ? advance(server, 3_601_500) : Promise.resolve()),
} satisfies Record<string, Action>;

/** A random step. */
export const step: fc.Arbitrary<Step> = fc.record({
  action: fc.constantFrom(...(Object.keys(ACTIONS) as (keyof typeof ACTIONS)[])),
  namespace: fc.constantFrom('default', 'one', 'two'),
  name: fc.constantFrom('a', 'b', 'c'),
  value: fc.integer({ min: 0, max: 3 }),
});

async function perform(server: ApiServer, each: Step, user: UserInfo): Promise<string> {
  const to = requestsTo(server, { user });
  const action: Action = ACTIONS[each.action];
  const answer = await action(to, each, server);
  const { status = '', text = '' } = (answer ?? {}) as { status?: number; text?: string };
  return `${each.action} ${each.namespace}/${each.name} ${each.value}: ${status} ${text}`;
}

/** Performs steps, one after the other, as a user who may do everything. Returns the responses as text. */
export async function performAll(server: ApiServer, steps: readonly Step[], user: UserInfo = admin): Promise<string> {
  const answers: string[] = [];
  for (const each of steps) answers.push(await perform(server, each, user));
  return answers.join('\n');
}

/** The resources that steps change, as paths. */
const RESOURCES = [
  '/api/v1/configmaps',
  '/api/v1/secrets',
  '/api/v1/events',
  '/api/v1/namespaces',
  '/api/v1/pods',
  '/api/v1/serviceaccounts',
  '/api/v1/services',
  '/api/v1/resourcequotas',
  '/apis/coordination.k8s.io/v1/leases',
  '/apis/policy/v1/poddisruptionbudgets',
  '/apis/rbac.authorization.k8s.io/v1/roles',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
  '/apis/example.com/v1/widgets',
  '/apis/example.com/v2/widgets',
  '/apis',
  '/apis/example.com/v1',
  '/openapi/v3',
];

/** Returns everything that a client can read at this moment: lists, and the events of watches from old versions. */
export async function everythingOf(server: ApiServer, versions: readonly number[] = []): Promise<string> {
  const { get } = requestsTo(server, { user: admin });
  const lines: string[] = [];
  for (const path of RESOURCES) {
    const { status, text } = await get(path);
    lines.push(`${path} ${status} ${text}`);
    for (const version of path.startsWith('/apis/example') ? [] : versions)
      if (path.split('/').length > 3) lines.push(`${path} since ${version}\n${await watched(server, path, version)}`);
  }
  for (const version of versions) {
    let state: string;
    try {
      state = JSON.stringify(server.snapshot(version).objects());
    } catch (error) {
      state = String(error);
    }
    lines.push(`at ${version}: ${state}`);
  }
  return lines.join('\n');
}

/** Returns the events that a watch from a version sends at once. */
async function watched(server: ApiServer, path: string, version: number): Promise<string> {
  const { status, body } = await send(
    server,
    { path, query: `watch=1&resourceVersion=${version}&allowWatchBookmarks=true` },
    { user: admin },
  );
  if (body.type !== 'stream') return `${status} ${textOf(body)}`;
  const chunks: Uint8Array[] = [];
  for (let taken = body.stream.take(); taken.length > 0; taken = body.stream.take()) chunks.push(...taken);
  body.stream.close();
  return Buffer.concat(chunks).toString();
}
