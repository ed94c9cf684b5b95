import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { definitionOf } from '../support/definitions.js';
import { startWorld, type World } from './world.js';

// The usage that an object adds and releases during its life.
let world: World;
let namespace: string;
let path: string;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  namespace = await world.namespace();
  path = `/api/v1/namespaces/${namespace}`;
});

const HARD = {
  resourcequotas: '1',
  pods: '5',
  services: '10',
  'services.nodeports': '1',
  'services.loadbalancers': '1',
  replicationcontrollers: '10',
  configmaps: '10',
  secrets: '10',
  persistentvolumeclaims: '10',
  cpu: '1',
  memory: '500Mi',
  'ephemeral-storage': '50Gi',
  'requests.storage': '10Gi',
  'count/replicasets.apps': '5',
  'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '10',
  'gold.storageclass.storage.k8s.io/requests.storage': '10Gi',
  'requests.example.com/dongle': '3',
};
async function quota(spec: object = { hard: HARD }, name = 'test-quota') {
  await world.post(`${path}/resourcequotas`, { metadata: { name }, spec });
  await world.server.settle();
}
async function used(name = 'test-quota') {
  await world.server.settle();
  return (await world.get(`${path}/resourcequotas/${name}`)).status.used;
}
const pod = (name: string, resources: object = {}, more: object = {}) => ({
  metadata: { name },
  spec: { containers: [{ name: 'pause', image: 'pause', resources }], ...more },
});
const refused = async (at: string, body: object) => {
  const { status, message } = await world.send('POST', `${path}/${at}`, { body });
  expect(status, message).toBe(403);
  return message;
};

