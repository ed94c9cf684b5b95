import { describe, expect, it } from 'vitest';
import type { ApiServer } from '../../src/api-server.js';
import { admissionOptions } from '../../src/cli/authorization-options.js';
import { parseFlags } from '../../src/cli/parse-flags.js';
import { defaultAuthorization } from '../../src/exports/authorization.js';
import type { Fetch } from '../../src/meta/fetch.js';
import { ask } from '../support/ask.js';
import { closeAfterTest, openServer } from '../support/servers.js';

/*
 * Plug-ins that are off by default, each enabled by its name. Rows have a pod, the objects in its namespace, and the result: a part of
 * the stored spec, or the refusal.
 */
const NAMESPACE = 'ns';
async function serverWith(plugin: string, annotations: object = {}, more: object = {}): Promise<ApiServer> {
  const flags = ['--dialect=k8s', `--enable-admission-plugins=${plugin}`, '--disable-admission-plugins=ServiceAccount'];
  const server = closeAfterTest(
    await openServer({
      dialect: 'k8s',
      admission: await admissionOptions(parseFlags([...flags, '--disable-admission-plugins=DefaultTolerationSeconds'])),
      ...more,
    }),
  );
  await server.load([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE, annotations } }]);
  return server;
}
const write = (server: ApiServer, kind: string, body: object, name = '', namespace = NAMESPACE) =>
  ask(server, {
    method: name === '' ? 'POST' : 'PUT',
    path: `/api/v1/namespaces/${namespace}/${kind}${name === '' ? '' : `/${name}`}`,
    body,
  });
const container = { name: 'c', image: 'i' };
const podOf = (spec: object, metadata: object = { name: 'p' }) => ({
  metadata,
  spec: { containers: [container], ...spec },
});
const made = async (server: ApiServer, spec: object) => {
  const { status, value, message } = await write(server, 'pods', podOf(spec));
  return status === 201 ? value.spec : `${status} ${message}`;
};
const deny = (why: string) => `403 pods "p" is forbidden: ${why}`;

describe('AlwaysDeny', () => {
  it('refuses every write, deletions and connections included', async () => {
    const server = await serverWith('AlwaysAdmit');
    await write(server, 'configmaps', { metadata: { name: 'a' } });
    const why = 'admission control is denying all modifications';
    const closed = await serverWith('AlwaysDeny').catch((error: Error) => error.message);
    expect(closed).toContain(why);
  });
});

describe('AlwaysPullImages', () => {
  it('sets the policy of every container, and ignores updates that change no image', async () => {
    const server = await serverWith('AlwaysPullImages');
    const spec = await made(server, { initContainers: [{ ...container, name: 'i', imagePullPolicy: 'Never' }] });
    expect([...spec.containers, ...spec.initContainers].map(({ imagePullPolicy }) => imagePullPolicy)).toEqual([
      'Always',
      'Always',
    ]);
    const { value } = await ask(server, { path: `/api/v1/namespaces/${NAMESPACE}/pods/p` });
    value.spec.containers[0].image = 'other';
    value.spec.containers[0].imagePullPolicy = 'Never';
    const changed = await write(server, 'pods', value, 'p');
    expect(changed.value.spec.containers[0]).toMatchObject({ image: 'other', imagePullPolicy: 'Always' });
  });
});

