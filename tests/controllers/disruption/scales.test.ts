import { describe, expect, it } from 'vitest';
import {
  customResourceDefinition,
  deployment,
  job,
  replicaSet,
  replicationController,
  statefulSet,
} from '../../../src/exports/kinds.js';
import { configMap, pod } from '../../../src/index.js';
import { openWorld, WEB, type World, where } from './world.js';

const template = { metadata: { labels: WEB }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const selector = { matchLabels: WEB };
/** Pods are kept although their owners do not exist. */
const uncollected = { controllers: { run: ['*', '-garbagecollector'] } };
const NO_UID = '00000000-0000-4000-8000-000000000000';
const uidOf = ({ metadata: { uid = '' } }: { metadata: { uid?: string } }) => uid;

const makeSet = async ({ client }: World, replicas: number, owner?: object, name = 'set') => {
  const ownerReferences = owner ? [owner as never] : [];
  const spec = { replicas, selector, template };
  return uidOf(await client.create(replicaSet, { metadata: { name, ownerReferences }, spec }, where));
};
const makeDeployment = async ({ client }: World, replicas: number) =>
  uidOf(
    await client.create(deployment, { metadata: { name: 'deploy' }, spec: { replicas, selector, template } }, where),
  );

const gadgets = (scale: boolean, scope: 'Namespaced' | 'Cluster' = 'Namespaced') => {
  const number = { type: 'object', properties: { replicas: { type: 'integer' } } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: number, status: number } } };
  const paths = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  const version = { name: 'v1', served: true, storage: true, schema, subresources: scale ? { scale: paths } : {} };
  return {
    metadata: { name: 'gadgets.example.com' },
    spec: { group: 'example.com', scope, names: { plural: 'gadgets', kind: 'Gadget' }, versions: [version] },
  };
};
async function makeGadget(world: World, definition: ReturnType<typeof gadgets>, spec: object = { replicas: 6 }) {
  await world.client.create(customResourceDefinition, definition as never);
  await world.server.settle();
  const kind = world.server.kind('example.com/v1', 'Gadget');
  const options = definition.spec.scope === 'Cluster' ? {} : where;
  return uidOf(await world.client.create(kind, { metadata: { name: 'gadget' }, spec } as never, options));
}

/** Creates a pod with an owner, and a budget that counts it by its owner. */
async function counted(world: World, kind: string, apiVersion: string, name: string, uid: string) {
  await world.makePod('p', { owner: { apiVersion, kind, name, uid } });
  await world.makeBudget({ maxUnavailable: 1 });
  const { expectedPods, conditions } = await world.status();
  return conditions?.[0]?.reason === 'SyncFailed' ? conditions[0].message : expectedPods;
}

describe.each(['k8s', 'orch'] as const)('the expected number of pods is that of their controller (%s)', (dialect) => {
  const open = () => openWorld({ dialect });

  it('a ReplicaSet', async () => {
    await using world = await open();
    expect(await counted(world, 'ReplicaSet', 'apps/v1', 'set', await makeSet(world, 4))).toBe(4);
  });

  it('the Deployment of a ReplicaSet', async () => {
    await using world = await open();
    const uid = await makeDeployment(world, 5);
    const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'deploy', uid, controller: true };
    expect(await counted(world, 'ReplicaSet', 'apps/v1', 'set', await makeSet(world, 4, owner))).toBe(5);
  });

  it('a ReplicaSet whose Deployment does not exist', async () => {
    await using world = await openWorld({ dialect, ...uncollected });
    const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'deploy', uid: NO_UID, controller: true };
    expect(await counted(world, 'ReplicaSet', 'apps/v1', 'set', await makeSet(world, 4, owner))).toBe(4);
  });

  it('a Deployment that controls pods directly, by its scale', async () => {
    await using world = await open();
    expect(await counted(world, 'Deployment', 'apps/v1', 'deploy', await makeDeployment(world, 3))).toBe(3);
  });

  it('a StatefulSet', async () => {
    await using world = await open();
    const spec = { replicas: 3, selector, template, serviceName: 's' };
    const uid = uidOf(await world.client.create(statefulSet, { metadata: { name: 'set' }, spec }, where));
    expect(await counted(world, 'StatefulSet', 'apps/v1', 'set', uid)).toBe(3);
  });

  it('a ReplicationController', async () => {
    await using world = await open();
    const spec = { replicas: 2, selector: WEB, template };
    const uid = uidOf(await world.client.create(replicationController, { metadata: { name: 'rc' }, spec }, where));
    expect(await counted(world, 'ReplicationController', 'v1', 'rc', uid)).toBe(2);
  });

  it('a custom resource with a scale', async () => {
    await using world = await open();
    const uid = await makeGadget(world, gadgets(true));
    expect(await counted(world, 'Gadget', 'example.com/v1', 'gadget', uid)).toBe(6);
  });

  it('several controllers together, each once, but no pods without a controller', async () => {
    await using world = await open();
    for (const [name, replicas] of [
      ['one', 3],
      ['two', 4],
    ] as const) {
      const owner = {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        name,
        uid: await makeSet(world, replicas, undefined, name),
      };
      for (const i of [1, 2]) await world.makePod(`${name}-${i}`, { owner });
    }
    await world.makePod('alone');
    await world.makeBudget({ minAvailable: '50%' });
    expect(await world.status()).toMatchObject({ expectedPods: 7, desiredHealthy: 4, currentHealthy: 5 });
  });
});