describe('a quota for every resource', () => {
  it('counts itself at once', async () => {
    await quota();
    expect(await used()).toMatchObject({ resourcequotas: '1', pods: '0', cpu: '0', configmaps: '1' });
    expect(await refused('resourcequotas', { metadata: { name: 'b' }, spec: { hard: { pods: '1' } } })).toBe(
      'resourcequotas "b" is forbidden: exceeded quota: test-quota, requested: resourcequotas=1, used: resourcequotas=1, limited: resourcequotas=1',
    );
  });

  it('counts services and their node ports', async () => {
    await quota();
    const service = (name: string, type: string, more: object = {}) => ({
      metadata: { name },
      spec: { type, ports: [{ port: 80, targetPort: 80 }], ...more },
    });
    await world.post(`${path}/services`, service('a', 'ClusterIP'));
    await world.post(`${path}/services`, service('np', 'NodePort'));
    const balanced = service('lb', 'LoadBalancer', { allocateLoadBalancerNodePorts: true });
    expect(await refused('services', balanced)).toContain('requested: services.nodeports=1');
    expect(await used()).toMatchObject({ services: '2', 'services.nodeports': '1', 'services.loadbalancers': '0' });
    await world.post(`${path}/services`, service('lb', 'LoadBalancer', { allocateLoadBalancerNodePorts: false }));
    expect(await used()).toMatchObject({ services: '3', 'services.nodeports': '1', 'services.loadbalancers': '1' });
    for (const name of ['a', 'np', 'lb']) await world.delete(`${path}/services/${name}`);
    expect(await used()).toMatchObject({ services: '0', 'services.nodeports': '0', 'services.loadbalancers': '0' });
  });

  it('counts pods and their requests', async () => {
    await quota();
    const dongles = { 'example.com/dongle': '2' };
    const requests = { cpu: '500m', memory: '252Mi', 'ephemeral-storage': '30Gi', ...dongles };
    await world.post(`${path}/pods`, pod('test-pod', { requests, limits: dongles }));
    const charged = {
      pods: '1',
      cpu: '500m',
      memory: '252Mi',
      'ephemeral-storage': '30Gi',
      'requests.example.com/dongle': '2',
    };
    expect(await used()).toMatchObject(charged);
    await refused('pods', pod('more-cpu', { requests: { cpu: '600m', memory: '100Mi' } }));
    await refused('pods', pod('more-dongles', { requests: { ...requests, memory: '100Mi' }, limits: dongles }));
    const live = await world.get(`${path}/pods/test-pod`);
    live.spec.containers[0].resources.requests = { cpu: '100m', memory: '100Mi', 'ephemeral-storage': '10Gi' };
    expect((await world.send('PUT', `${path}/pods/test-pod`, { body: live })).status).toBe(422);
    expect(await used()).toMatchObject(charged);
    await world.delete(`${path}/pods/test-pod`, { gracePeriodSeconds: 0 });
    expect(await used()).toMatchObject({ pods: '0', cpu: '0', memory: '0', 'requests.example.com/dongle': '0' });
  });

  it.each([
    ['secrets', 'secrets', '', { data: { a: 'YQ==' } }],
    ['configmaps', 'configmaps', '', { data: { a: 'b' } }],
    ['replicationcontrollers', 'replicationcontrollers', '', { spec: { replicas: 0, selector: { a: 'b' } } }],
    [
      'count/replicasets.apps',
      'replicasets',
      'apps/v1',
      { spec: { replicas: 0, selector: { matchLabels: { a: 'b' } } } },
    ],
  ])('counts %s', async (resource, plural, group, more) => {
    await quota();
    const before = Number((await used())[resource]);
    const all = group ? `/apis/${group}/namespaces/${namespace}/${plural}` : `${path}/${plural}`;
    const { spec } = more as { spec?: object };
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await world.post(all, { metadata: { name: 'one' }, ...more, ...(spec ? { spec: { ...spec, template } } : {}) });
    expect((await used())[resource]).toBe(String(before + 1));
    await world.delete(`${all}/one`);
    expect((await used())[resource]).toBe(String(before));
  });

  it('counts claims, and those of a storage class separately', async () => {
    await quota();
    const claim = (name: string, more: object) => ({
      metadata: { name },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...more },
    });
    await world.post(`${path}/persistentvolumeclaims`, claim('plain', { storageClassName: '' }));
    await world.post(`${path}/persistentvolumeclaims`, claim('dear', { storageClassName: 'gold' }));
    expect(await used()).toMatchObject({
      persistentvolumeclaims: '2',
      'requests.storage': '2Gi',
      'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '1',
      'gold.storageclass.storage.k8s.io/requests.storage': '1Gi',
    });
    for (const name of ['plain', 'dear']) await world.delete(`${path}/persistentvolumeclaims/${name}`);
    expect(await used()).toMatchObject({
      persistentvolumeclaims: '0',
      'requests.storage': '0',
      'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '0',
    });
  });

  it('counts custom resources as soon as they are served', async () => {
    const group = `${namespace}.example.com`;
    const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    const definition = definitionOf('things', 'Thing', { group, schema });
    await world.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
    const resource = `count/things.${group}`;
    await quota({ hard: { [resource]: '1' } });
    const things = `/apis/${group}/v1/namespaces/${namespace}/things`;
    const thing = (name: string) => ({ apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name } });
    expect(await used()).toEqual({ [resource]: '0' });
    await world.post(things, thing('one'));
    expect(await used()).toEqual({ [resource]: '1' });
    expect((await world.send('POST', things, { body: thing('two') })).status).toBe(403);
    await world.delete(`${things}/one`);
    expect(await used()).toEqual({ [resource]: '0' });
    await world.post(things, thing('two'));
    expect(await used()).toEqual({ [resource]: '1' });
  });
});

