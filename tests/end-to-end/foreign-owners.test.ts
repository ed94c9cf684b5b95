import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from './world.js';

// Owners that are invalid because they are in another namespace: the effect on the object, and the events about it.
let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const rules = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
// biome-ignore lint/suspicious/noExplicitAny: objects of any kind
type Any = any;

it('owner references to objects in another scope are reported once each, and do not count', async () => {
  const [home, away] = [await world.namespace(), await world.namespace()];
  const maps = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`;
  const owner = async (namespace: string, name: string) => {
    const { uid } = (await world.post(maps(namespace), { metadata: { name } })).metadata;
    return { apiVersion: 'v1', kind: 'ConfigMap', name, uid };
  };
  const [far, other, near] = [await owner(home, 'far'), await owner(home, 'other'), await owner(away, 'near')];
  const dependent = (path: string, name: string, ...ownerReferences: object[]) =>
    world.post(path, { metadata: { name, ownerReferences } });
  await dependent(maps(away), 'lost', far, other);
  await dependent(maps(away), 'kept', near, far);
  await dependent(maps(away), 'misnamed', { ...far, name: 'another' });
  await dependent(maps(away), 'never', { ...far, uid: '00000000-0000-4000-8000-000000000000' });
  await dependent(rules, 'of-cluster', far);
  await world.server.settle();
  await world.patch(`${rules}/of-cluster`, { metadata: { labels: { a: 'b' } } });
  await world.server.settle();

  const left = async (path: string) => (await world.get(path)).items.map(({ metadata }: Any) => metadata.name);
  expect((await left(maps(away))).filter((name: string) => name !== 'kube-root-ca.crt')).toEqual(['kept', 'near']);
  expect((await world.get(`${maps(away)}/kept`)).metadata.ownerReferences).toEqual([near]);
  expect(await left(rules)).toContain('of-cluster');
  const told = async (namespace: string) =>
    (await world.get(`/api/v1/namespaces/${namespace}/events?fieldSelector=reason=OwnerRefInvalidNamespace`)).items
      .map(({ type, source, count, message, involvedObject: { kind, name } }: Any) =>
        [type, source.component, count, kind, name, message].join(' '),
      )
      .toSorted();
  const line = (kind: string, name: string, namespace: string, { uid, name: of }: typeof far) =>
    `Warning garbage-collector-controller 1 ${kind} ${name} ownerRef [v1/ConfigMap, namespace: ${namespace}, name: ${of}, uid: ${uid}] does not exist in namespace "${namespace}"`;
  expect(await told(away)).toEqual(
    [
      line('ConfigMap', 'kept', away, far),
      line('ConfigMap', 'lost', away, far),
      line('ConfigMap', 'lost', away, other),
    ].toSorted(),
  );
  expect(await told('default')).toEqual([line('ClusterRole', 'of-cluster', '', far)]);
});

it('many such references are reported in a bounded number of events', async () => {
  const [home, away] = [await world.namespace(), await world.namespace()];
  const maps = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`;
  const names = Array.from({ length: 30 }, (_, i) => `owner-${i}`);
  const ownerReferences: object[] = [];
  for (const name of names) {
    const { uid } = (await world.post(maps(home), { metadata: { name } })).metadata;
    ownerReferences.push({ apiVersion: 'v1', kind: 'ConfigMap', name, uid });
  }
  await world.post(maps(away), { metadata: { name: 'lost', ownerReferences } });
  await world.server.settle();
  const { items } = await world.get(`/api/v1/namespaces/${away}/events?fieldSelector=involvedObject.name=lost`);
  const told = items.map(({ count, message }: Any) => `${count} ${message.split(' ownerRef')[0]}`).toSorted();
  expect(told.slice(1)).toEqual(
    [...Array(8)].map(() => expect.stringMatching(/^1 ownerRef/)).concat(expect.stringMatching(/^16 \(combined/)),
  );
});

it('absent owners are found by a kind in lower case or by a list kind, but not in another case or version', async () => {
  const maps = `/api/v1/namespaces/${await world.namespace()}/configmaps`;
  const uid = '00000000-0000-4000-8000-000000000000';
  for (const [name, apiVersion, kind] of [
    ['lower', 'v1', 'configmap'],
    ['list', 'v1', 'ConfigMapList'],
    ['mixed', 'v1', 'Configmap'],
    ['served', 'apps/v1', 'Deployment'],
    ['unserved', 'apps/v9', 'Deployment'],
    ['review', 'authentication.k8s.io/v1', 'TokenReview'],
    ['binding', 'v1', 'Binding'],
  ])
    await world.post(maps, { metadata: { name, ownerReferences: [{ apiVersion, kind, name: 'gone', uid }] } });
  await world.server.settle();
  const left = (await world.get(maps)).items.map(({ metadata }: Any) => metadata.name);
  expect(left.filter((name: string) => name !== 'kube-root-ca.crt')).toEqual(['mixed', 'unserved']);
});

it('references are kept while it cannot be decided whether their owners exist', async () => {
  const maps = `/api/v1/namespaces/${await world.namespace()}/configmaps`;
  const owner = async (path: string, kind: string) => {
    const { name, uid } = (await world.post(path, { metadata: { name: 'decided' } })).metadata;
    return { apiVersion: path === maps ? 'v1' : 'rbac.authorization.k8s.io/v1', kind, name, uid };
  };
  const [near, role] = [await owner(maps, 'ConfigMap'), await owner(rules, 'ClusterRole')];
  const unserved = { ...near, kind: 'Nothing' };
  await world.post(maps, { metadata: { name: 'half', ownerReferences: [near, unserved] } });
  await world.post(rules, { metadata: { name: 'of-both', ownerReferences: [role, near] } });
  await world.send('DELETE', `${maps}/decided`);
  await world.send('DELETE', `${rules}/decided`);
  await world.server.settle();
  expect((await world.get(`${maps}/half`)).metadata.ownerReferences).toEqual([near, unserved]);
  expect((await world.get(`${rules}/of-both`)).metadata.ownerReferences).toEqual([role, near]);
});

it.each([
  ['in another namespace', {}],
  ['whose references have a wrong name and kind', { name: 'another', kind: 'Secret' }],
])('foreground deletion waits for dependents %s, and ends with them', async (_where, wrong) => {
  const maps = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`;
  const [home, away] = [maps(await world.namespace()), maps(await world.namespace())];
  const owner = `${home}/owner`;
  const { uid } = (await world.post(home, { metadata: { name: 'owner' } })).metadata;
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid, blockOwnerDeletion: true, ...wrong };
  const dependent = `${'name' in wrong ? home : away}/held`;
  const metadata = { name: 'held', finalizers: ['example.com/hold'], ownerReferences: [reference] };
  await world.post(dependent.slice(0, -'/held'.length), { metadata });
  await world.server.settle();
  await world.send('DELETE', owner, { body: { propagationPolicy: 'Foreground' } });
  await world.server.settle();
  expect((await world.get(owner)).metadata.finalizers).toEqual(['foregroundDeletion']);
  await world.patch(dependent, { metadata: { finalizers: null } });
  await world.server.settle();
  expect((await world.send('GET', owner)).status).toBe(404);
});

describe.each(['Namespaced', 'Cluster'])('custom resources (%s) whose kind was deleted', (scope) => {
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const group = `${scope.toLowerCase()}.example.com`;
  const name = `owners.${group}`;
  const version = (of: string, served = true) => ({
    name: of,
    served,
    storage: of === 'v1',
    schema: { openAPIV3Schema: { type: 'object' } },
  });
  /** Creates owners, and objects that name them in one of their versions. Returns a function that lists the remaining objects. */
  async function owned(): Promise<() => Promise<readonly string[]>> {
    const names = { plural: 'owners', kind: 'Owner' };
    await world.post(definitions, {
      metadata: { name },
      spec: { group, scope, names, versions: [version('v1'), version('v2')] },
    });
    await world.server.settle();
    const namespace = await world.namespace();
    const owners = `/apis/${group}/v1${scope === 'Cluster' ? '' : `/namespaces/${namespace}`}/owners`;
    const maps = `/api/v1/namespaces/${namespace}/configmaps`;
    for (const [owner, apiVersion] of [
      ['first', `${group}/v1`],
      ['second', `${group}/v2`],
      ['third', `${group}/v9`],
    ]) {
      const { uid } = (
        await world.post(owners, { apiVersion: `${group}/v1`, kind: 'Owner', metadata: { name: owner } })
      ).metadata;
      const reference = { apiVersion, kind: 'Owner', name: owner, uid };
      await world.post(maps, { metadata: { name: `of-${owner}`, ownerReferences: [reference] } });
    }
    await world.server.settle();
    return async () =>
      (await world.get(maps)).items
        .map(({ metadata }: Any) => metadata.name)
        .filter((each: string) => each.startsWith('of-'));
  }

  it('delete their dependents if they are deleted with their definition', async () => {
    const left = await owned();
    expect(await left()).toEqual(['of-first', 'of-second', 'of-third']);
    await world.send('DELETE', `${definitions}/${name}`);
    await world.server.settle();
    expect((await world.send('GET', `${definitions}/${name}`)).status).toBe(404);
    expect(await left()).toEqual(['of-third']);
  });

  it('keep their dependents if they are only no longer served', async () => {
    const left = await owned();
    await world.patch(`${definitions}/${name}`, { spec: { versions: [version('v1', false), version('v2', false)] } });
    await world.server.settle();
    expect((await world.send('GET', `/apis/${group}/v1/owners`)).status).toBe(404);
    expect(await left()).toEqual(['of-first', 'of-second', 'of-third']);
  });
});
