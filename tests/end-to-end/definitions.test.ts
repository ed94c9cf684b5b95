import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWorld, type World } from './world.js';

// The effect on other clients when a custom resource definition is deleted, or its objects cannot be converted.
let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const MAPS = '/api/v1/namespaces/default/configmaps';
// No server listens at this address.
const nowhere = { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://127.0.0.1:9/' } };

/** Defines a kind that is stored in its first version. Returns the path of its objects by version. */
async function define(versions: readonly string[], conversion: object = { strategy: 'None' }) {
  const group = `${world.name('g')}.example.com`;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  await world.post(CRDS, {
    metadata: { name: `foos.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'foos', singular: 'foo', kind: 'Foo', listKind: 'FooList' },
      versions: versions.map((name, index) => ({ name, served: true, storage: index === 0, schema })),
      conversion,
    },
  });
  await world.server.settle();
  const at = (version: string) => `/apis/${group}/${version}/namespaces/default/foos`;
  const make = (name: string) => world.post(at('v1'), { apiVersion: `${group}/v1`, kind: 'Foo', metadata: { name } });
  return { crd: `${CRDS}/foos.${group}`, group, at, make };
}

it.each([true, false])(
  'a watch of its objects reports their deletion, whether events were read before or not: %s',
  async (reads) => {
    const { crd, at, make } = await define(['v1']);
    for (const name of ['a', 'b', 'c']) await make(name);
    const watch = await world.watch(`${at('v1')}?watch=1`);
    const events = reads ? [...(await watch.take(3))] : [];
    await world.delete(crd);
    await world.server.settle();
    events.push(...(await watch.take(6 - events.length)));
    expect(events.map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual(
      ['ADDED', 'DELETED'].flatMap((type) => ['a', 'b', 'c'].map((name) => `${type} ${name}`)),
    );
    await expect(watch.take(1)).rejects.toThrow('the watch ended');
  },
);

it('a definition whose objects cannot be converted delays neither its own deletion nor that of others', async () => {
  const { crd, group, at, make } = await define(['v1', 'v2'], { strategy: 'Webhook', webhook: nowhere });
  const kept = await make('kept');
  await make('left');
  expect((await world.send('GET', at('v2'))).status).toBe(500);
  const owner = await world.post(MAPS, { metadata: { name: 'owner' } });
  const dependent = (name: string, apiVersion: string, kind: string, { metadata }: typeof owner) =>
    world.post(MAPS, {
      metadata: { name, ownerReferences: [{ apiVersion, kind, name: metadata.name, uid: metadata.uid }] },
    });
  await dependent('of-another', 'v1', 'ConfigMap', owner);
  await dependent('of-v1', `${group}/v1`, 'Foo', kept);
  await dependent('of-v2', `${group}/v2`, 'Foo', kept);
  const names = async () => {
    await world.server.settle();
    const { items } = await world.get(MAPS);
    return items.map(({ metadata }: typeof owner) => metadata.name).filter((name: string) => name.startsWith('of-'));
  };
  await world.delete(`${MAPS}/owner`);
  expect(await names()).toEqual(['of-v1', 'of-v2']);
  await world.delete(`${at('v1')}/kept`);
  expect(await names()).toEqual([]);
  await world.delete(crd);
  await world.server.settle();
  expect((await world.send('GET', crd)).status).toBe(404);
});