describe('PodNodeSelector', () => {
  const KEY = 'scheduler.alpha.kubernetes.io/node-selector';
  it.each([
    [{}, { a: 'b' }, { a: 'b' }],
    [{ [KEY]: '' }, undefined, undefined],
    [{ [KEY]: 'infra = false' }, { env: 'test' }, { infra: 'false', env: 'test' }],
    [
      { [KEY]: 'infra=false' },
      { infra: 'true' },
      deny('pod node label selector conflicts with its namespace node label selector'),
    ],
    [{ [KEY]: 'a' }, {}, '500 invalid selector: [a]'],
    [
      { [KEY]: 'a b=c' },
      {},
      `500 <nil>: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
    ],
  ])('%j with %j: %j', async (annotations, nodeSelector, expected) => {
    const spec = await made(await serverWith('PodNodeSelector', annotations), { nodeSelector });
    expect(typeof spec === 'string' ? spec : spec.nodeSelector).toEqual(expected);
  });
});

describe('PodTolerationRestriction', () => {
  const DEFAULTS = 'scheduler.alpha.kubernetes.io/defaultTolerations';
  const ALLOWED = 'scheduler.alpha.kubernetes.io/tolerationsWhitelist';
  const equal = (value: string, more: object = {}) => ({
    key: 'k',
    operator: 'Equal',
    value,
    effect: 'NoSchedule',
    ...more,
  });
  const pressure = { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' };
  const whose = (name: string) =>
    `500 pod tolerations (possibly merged with namespace default tolerations) conflict with its ${name} whitelist`;
  const burstable = { containers: [{ ...container, resources: { requests: { cpu: '1' } } }] };
  it.each<[object, object, object, unknown]>([
    [{}, {}, { tolerations: [equal('v')] }, [equal('v')]],
    [{ [DEFAULTS]: [equal('v')] }, {}, {}, [equal('v')]],
    [{ [DEFAULTS]: [equal('v')] }, {}, { tolerations: [equal('w')] }, [equal('w'), equal('v')]],
    [{ [DEFAULTS]: '' }, {}, {}, undefined],
    [{ [ALLOWED]: [equal('v')] }, {}, { tolerations: [equal('w')] }, whose('namespace')],
    [{ [ALLOWED]: [{ operator: 'Exists' }] }, {}, { tolerations: [equal('w')] }, [equal('w')]],
    [{ [ALLOWED]: [] }, {}, { tolerations: [equal('w')] }, [equal('w')]],
    [{}, {}, burstable, [pressure]],
    [{ [ALLOWED]: [equal('v')] }, {}, burstable, whose('namespace')],
    [{ [DEFAULTS]: '[' }, {}, {}, '500 unexpected end of JSON input'],
    [{ [DEFAULTS]: '[{"Key":"k","OPERATOR":"Equal","Value":"v","effect":"NoSchedule"}]' }, {}, {}, [equal('v')]],
    [{ [DEFAULTS]: '{}' }, {}, {}, '500 json: cannot unmarshal object into Go value of type []v1.Toleration'],
    // A conflict is found before the pod is validated.
    [{ [ALLOWED]: [equal('v')] }, {}, { tolerations: [equal('w')], restartPolicy: 'x' }, whose('namespace')],
  ])('%j %j %j: %j', async (annotations, _, pod, expected) => {
    const texts = Object.entries(annotations).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const spec = await made(await serverWith('PodTolerationRestriction', Object.fromEntries(texts)), pod);
    expect(typeof spec === 'string' ? spec : spec.tolerations).toEqual(expected);
  });
});

describe('ExtendedResourceToleration', () => {
  const device = (...names: string[]) => {
    const amounts = Object.fromEntries(names.map((name) => [name, '1']));
    return { ...container, resources: { limits: amounts, requests: amounts } };
  };
  const of = (key: string) => ({ key, operator: 'Exists', effect: 'NoSchedule' });
  it.each([
    [[device('cpu')], [], undefined],
    [[device('b.com/x', 'a.com/y', 'cpu')], [], [of('a.com/y'), of('b.com/x')]],
    [[device('a.com/y')], [of('a.com/y'), of('z')], [of('a.com/y'), of('z')]],
    [[device('kubernetes.io/y', 'cpu')], [], undefined],
  ])('%j %j: %j', async (containers, tolerations, expected) => {
    const spec = await made(await serverWith('ExtendedResourceToleration'), { containers, tolerations });
    expect(spec.tolerations).toEqual(expected);
  });
});

it('LimitPodHardAntiAffinityTopology allows required anti-affinity only per node', async () => {
  const server = await serverWith('LimitPodHardAntiAffinityTopology');
  const apart = (topologyKey: string) => ({
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: { matchLabels: { a: 'b' } } }],
      },
    },
  });
  expect(await made(server, apart('zone'))).toBe(
    deny(
      'affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but only key kubernetes.io/hostname is allowed',
    ),
  );
  expect(await made(server, apart('kubernetes.io/hostname'))).toMatchObject({ restartPolicy: 'Always' });
});

it('DenyServiceExternalIPs allows external addresses to be removed, but not to be added', async () => {
  const server = await serverWith('DenyServiceExternalIPs');
  const spec = { ports: [{ port: 80 }] };
  const with2 = { metadata: { name: 's' }, spec: { ...spec, externalIPs: ['1.1.1.1'] } };
  expect((await write(server, 'services', with2)).message).toBe(
    'services "s" is forbidden: Use of external IPs is denied by admission control',
  );
  const { value } = await write(server, 'services', { metadata: { name: 's' }, spec });
  const added = { ...value, spec: { ...value.spec, externalIPs: ['1.1.1.1'] } };
  expect((await write(server, 'services', added, 's')).status).toBe(403);
});

describe('namespaces of created objects', () => {
  it('NamespaceAutoProvision creates the namespace of a new object, but not in a dry run', async () => {
    const server = await serverWith('NamespaceAutoProvision');
    const path = '/api/v1/namespaces/fresh/configmaps';
    const body = { metadata: { name: 'a' } };
    expect((await ask(server, { method: 'POST', path, body, query: 'dryRun=All' })).status).toBe(404);
    expect((await ask(server, { method: 'POST', path, body })).status).toBe(201);
    expect((await ask(server, { path: '/api/v1/namespaces/fresh' })).value.status.phase).toBe('Active');
  });
  it('NamespaceExists refuses an object in an absent namespace', async () => {
    const server = await serverWith('NamespaceExists');
    const { message } = await write(server, 'configmaps', { metadata: { name: 'a' } }, '', 'none');
    expect(message).toBe('namespaces "none" not found');
  });
});

describe('EventRateLimit', () => {
  const event = (name: string, more: object = {}) => ({
    metadata: { name },
    involvedObject: { kind: 'Pod', namespace: NAMESPACE, name: 'p' },
    ...more,
  });
  it('does not start without limits', async () => {
    await expect(serverWith('EventRateLimit')).rejects.toThrow(
      `failed to initialize admission: couldn't init admission plugin "EventRateLimit": limits: Invalid value: []eventratelimit.Limit(nil): must not be empty`,
    );
  });
  it('allows a burst, then a number per second; dry runs do not count', async () => {
    const { eventRateLimit } = await import('../../src/exports/admission.js');
    let now = 1_700_000_000_000;
    const clock = { now: () => now, setTimer: () => () => {} };
    const limits = [{ type: 'SourceAndObject', qps: 1, burst: 2, cacheSize: 0 }] as const;
    const server = closeAfterTest(
      await openServer({
        dialect: 'k8s',
        clock,
        admission: (defaults) => [...defaults, eventRateLimit({ limits })],
      }),
    );
    await server.load([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } }]);
    const post = async (name: string, more?: object) => {
      const { status, message } = await write(server, 'events', event(name, more));
      return status === 201 ? 201 : message;
    };
    const path = `/api/v1/namespaces/${NAMESPACE}/events`;
    await ask(server, { method: 'POST', path, body: event('dry'), query: 'dryRun=All' });
    expect([await post('a'), await post('b'), await post('c')]).toEqual([
      201,
      201,
      'Too many requests: limit reached on type SourceAndObject for key Podnsp',
    ]);
    expect(await post('d', { source: { component: 'x' } })).toBe(201);
    now += 1000;
    expect([await post('e'), await post('f')]).toEqual([201, expect.stringContaining('Too many requests')]);
  });
});

