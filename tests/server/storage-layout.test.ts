import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customResourceDefinitions } from '../../src/controllers/custom-resources/custom-resource-definitions.js';
import { type Entry, memory, type Storage, type StorageLayout, type StorageWiring } from '../../src/exports/storage.js';
import type { ApiServer } from '../../src/index.js';
import type { ApiObject } from '../../src/meta/object-meta.js';
import { ask } from '../support/ask.js';
import { openServer } from '../support/servers.js';
import { hasSharedData, readShared } from '../support/shared-data.js';

/** An object in the bytes in which upstream stored it. */
interface Recorded {
  readonly key: string;
  readonly kind: string;
  readonly value: string;
  readonly modRevision: string;
  readonly createRevision: string;
  readonly lease: number;
  readonly path?: string;
  readonly answer?: object;
}

const { objects, keys } = readShared<{ objects: readonly Recorded[]; keys: readonly string[] }>(
  'data/etcd-layout/objects.json',
  { objects: [], keys: [] },
);
/** The objects of the API. The other entries are allocations and leases of the server itself. */
const served = objects.filter(({ path }) => path !== undefined);
const bytesOf = ({ value }: Recorded) => new Uint8Array(Buffer.from(value, 'base64'));

describe.skipIf(!hasSharedData)('objects that upstream stored in etcd', () => {
  let server: ApiServer;
  let layout: StorageLayout;
  beforeAll(async () => {
    server = await openServer({
      controllers: [customResourceDefinitions],
      featureGates: { ClusterTrustBundle: true },
      runtimeConfig: { 'certificates.k8s.io/v1alpha1': 'true' },
      storage: async <T extends object>(wiring: StorageWiring<T>) => {
        layout = (await wiring.layout?.()) as StorageLayout; // the server always passes a layout
        const entries = served.map(
          (each): Entry<T> => ({
            key: layout.fromStored(each.key) ?? '',
            value: wiring.stamp(layout.codec.decode(bytesOf(each)) as T, Number(each.modRevision)),
            revision: Number(each.modRevision),
            createRevision: Number(each.createRevision),
          }),
        );
        return memory()({ ...wiring, initial: { revision: 300, entries } });
      },
    });
    await server.settle();
  });
  afterAll(() => server?.close());

  it.each(served.map((each) => [each.key, each] as const))('%s is read unchanged', async (_key, each) => {
    const { value } = await ask(server, { path: each.path ?? '' });
    expect(value).toEqual(each.answer);
  });
  it.each(served.map((each) => [each.key, each] as const))('%s is stored with the same bytes', (key, each) => {
    const own = layout.fromStored(key) ?? '';
    expect(layout.toStored(own)).toBe(key);
    const stored = bytesOf(each);
    const decoded = layout.codec.decode(stored) as ApiObject;
    expect(Buffer.from(layout.codec.encode(decoded)).toString('latin1')).toBe(Buffer.from(stored).toString('latin1'));
    expect(layout.codec.decode(layout.codec.encode(decoded))).toEqual(decoded);
  });
  it('keys without objects are ignored', () => {
    const foreign = objects.filter(({ path }) => path === undefined);
    expect(foreign.map(({ key }) => layout.fromStored(key))).toEqual(foreign.map(() => undefined));
    const lost = keys.filter((key) => {
      const own = layout.fromStored(key);
      return own !== undefined && layout.toStored(own) !== key;
    });
    expect(lost).toEqual([]);
  });
  it('events have a lease', () => {
    const withLease = served.filter(({ lease }) => lease !== 0).map(({ key }) => key);
    expect(served.filter(({ key }) => layout.lifetimeOf?.(key) !== undefined).map(({ key }) => key)).toEqual(withLease);
  });
});

describe('a field that is defaulted when an object is read', () => {
  it.each([
    [
      'the labels of a job',
      'jobs',
      {
        ...{ apiVersion: 'batch/v1', kind: 'Job' },
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } } },
      },
      (object: ApiObject) => object.metadata.labels,
      expect.objectContaining({ 'job-name': 'a' }),
    ],
    [
      'the phase of a claim',
      'persistentvolumeclaims',
      {
        ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
      (object: ApiObject & { readonly status?: { readonly phase?: string } }) => object.status?.phase,
      'Pending',
    ],
  ])('is stored by the first update, as %s is', async (_what, plural, object, field, filledIn) => {
    let storage: Pick<Storage<ApiObject>, 'get'> | undefined;
    await using server = await openServer({
      storage: async (wiring) => {
        const opened = await memory()(wiring);
        storage = opened as unknown as Storage<ApiObject>; // the server stores API objects, so the cast is safe
        return opened;
      },
    });
    const stored = () => field(storage?.get(`/registry/${plural}/default/a`)?.value as ApiObject);
    const base = object.apiVersion === 'v1' ? '/api/v1' : `/apis/${object.apiVersion}`;
    const path = `${base}/namespaces/default/${plural}`;
    const write = async (method: string, at: string, body: object) =>
      (await ask(server, { method, path: at, body })).value as unknown as ApiObject;
    const made = await write('POST', path, { ...object, metadata: { name: 'a' } });
    expect([field(made), stored()]).toEqual([filledIn, undefined]);
    const replaced = await write('PUT', `${path}/a`, made);
    expect([field(replaced), stored()]).toEqual([filledIn, filledIn]);
    expect(replaced.metadata.resourceVersion).not.toBe(made.metadata.resourceVersion);
    expect(await write('PUT', `${path}/a`, replaced)).toEqual(replaced);
  });
});