describe('evictions are not allowed because pods cannot be counted', () => {
  it('if the controller has no scale', async () => {
    await using world = await openWorld();
    const { uid = '' } = (await world.client.create(configMap, { metadata: { name: 'c' } }, where)).metadata;
    expect(await counted(world, 'ConfigMap', 'v1', 'c', uid)).toBe(
      'configmaps does not implement the scale subresource',
    );
    expect((await world.evict('p')).status).toBe(429);
  });

  it('if the controller of a named group has no scale', async () => {
    await using world = await openWorld();
    const spec = { template: { spec: { ...template.spec, restartPolicy: 'Never' as const } } };
    const uid = uidOf(await world.client.create(job, { metadata: { name: 'j' }, spec }, where));
    const why = 'jobs.batch does not implement the scale subresource';
    expect(await counted(world, 'Job', 'batch/v1', 'j', uid)).toBe(why);
  });

  it('if the custom resource has no scale, or no number in it', async () => {
    await using world = await openWorld();
    const uid = await makeGadget(world, gadgets(false));
    const why = 'gadgets.example.com does not implement the scale subresource';
    expect(await counted(world, 'Gadget', 'example.com/v1', 'gadget', uid)).toBe(why);
    await using other = await openWorld();
    const empty = await makeGadget(other, gadgets(true), {});
    expect(await counted(other, 'Gadget', 'example.com/v1', 'gadget', empty)).toContain(
      'the spec replicas field ".spec.replicas" does not exist',
    );
  });

  it.each([
    ['Nothing', 'example.com/v1', 'no matches for kind "Nothing" in version "example.com/v1"'],
    ['ReplicaSet', 'extensions/v1beta1', 'no matches for kind "ReplicaSet" in version "extensions/v1beta1"'],
    ['constructor', 'apps/v1', 'no matches for kind "constructor" in version "apps/v1"'],
    ['ReplicaSet', 'apps/v1', 'found no controllers for pod "p"'],
    ['StatefulSet', 'apps/v1', 'found no controllers for pod "p"'],
    ['Deployment', 'apps/v1', 'found no controllers for pod "p"'],
    ['ReplicationController', 'v1', 'found no controllers for pod "p"'],
  ])('if the controller does not exist: %s of %s', async (kind, apiVersion, why) => {
    await using world = await openWorld(uncollected);
    expect(await counted(world, kind, apiVersion, 'gone', NO_UID)).toBe(why);
  });

  it('if the controller is another object of that name', async () => {
    await using world = await openWorld(uncollected);
    await makeSet(world, 4);
    expect(await counted(world, 'ReplicaSet', 'apps/v1', 'set', NO_UID)).toBe('found no controllers for pod "p"');
  });

  it('if the controller is cluster-scoped', async () => {
    await using world = await openWorld();
    const uid = await makeGadget(world, gadgets(true, 'Cluster'));
    const why = 'found no controllers for pod "p"';
    expect(await counted(world, 'Gadget', 'example.com/v1', 'gadget', uid)).toBe(why);
  });

  it('until the next change of pods or budget', async () => {
    await using world = await openWorld(uncollected);
    await counted(world, 'ReplicaSet', 'apps/v1', 'set', NO_UID);
    expect(await world.status()).toMatchObject({
      disruptionsAllowed: 0,
      conditions: [{ type: 'DisruptionAllowed', status: 'False', reason: 'SyncFailed' }],
    });
    const failed = (await world.budget()).metadata.resourceVersion;
    await world.later(1000);
    expect((await world.budget()).metadata.resourceVersion).toBe(failed);
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'set', uid: await makeSet(world, 1) };
    await world.client.delete(pod, 'p', { ...where, gracePeriodSeconds: 0 });
    await world.makePod('q', { owner });
    expect(await world.status()).toMatchObject({
      disruptionsAllowed: 1,
      observedGeneration: 1,
      conditions: [{ status: 'True', reason: 'SufficientPods', message: '' }],
    });
  });

  it('and the event has a bounded text', async () => {
    await using world = await openWorld(uncollected);
    const said = await counted(world, 'K'.repeat(100_000), 'example.com/v1', 'gone', NO_UID);
    expect(String(said)).toContain('more characters)');
  });
});