describe('OwnerReferencesPermissionEnforcement', () => {
  const owner = (more: object = {}) => ({ apiVersion: 'v1', kind: 'Pod', name: 'o', uid: 'u', ...more });
  const rule = (resources: string[], verbs: string[]) => ({ apiGroups: [''], resources, verbs });
  const config = (...ownerReferences: object[]) => ({ metadata: { name: 'a', ownerReferences } });
  const NO_BLOCK =
    '403 configmaps "a" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can\'t set finalizers on: , <nil>';
  it.each([
    ['allows a create with an owner', [], 'POST', config(owner()), 201],
    [
      'refuses blockOwnerDeletion without permission',
      [],
      'POST',
      config(owner({ blockOwnerDeletion: true })),
      NO_BLOCK,
    ],
    [
      'allows blockOwnerDeletion with permission',
      [rule(['pods/finalizers'], ['update'])],
      'POST',
      config(owner({ blockOwnerDeletion: true })),
      201,
    ],
    [
      'refuses blockOwnerDeletion for an unknown kind',
      [],
      'POST',
      config(owner({ kind: 'Nothing', blockOwnerDeletion: true })),
      '403 configmaps "a" is forbidden: cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion v1 Kind Nothing: no matches for kind "Nothing" in version "v1"',
    ],
    [
      'refuses an update of owners without permission',
      [],
      'PUT',
      config(owner()),
      '403 configmaps "a" is forbidden: cannot set an ownerRef on a resource you can\'t delete: , <nil>',
    ],
    ['allows an update of owners with permission', [rule(['configmaps'], ['delete'])], 'PUT', config(owner()), 200],
    ['allows an update that changes no owners', [], 'PUT', config(), 200],
  ] as const)('%s', async (_, rules, method, body, expected) => {
    const server = await serverWith(
      'OwnerReferencesPermissionEnforcement',
      {},
      { authorization: defaultAuthorization },
    );
    const metadata = { name: 'r', namespace: NAMESPACE };
    const apiVersion = 'rbac.authorization.k8s.io/v1';
    await server.load([
      { apiVersion, kind: 'Role', metadata, rules: [rule(['configmaps'], ['create', 'update']), ...rules] },
      {
        apiVersion,
        kind: 'RoleBinding',
        metadata,
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
        subjects: [{ kind: 'User', name: 'eve', apiGroup: 'rbac.authorization.k8s.io' }],
      },
      ...(method === 'PUT'
        ? [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: NAMESPACE } }]
        : []),
    ]);
    const path = `/api/v1/namespaces/${NAMESPACE}/configmaps${method === 'PUT' ? '/a' : ''}`;
    const user = { username: 'eve', groups: ['system:authenticated'] };
    const { status, message } = await ask(server, { method, path, body }, { user });
    expect(status < 300 ? status : `${status} ${message}`).toBe(expected);
  });
});

