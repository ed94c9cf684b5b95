import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from './world.js';

// Both forms of discovery, and OpenAPI, for groups that custom resources and other servers add or try to extend.
let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';
const GROUP = 'stable.example.com';
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

type Versions = readonly { readonly version: string; readonly freshness?: string }[];
const groups = async () => (await world.get('/apis')).groups as readonly { name: string; versions: Versions }[];
const aggregated = async () =>
  (await world.send('GET', '/apis', { accept: AGGREGATED })).value.items as readonly {
    metadata: { name: string };
    versions: (Versions[number] & { resources: readonly { resource: string }[] })[];
  }[];
/** Returns the versions of a group in both forms, each with whether it is stale. */
async function versionsOf(group: string) {
  await world.server.settle();
  const plain = (await groups()).find(({ name }) => name === group)?.versions.map(({ version }) => version);
  const whole = (await aggregated()).find(({ metadata }) => metadata.name === group)?.versions;
  expect(whole?.map(({ version }) => version)).toEqual(plain);
  return whole?.map(({ version, freshness }) => `${version} ${freshness}`) ?? [];
}
async function define(
  group: string,
  kind: string,
  versions: readonly string[],
  properties: object = {},
  plural = `${kind.toLowerCase()}s`,
) {
  const name = `${plural}.${group}`;
  const schema = { openAPIV3Schema: { type: 'object', properties } };
  const body = {
    metadata: { name, annotations: { 'api-approved.kubernetes.io': 'unapproved, test-only' } },
    spec: {
      group,
      scope: 'Cluster',
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: versions.map((version, index) => ({ name: version, served: true, storage: index === 0, schema })),
    },
  };
  const old = await world.send('GET', `${CRDS}/${name}`);
  if (old.status === 200) await world.patch(`${CRDS}/${name}`, { spec: body.spec });
  else await world.post(CRDS, body);
  await world.server.settle();
  return `${CRDS}/${name}`;
}
const register = (version: string, groupPriorityMinimum: number, versionPriority: number) =>
  world.post(SERVICES, {
    metadata: { name: `${version}.${GROUP}` },
    spec: {
      group: GROUP,
      version,
      insecureSkipTLSVerify: true,
      groupPriorityMinimum,
      versionPriority,
      service: { name: 'unused', namespace: 'default' },
    },
  });

describe('an API group of custom resources or of another server', () => {
  afterEach(async () => {
    for (const { metadata } of (await world.get(CRDS)).items) await world.delete(`${CRDS}/${metadata.name}`);
    for (const { metadata, spec } of (await world.get(SERVICES)).items)
      if (spec.service) await world.delete(`${SERVICES}/${metadata.name}`);
    expect(await versionsOf(GROUP)).toEqual([]);
  });

  it('appears and disappears with its definition', async () => {
    await define(GROUP, 'Foo', ['v1', 'v1alpha1', 'v1beta1', 'v2']);
    expect(await versionsOf(GROUP)).toEqual(['v2 Current', 'v1 Current', 'v1beta1 Current', 'v1alpha1 Current']);
  });

  it('is marked stale where the other server does not respond, next to the defined versions, and recovers', async () => {
    await register('v1', 1000, 15);
    expect(await versionsOf(GROUP)).toEqual(['v1 Stale']);
    await define(GROUP, 'Bar', ['v1', 'v2']);
    expect(await versionsOf(GROUP)).toEqual(['v2 Current', 'v1 Stale']);
    await world.delete(`${SERVICES}/v1.${GROUP}`);
    await define(GROUP, 'Bar', ['v1', 'v2', 'v1alpha1']);
    expect(await versionsOf(GROUP)).toEqual(['v2 Current', 'v1 Current', 'v1alpha1 Current']);
  });

  it('loses what only the other server had', async () => {
    await define(GROUP, 'Bar', ['v2', 'v1alpha1']);
    await register('v1', 1000, 100);
    expect((await versionsOf(GROUP)).toSorted()).toEqual(['v1 Stale', 'v1alpha1 Current', 'v2 Current']);
    await world.delete(`${SERVICES}/v1.${GROUP}`);
    expect(await versionsOf(GROUP)).toEqual(['v2 Current', 'v1alpha1 Current']);
  });

  it.each<[string, [string, number, number][], readonly string[], (order: readonly string[]) => unknown]>([
    [
      'the highest priority of its versions',
      [
        ['v1', 20_000, 15],
        ['v1alpha1', 1, 15],
        ['v1alpha2', 17_300, 15],
      ],
      ['v1', 'v1alpha2', 'v1alpha1'],
      (order) => order[1],
    ],
    ['a low priority', [['v1alpha1', 1, 15]], ['v1alpha1'], (order) => order.at(-1)],
    [
      'its versions by their own priorities',
      [
        ['v1', 1000, 2],
        ['v1alpha1', 1000, 1],
        ['v1alpha2', 1000, 3],
      ],
      ['v1alpha2', 'v1', 'v1alpha1'],
      (order) => order.at(-1),
    ],
    [
      'its versions by their names if their priorities are equal',
      [
        ['v1', 1000, 15],
        ['v1alpha1', 1000, 15],
        ['v1alpha2', 1000, 15],
        ['v1beta1', 1000, 15],
        ['v2', 1000, 15],
      ],
      ['v2', 'v1', 'v1beta1', 'v1alpha2', 'v1alpha1'],
      (order) => order.at(-1),
    ],
  ])('is placed by %s', async (_, registered, versions, placed) => {
    for (const each of registered) await register(...each);
    expect(await versionsOf(GROUP)).toEqual(versions.map((version) => `${version} Stale`));
    const plain = (await groups()).map(({ name }) => name);
    expect((await aggregated()).map(({ metadata }) => metadata.name)).toEqual(plain);
    expect(placed(plain)).toBe(GROUP);
  });
});

