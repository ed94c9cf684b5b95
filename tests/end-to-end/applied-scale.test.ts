import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from './world.js';

// The ownership of the number of replicas, written through the object and through its scale.
let world: World;
const GROUP = 'scaled.example.com';
beforeAll(async () => {
  world = await startWorld();
  const versions = [
    { name: 'v1', storage: true, path: '.spec.replicas' },
    { name: 'v2', storage: false, path: '.spec.replicas' },
  ].map(({ name, storage, path }) => ({
    name,
    storage,
    served: true,
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    subresources: { status: {}, scale: { specReplicasPath: path, statusReplicasPath: '.status.replicas' } },
  }));
  await world.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: `pandas.${GROUP}` },
    spec: { group: GROUP, scope: 'Namespaced', names: { plural: 'pandas', kind: 'Panda' }, versions },
  });
  await world.server.settle();
});
afterAll(() => world.close());

const labels = { app: 'nginx' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'nginx', image: 'nginx:latest' }] } };
const selected = { selector: { matchLabels: labels }, template };
const scale = (replicas: number) => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'd', namespace: 'default' },
  spec: { replicas },
});

interface Entry {
  readonly manager: string;
  readonly operation: string;
  readonly subresource?: string;
  readonly apiVersion: string;
  readonly fieldsV1: { readonly 'f:spec'?: { readonly 'f:replicas'?: object } };
}
/** Returns the owners of the number: `manager operation version/subresource`. */
async function owners(path: string) {
  const { managedFields } = (await world.get(path)).metadata as { managedFields: readonly Entry[] };
  return managedFields
    .filter(({ fieldsV1 }) => fieldsV1['f:spec']?.['f:replicas'])
    .map(({ manager, operation, apiVersion, subresource = '' }) =>
      [manager, operation, `${apiVersion}/${subresource}`].join(' '),
    );
}
async function applied(path: string, body: object, manager: string) {
  const refused = await world.apply(path, body, manager);
  expect([refused.status, refused.value.details?.causes?.length]).toEqual([409, 1]);
  expect((await world.apply(path, body, manager, '&force=true')).status).toBe(200);
}

describe.each([
  ['apps/v1', 'deployments', 'Deployment', selected],
  ['apps/v1', 'statefulsets', 'StatefulSet', selected],
  ['apps/v1', 'replicasets', 'ReplicaSet', selected],
  ['v1', 'replicationcontrollers', 'ReplicationController', { selector: labels, template }],
  [`${GROUP}/v1`, 'pandas', 'Panda', {}],
])('%s %s', (apiVersion, plural, kind, spec) => {
  const path = `${apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`}/namespaces/default/${plural}/d`;
  const object = (replicas: number) => ({ apiVersion, kind, metadata: { name: 'd' }, spec: { replicas, ...spec } });

  it('the number of replicas moves from one owner to the other', async () => {
    expect((await world.apply(path, object(1), 'whole')).status).toBe(201);
    await world.patch(`${path}/scale?fieldManager=part`, { spec: { replicas: 5 } });
    expect(await owners(path)).toEqual([`part Update ${apiVersion}/scale`]);
    await applied(path, object(1), 'whole');
    expect(await owners(path)).toEqual([`whole Apply ${apiVersion}/`]);
    await applied(`${path}/scale`, scale(17), 'part');
    expect(await owners(path)).toEqual([`part Apply ${apiVersion}/scale`]);
    expect((await world.apply(`${path}/scale`, scale(17), 'other')).status).toBe(200);
    expect(await owners(path)).toEqual([`other Apply ${apiVersion}/scale`, `part Apply ${apiVersion}/scale`]);
    await world.put(`${path}/scale?fieldManager=updater`, scale(42));
    expect(await owners(path)).toEqual([`updater Update ${apiVersion}/scale`]);
    expect((await world.get(path)).spec.replicas).toBe(42);
  });
});

it('a manager gets an entry for the scale when a write of the scale does not change the number', async () => {
  const path = '/apis/apps/v1/namespaces/default/deployments/created';
  const created = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'created' },
    spec: { replicas: 2, ...selected },
  };
  await world.post('/apis/apps/v1/namespaces/default/deployments?fieldManager=creator', created);
  const same = { ...scale(2), metadata: { name: 'created', namespace: 'default' } };
  await world.put(`${path}/scale?fieldManager=other`, same);
  const { managedFields } = (await world.get(path)).metadata as {
    managedFields: readonly (Entry & { time?: string })[];
  };
  const entries = managedFields.filter(({ manager }) => manager === 'creator');
  expect(entries).toMatchObject([
    { operation: 'Update', apiVersion: 'apps/v1', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
    { operation: 'Update', apiVersion: 'apps/v1', time: expect.any(String) },
  ]);
  expect(entries[0]).not.toHaveProperty('time');
  expect(entries[1]?.fieldsV1['f:spec']).not.toHaveProperty('f:replicas');
});

it('the scale of a custom resource is the same in every version', async () => {
  const at = (version: string) => `/apis/${GROUP}/${version}/namespaces/default/pandas/d/scale`;
  const path = `/apis/${GROUP}/v1/namespaces/default/pandas/d`;
  await applied(at('v1'), scale(1), 'first');
  await applied(at('v2'), scale(2), 'second');
  expect(await owners(path)).toEqual([`second Apply ${GROUP}/v2/scale`]);
  await world.patch(`${at('v1')}?fieldManager=third`, { spec: { replicas: 3 } });
  expect(await owners(path)).toEqual([`third Update ${GROUP}/v1/scale`]);
});

it('owners of fields in a version that the definition no longer has are dropped', async () => {
  const at = (version: string) => `/apis/${GROUP}/${version}/namespaces/default/pandas/old`;
  const object = (version: string, spec: object) => ({
    apiVersion: `${GROUP}/${version}`,
    kind: 'Panda',
    metadata: { name: 'old' },
    spec,
  });
  await world.apply(at('v1'), object('v1', { replicas: 1 }), 'first');
  await world.apply(at('v2'), object('v2', { size: 2 }), 'second');
  const definition = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/pandas.${GROUP}`;
  const { spec } = await world.get(definition);
  await world.patch(definition, { spec: { versions: spec.versions.slice(0, 1) } });
  await world.server.settle();
  await world.patch(`${at('v1')}/scale?fieldManager=part`, { spec: { replicas: 5 } });
  const { managedFields } = (await world.get(at('v1'))).metadata as { managedFields: readonly Entry[] };
  expect(managedFields.map(({ manager }) => manager)).toEqual(['first', 'part']);
});
