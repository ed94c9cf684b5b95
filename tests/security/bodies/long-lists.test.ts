import { describe, expect, it } from 'vitest';
import { decodeBase64, encodeBase64 } from '../../../src/values/base64.js';
import { requestsTo } from '../../support/ask.js';
import { openSuiteServer } from '../../support/servers.js';

/*
 * A spread list becomes the arguments of a call (`push(...list)`, `Math.max(...list)`), and some 120,000 arguments exhaust the stack,
 * which would be a 500. No list that a client sends may cause that.
 */
const N = 200_000;
const CORE = '/api/v1/namespaces/default';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const many = <T>(item: T): T[] => Array<T>(N).fill(item);
const numbered = (text: (i: number) => string) => Array.from({ length: N }, (_, i) => text(i));

const server = openSuiteServer();
const { get, post, put, remove, send } = requestsTo(server);

const pod = (spec: object) => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});
const container = (more: object) => pod({ containers: [{ name: 'c', image: 'i', ...more }] });
const affinity = (more: object) => pod({ affinity: more });
const POST: Readonly<Record<string, readonly [path: string, body: object]>> = {
  'metadata: owner references': [`${CORE}/configmaps`, { metadata: { name: 'a', ownerReferences: many({}) } }],
  'metadata: finalizers': [`${CORE}/configmaps`, { metadata: { name: 'a', finalizers: numbered((i) => `-${i}`) } }],
  'metadata: managed fields': [`${CORE}/configmaps`, { metadata: { name: 'a', managedFields: many({}) } }],
  'metadata: labels': [
    `${CORE}/configmaps`,
    { metadata: { name: 'a', labels: Object.fromEntries(numbered((i) => `-${i}`).map((key) => [key, '-'])) } },
  ],
  'a config map: bad keys': [
    `${CORE}/configmaps`,
    { metadata: { name: 'a' }, data: Object.fromEntries(numbered((i) => `/${i}`).map((key) => [key, ''])) },
  ],
  'a pod: containers': [`${CORE}/pods`, pod({ containers: many({}) })],
  'a pod: ephemeral containers': [`${CORE}/pods`, pod({ ephemeralContainers: many({}) })],
  'a pod: volumes': [`${CORE}/pods`, pod({ volumes: many({}) })],
  'a pod: projected sources': [`${CORE}/pods`, pod({ volumes: [{ name: 'v', projected: { sources: many({}) } }] })],
  'a pod: items of a volume': [
    `${CORE}/pods`,
    pod({ volumes: [{ name: 'v', secret: { secretName: 's', items: many({}) } }] }),
  ],
  'a pod: environment': [`${CORE}/pods`, container({ env: many({}) })],
  'a pod: environment from': [`${CORE}/pods`, container({ envFrom: many({}) })],
  'a pod: ports': [`${CORE}/pods`, container({ ports: many({}) })],
  'a pod: mounts': [`${CORE}/pods`, container({ volumeMounts: many({}) })],
  'a pod: tolerations': [`${CORE}/pods`, pod({ tolerations: many({ key: '-' }) })],
  'a pod: gates': [`${CORE}/pods`, pod({ schedulingGates: many({}) })],
  'a pod: readiness gates': [`${CORE}/pods`, pod({ readinessGates: many({}) })],
  'a pod: host aliases': [`${CORE}/pods`, pod({ hostAliases: many({}) })],
  'a pod: terms of nodes': [
    `${CORE}/pods`,
    affinity({
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: many({ matchFields: [{}] }) },
      },
    }),
  ],
  'a pod: expressions of nodes': [
    `${CORE}/pods`,
    affinity({
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: many({}) }] },
      },
    }),
  ],
  'a pod: namespaces of a term': [
    `${CORE}/pods`,
    affinity({
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'k', namespaces: many('-') }],
      },
    }),
  ],
  'a pod: expressions of a label selector': [
    `${CORE}/pods`,
    affinity({
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'k', labelSelector: { matchExpressions: many({}) } },
        ],
      },
    }),
  ],
  'a role: rules': [`${RBAC}/namespaces/default/roles`, { metadata: { name: 'r' }, rules: many({}) }],
  'a role: names of a rule': [
    `${RBAC}/namespaces/default/roles`,
    { metadata: { name: 'r' }, rules: [{ verbs: ['get'], apiGroups: [''], resources: many('x') }] },
  ],
  'a cluster role: selectors': [
    `${RBAC}/clusterroles`,
    { metadata: { name: 'r' }, aggregationRule: { clusterRoleSelectors: many({ matchLabels: { '-': '' } }) } },
  ],
  'a binding: subjects': [
    `${RBAC}/namespaces/default/rolebindings`,
    {
      metadata: { name: 'b' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: many({}),
    },
  ],
  'an access review: groups': [
    '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    { spec: { groups: many('g'), nonResourceAttributes: { path: '/', verb: 'get' } } },
  ],
  'a signing request: usages': [
    '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    { metadata: { name: 'c' }, spec: { request: 'LQ==', signerName: 'a.b/c', usages: many('x') } },
  ],
};

describe('lists of 200,000', () => {
  it.each(Object.keys(POST))('%s', async (name) => {
    const [path, body] = POST[name] ?? ['', {}];
    const { status, value } = await post(`${path}?dryRun=All&fieldValidation=Strict`, body);
    expect(JSON.stringify(value).slice(0, 2_000)).not.toMatch(/call stack|RangeError/);
    expect(status).toBeLessThan(500);
  });

  it.each([
    ['of dry runs do not fail the server', `dryRun=${many('x').join('&dryRun=')}`],
    ['of terms of a label selector do not fail the server', `labelSelector=${numbered((i) => `k${i}`).join(',')}`],
    ['of terms of a field selector do not fail the server', `fieldSelector=${many('metadata.name!=x').join(',')}`],
  ])('%s', async (_, query) => {
    const { status } = await get(`${CORE}/configmaps?${query}`);
    expect(status).toBeLessThan(500);
  });

  it('delete options, and a strategic patch of lists', async () => {
    const path = `${CORE}/configmaps/listed`;
    await post(`${CORE}/configmaps`, { metadata: { name: 'listed' } });
    // This is the maximum number that one stored object can contain.
    const most = numbered((i) => `a/${i}`).slice(0, 130_000);
    const patch = { metadata: { finalizers: most } };
    const headers = { 'content-type': 'application/strategic-merge-patch+json' };
    expect(await send('PATCH', path, patch, { headers })).toMatchObject({ status: 200 });
    expect(await remove(path)).toMatchObject({ status: 200 });
    const others = { metadata: { name: 'listed', finalizers: numbered((i) => `c.d/${i}`) } };
    expect(await put(path, others)).toMatchObject({ status: 422 });
    const refused = await remove(path, { dryRun: many('x') });
    expect(refused).toMatchObject({ status: 422 });
  });

  it('bytes', () => {
    const bytes = new Uint8Array(N).fill(65);
    expect(decodeBase64(encodeBase64(bytes))).toEqual(bytes);
  });
});