describe('a group version of the server itself', () => {
  it.each([
    ['apiextensions.k8s.io', 'customresourcedefinitions'],
    ['networking.k8s.io', 'networkpolicies'],
  ])('cannot be extended by custom resources, but its group can have other versions: %s', async (group, known) => {
    await define(group, 'Bar', ['v1', 'vfake']);
    const own = (await world.get(`/apis/${group}/v1`)).resources.map(({ name }: { name: string }) => name);
    expect([own.includes(known), own.includes('bars')]).toEqual([true, false]);
    expect((await world.get(`/apis/${group}/vfake`)).resources).toMatchObject([{ name: 'bars' }]);
    const found = (await aggregated()).find(({ metadata }) => metadata.name === group)?.versions;
    const resources = (version: string) =>
      found?.find((each) => each.version === version)?.resources.map(({ resource }) => resource);
    expect([resources('v1')?.includes('bars'), resources('vfake')]).toEqual([false, ['bars']]);
    expect((await world.send('GET', `/apis/${group}/v1/bars`)).status).toBe(404);
    expect(
      (
        await world.send('POST', `/apis/${group}/vfake/bars`, {
          body: { apiVersion: `${group}/vfake`, kind: 'Bar', metadata: { name: 'a' } },
        })
      ).status,
    ).toBe(201);
    expect((await world.get(`${SERVICES}/v1.${group}`)).spec.versionPriority).toBe(15);
    await world.delete(`${CRDS}/bars.${group}`);
    await world.server.settle();
    expect((await world.send('GET', `/apis/${group}/vfake`)).status).toBe(404);
    expect((await world.get(`/apis/${group}/v1`)).resources.length).toBe(own.length);
  });

  it.each([
    ['the same path', 'apiextensions.k8s.io'],
    ['the same name of a schema', 'apiextensions.apis.pkg.apiextensions-apiserver.k8s.io'],
  ])('is unchanged in OpenAPI, whatever is defined under %s', async (_, group) => {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{name}';
    const schema = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition';
    const published = async () => {
      const { paths, definitions } = await world.get('/openapi/v2');
      const { components } = await world.get('/openapi/v3/apis/apiextensions.k8s.io/v1');
      return [paths[path], definitions[schema], components.schemas[schema]];
    };
    const before = await published();
    expect(before.every(Boolean)).toBe(true);
    await define(group, 'CustomResourceDefinition', ['v1'], { probe: { type: 'boolean' } });
    expect(await published()).toEqual(before);
    const { paths, definitions } = await world.get('/openapi/v2');
    const probed = Object.keys(definitions).filter((name) => definitions[name].properties?.probe);
    const listed = paths[`/apis/${group}/v1/customresourcedefinitions`].get.responses['200'].schema.$ref;
    if (group === 'apiextensions.k8s.io') expect(probed).toEqual([]);
    else expect([probed, listed]).toEqual([[`${schema}_v2`], `#/definitions/${schema}List_v2`]);
  });
});
