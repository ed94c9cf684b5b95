import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customResourceDefinitions } from '../../src/controllers/custom-resources/custom-resource-definitions.js';
import { type Entry, memory, type StorageLayout, type StorageWiring } from '../../src/exports/storage.js';
import type { ApiServer } from '../../src/index.js';
import type { ApiObject } from '../../src/meta/object-meta.js';
import { ask } from '../support/ask.js';
import { openServer } from '../support/servers.js';
import { hasSharedData, readShared } from '../support/shared-data.js';

/** What the real server keeps of one object. */
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
/** Objects; the others are allocations and leases of the server itself. */
const served = objects.filter(({ path }) => path !== undefined);
/**
 * The real server sets these fields aside when an object is made (the labels of a Job's template come after defaulting, a claim begins without
 * status), fills them in whenever it reads, and so writes them with the first update. This server has them from the creation on.
 */
const FILLED_IN: Readonly<Record<string, (object: ApiObject) => object>> = {
  Job: (object) => ({ ...object, metadata: { ...object.metadata, labels: undefined } }),
  PersistentVolumeClaim: (object) => ({ ...object, status: {} }),
};
const bytesOf = ({ value }: Recorded) => new Uint8Array(Buffer.from(value, 'base64'));

describe.skipIf(!hasSharedData)('what the real server keeps in etcd', () => {
  let server: ApiServer;
  let layout: StorageLayout;
  beforeAll(async () => {
    server = await openServer({
      controllers: [customResourceDefinitions],
      featureGates: { ClusterTrustBundle: true },
      runtimeConfig: { 'certificates.k8s.io/v1alpha1': 'true' },
      storage: async <T extends object>(wiring: StorageWiring<T>) => {
        layout = (await wiring.layout?.()) as StorageLayout; // the server gives it
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

  it.each(served.map((each) => [each.key, each] as const))('%s is served as it is', async (_key, each) => {
    const { value } = await ask(server, { path: each.path ?? '' });
    expect(value).toEqual(each.answer);
  });
  it.each(served.map((each) => [each.key, each] as const))('%s is written as it is', (key, each) => {
    const own = layout.fromStored(key) ?? '';
    expect(layout.toStored(own)).toBe(key);
    const stored = bytesOf(each);
    const decoded = layout.codec.decode(stored) as ApiObject;
    const asMade = FILLED_IN[each.kind]?.(decoded) ?? decoded;
    expect(Buffer.from(layout.codec.encode(asMade)).toString('latin1')).toBe(Buffer.from(stored).toString('latin1'));
    expect(layout.codec.decode(layout.codec.encode(decoded))).toEqual(decoded);
  });
  it('the keys that are no objects are left alone', () => {
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