describe('scopes', () => {
  const requests = { cpu: '500m', memory: '200Mi' };
  const limits = { cpu: '1', memory: '400Mi' };

  it('Terminating and NotTerminating', async () => {
    const hard = {
      pods: '5',
      'requests.cpu': '1',
      'requests.memory': '500Mi',
      'limits.cpu': '2',
      'limits.memory': '1Gi',
    };
    await quota({ hard, scopes: ['Terminating'] }, 'ending');
    await quota({ hard, scopes: ['NotTerminating'] }, 'lasting');
    await world.post(`${path}/pods`, pod('lasts', { requests, limits }));
    const some = {
      pods: '1',
      'requests.cpu': '500m',
      'requests.memory': '200Mi',
      'limits.cpu': '1',
      'limits.memory': '400Mi',
    };
    const none = { pods: '0', 'requests.cpu': '0', 'requests.memory': '0', 'limits.cpu': '0', 'limits.memory': '0' };
    expect([await used('ending'), await used('lasting')]).toEqual([none, some]);
    await world.delete(`${path}/pods/lasts`, { gracePeriodSeconds: 0 });
    expect(await used('lasting')).toEqual(none);
    await world.post(`${path}/pods`, pod('ends', { requests, limits }, { activeDeadlineSeconds: 3600 }));
    expect([await used('ending'), await used('lasting')]).toEqual([some, none]);
  });

  it('BestEffort and NotBestEffort', async () => {
    await quota({ hard: { pods: '5' }, scopes: ['BestEffort'] }, 'best');
    await quota({ hard: { pods: '5' }, scopes: ['NotBestEffort'] }, 'not');
    await world.post(`${path}/pods`, pod('best'));
    expect([await used('best'), await used('not')]).toEqual([{ pods: '1' }, { pods: '0' }]);
    await world.delete(`${path}/pods/best`, { gracePeriodSeconds: 0 });
    await world.post(`${path}/pods`, pod('burst', { requests, limits }));
    expect([await used('best'), await used('not')]).toEqual([{ pods: '0' }, { pods: '1' }]);
  });

  it.each([
    ['In', ['dear'], 1, 0],
    ['NotIn', ['dear'], 0, 1],
    ['Exists', undefined, 1, 0],
    ['In', ['dear', 'cheap'], 2, 0],
  ])('PriorityClass %s %s', async (operator, values, dear, plain) => {
    for (const [name, value] of [
      ['dear', 1000],
      ['cheap', 100],
    ] as const)
      await world.send('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', { body: { metadata: { name }, value } });
    const expression = { scopeName: 'PriorityClass', operator, ...(values ? { values } : {}) };
    await quota({ hard: { pods: '1' }, scopeSelector: { matchExpressions: [expression] } });
    await world.post(`${path}/pods`, pod('dear', {}, { priorityClassName: 'dear' }));
    expect(await used()).toEqual({ pods: dear > 0 ? '1' : '0' });
    const another = await world.send('POST', `${path}/pods`, { body: pod('again', {}, { priorityClassName: 'dear' }) });
    expect(another.status).toBe(dear > 0 ? 403 : 201);
    await world.post(`${path}/pods`, pod('plain'));
    expect(await used()).toEqual({ pods: dear > 0 || plain > 0 ? '1' : '0' });
  });

  it('CrossNamespacePodAffinity', async () => {
    await quota({
      hard: { pods: '1' },
      scopeSelector: { matchExpressions: [{ scopeName: 'CrossNamespacePodAffinity', operator: 'Exists' }] },
    });
    const term = {
      topologyKey: 'region',
      namespaceSelector: { matchExpressions: [{ key: 'team', operator: 'Exists' }] },
    };
    const far = { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
    await world.post(`${path}/pods`, pod('near'));
    expect(await used()).toEqual({ pods: '0' });
    await world.post(`${path}/pods`, pod('far', {}, far));
    expect(await used()).toEqual({ pods: '1' });
    await refused('pods', pod('farther', {}, far));
  });
});

describe('the quota object', () => {
  it('is updated, patched, listed everywhere by label, and deleted as a collection', async () => {
    const metadata = { name: 'e2e-rq', labels: { 'e2e-rq-label': namespace } };
    await world.post(`${path}/resourcequotas`, { metadata, spec: { hard: { cpu: '500m', memory: '500Mi' } } });
    const quotaPath = `${path}/resourcequotas/e2e-rq`;
    const by = `labelSelector=e2e-rq-label%3D${namespace}`;
    const { items, metadata: at } = await world.get(`/api/v1/resourcequotas?${by}`);
    expect(items).toHaveLength(1);
    const patched = await world.patch(
      quotaPath,
      { metadata: { labels: { a: 'patched' } }, spec: { hard: { memory: '750Mi' } } },
      'application/strategic-merge-patch+json',
    );
    expect(patched.spec.hard).toEqual({ cpu: '500m', memory: '750Mi' });
    await world.server.settle();
    const live = await world.get(`${quotaPath}/status`);
    expect(live.status).toEqual({ hard: { cpu: '500m', memory: '750Mi' }, used: { cpu: '0', memory: '0' } });
    live.status.hard = { cpu: '1', memory: '2Gi' };
    const watch = await world.watch(`${path}/resourcequotas?watch=true&${by}&resourceVersion=${at.resourceVersion}`);
    await world.put(`${quotaPath}/status`, live);
    await watch.until(({ object }) => object.status.hard?.memory === '2Gi');
    await world.delete(`${path}/resourcequotas?${by}`);
    await watch.until(({ type }) => type === 'DELETED');
    watch.close();
    expect((await world.get(`/api/v1/resourcequotas?${by}`)).items).toEqual([]);
  });
});
