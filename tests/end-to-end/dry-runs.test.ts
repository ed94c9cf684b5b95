import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { k8s } from '../../src/meta/dialect.js';
import { serveResource } from '../../src/registry/served/served-resource.js';
import { builtinResources } from '../../src/resources/index.js';
import { keyOfKind, SAMPLES } from '../resources/kind-samples.js';
import { startWorldOfEveryKind, type World } from './world.js';

// A dry run returns the response of the write, and leaves nothing behind: no object, no version, no allocated value.
let world: World;
let namespace: string;
beforeAll(async () => {
  world = await startWorldOfEveryKind();
  namespace = await world.namespace();
});
afterAll(() => world.close());

const DRY = 'dryRun=All';
/** Kinds with a generated value in each object: an address, a name, an id. */
const CHANCE = ['services', 'pods', 'jobs'];
const kinds = builtinResources
  .filter((definition) => SAMPLES[keyOfKind(definition)])
  .map((definition) => serveResource(definition, k8s));
/** Returns the current version, which the next write exceeds. */
const version = async () => (await world.get('/api/v1/configmaps?limit=1')).metadata.resourceVersion;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
/** Removes the values of a response that differ between two responses, such as times. */
const timeless = ({
  metadata: { uid: _, managedFields: _1, resourceVersion: _2, ...metadata },
  ...rest
}: Made): unknown =>
  JSON.parse(JSON.stringify({ ...rest, metadata }), (_, value) =>
    typeof value === 'string' && TIME.test(value) ? 'a time' : value,
  );
interface Made {
  metadata: Record<string, unknown>;
}

it.each(kinds.map((kind) => [`${kind.gvr.resource}.${kind.gvr.version}.${kind.gvr.group}`, kind] as const))(
  '%s',
  async (_, { gvr, gvk, apiVersion, namespaced, definition }) => {
    const sample = SAMPLES[keyOfKind(definition)]?.object as { metadata: { name: string } };
    const { name } = sample.metadata;
    const root = gvr.group === '' ? `/api/${gvr.version}` : `/apis/${gvr.group}/${gvr.version}`;
    const space = gvr.resource === 'events' ? 'default' : namespace;
    const all = `${root}${namespaced ? `/namespaces/${space}` : ''}/${gvr.resource}`;
    const path = `${all}/${name}`;
    const object = { apiVersion, kind: gvk.kind, ...sample };
    const merge = { body: { metadata: { labels: { dry: 'run' } } }, type: 'application/merge-patch+json' };

    const before = await version();
    const tried = await world.post(`${all}?${DRY}`, object);
    const applied = await world.apply(path, object, 'm', `&${DRY}`);
    expect(applied.status, applied.message).toBe(201);
    expect((await world.send('GET', path)).status).toBe(404);
    expect((await world.send('PATCH', `${path}?${DRY}`, merge)).status).toBe(404);
    expect((await world.send('DELETE', `${path}?${DRY}`)).status).toBe(404);
    expect(await version()).toBe(before);

    const made = await world.post(all, object);
    if (!CHANCE.includes(gvr.resource)) expect(timeless(tried)).toEqual(timeless(made));
    const stored = await world.get(path);
    const after = await version();
    expect((await world.send('POST', `${all}?${DRY}`, { body: object })).status).toBe(409);
    expect((await world.send('PATCH', `${path}?${DRY}`, merge)).value.metadata.labels).toMatchObject({ dry: 'run' });
    const put = { ...stored, metadata: { ...stored.metadata, labels: { dry: 'put' } } };
    expect((await world.put(`${path}?${DRY}`, put)).metadata.labels).toMatchObject({ dry: 'put' });
    const stale = { ...put, metadata: { ...put.metadata, resourceVersion: '1' } };
    expect((await world.send('PUT', `${path}?${DRY}`, { body: stale })).status).toBe(409);
    for (const subresource of Object.keys(definition.subresources ?? {}).filter((each) =>
      ['status', 'scale'].includes(each),
    )) {
      const answer = await world.send('PATCH', `${path}/${subresource}?${DRY}`, { ...merge, body: {} });
      expect(answer.status, answer.message).toBe(200);
    }
    expect((await world.send('DELETE', `${path}?${DRY}`)).status).toBe(200);
    expect((await world.send('DELETE', path, { body: { dryRun: ['All'] } })).status).toBe(200);
    if (gvr.resource !== 'namespaces') {
      const emptied = await world.send('DELETE', `${all}?${DRY}&fieldSelector=metadata.name=${name}`);
      expect([emptied.status, emptied.value.items?.length ?? 1]).toEqual([200, 1]);
    }
    expect((await world.send('DELETE', `${path}?dryRun=Some`)).status).toBe(422);
    expect(await world.get(path)).toEqual(stored);
    expect(await version()).toBe(after);
    await world.delete(path, { gracePeriodSeconds: 0 });
  },
);

describe('allocated values after a dry run', () => {
  const services = () => `/api/v1/namespaces/${namespace}/services`;
  const service = (name: string, spec: object) => ({ metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } });
  it('are free again: addresses and node ports', async () => {
    const spec = { type: 'NodePort', clusterIP: '10.0.0.99', ports: [{ port: 80, nodePort: 30099 }] };
    for (const name of ['a', 'b']) await world.post(`${services()}?${DRY}`, service(name, spec));
    await world.post(services(), service('c', spec));
    expect((await world.send('POST', `${services()}?${DRY}`, { body: service('d', spec) })).status).toBe(422);
    await world.delete(`${services()}/c?${DRY}`);
    expect((await world.send('POST', services(), { body: service('d', spec) })).status).toBe(422);
    const other = { spec: { ports: [{ port: 80, nodePort: 30098 }] } };
    await world.send('PATCH', `${services()}/c?${DRY}`, { body: other, type: 'application/merge-patch+json' });
    await world.post(services(), service('e', { type: 'NodePort', ports: [{ port: 80, nodePort: 30098 }] }));
    expect(
      (await world.send('POST', services(), { body: service('f', { ...spec, clusterIP: undefined }) })).status,
    ).toBe(422);
  });

  it('are not kept: a pod is neither bound nor evicted, and each generated name is another', async () => {
    namespace = await world.namespace();
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    const pod = await world.post(pods, { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
    await world.post(`${pods}/p/binding?${DRY}`, { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } });
    await world.post(`${pods}/p/eviction?${DRY}`, { metadata: { name: 'p' } });
    await world.post(`${pods}/p/eviction`, { metadata: { name: 'p' }, deleteOptions: { dryRun: ['All'] } });
    expect(await world.get(`${pods}/p`)).toEqual(pod);
    const maps = `/api/v1/namespaces/${namespace}/configmaps?${DRY}`;
    const [one, two] = [
      await world.post(maps, { metadata: { generateName: 'g-' } }),
      await world.post(maps, { metadata: { generateName: 'g-' } }),
    ];
    expect(one.metadata.name).not.toBe(two.metadata.name);
  });
});