describe('ImagePolicyWebhook', () => {
  const answering =
    (status: object | number, asked: object[] = []): Fetch =>
    async (_url, init) => {
      asked.push(JSON.parse(String(init?.body)));
      if (typeof status === 'number') return new Response('no', { status });
      return Response.json({ apiVersion: 'imagepolicy.k8s.io/v1alpha1', kind: 'ImageReview', status });
    };
  async function outcome(fetch: Fetch, defaultAllow = false) {
    const { imagePolicyWebhook } = await import('../../src/exports/admission.js');
    const plugin = imagePolicyWebhook({ connection: { server: 'https://images.example/' }, defaultAllow });
    const server = closeAfterTest(await openServer({ dialect: 'k8s', fetch, admission: () => [plugin] }));
    await server.load([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } }]);
    const pod = podOf({}, { name: 'p', annotations: { a: 'b', 'my.image-policy.k8s.io/x': 'y' } });
    const { status, message } = await write(server, 'pods', pod);
    return status === 201 ? status : `${status} ${message}`;
  }
  it.each<[object | number, boolean, unknown]>([
    [{ allowed: true }, false, 201],
    [{ allowed: false }, true, deny('one or more images rejected by webhook backend')],
    [{ allowed: false, reason: 'old' }, false, deny('image policy webhook backend denied one or more images: old')],
    [403, true, 201],
    [403, false, expect.stringContaining('403 pods "p" is forbidden: ')],
  ])('%j %j: %j', async (status, defaultAllow, expected) => {
    expect(await outcome(answering(status), defaultAllow)).toEqual(expected);
  });
  it('sends the images, the namespace, and the annotations for the webhook', async () => {
    const asked: { spec?: object }[] = [];
    await outcome(answering({ allowed: true }, asked));
    expect(asked.map(({ spec }) => spec)).toEqual([
      { containers: [{ image: 'i' }], annotations: { 'my.image-policy.k8s.io/x': 'y' }, namespace: NAMESPACE },
    ]);
  });
});
