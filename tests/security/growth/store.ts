import { k8s } from '../../../src/meta/dialect.js';
import type { ApiObject } from '../../../src/meta/object-meta.js';
import { withRevision } from '../../../src/registry/edit.js';
import { StoreListers } from '../../../src/registry/reads/store-listers.js';
import { ResourceRegistry } from '../../../src/registry/resource-registry.js';
import { configMap } from '../../../src/resources/core/index.js';
import { EntryTree } from '../../../src/store/entry-tree.js';
import { estimateSize } from '../../../src/store/estimate-size.js';
import { deepFreeze } from '../../../src/store/freeze.js';
import { memory } from '../../../src/store/memory.js';
import { MemoryStore } from '../../../src/store/memory-store.js';
import { createFakeClock } from '../../../src/testing/fake-clock.js';
import type { GrowthRow } from './measure.js';

interface Thing {
  readonly n: number;
}

async function filled(count: number): Promise<MemoryStore<Thing>> {
  const store = new MemoryStore<Thing>({ clock: createFakeClock() });
  for (let n = 0; n < count; n++) await store.guaranteedUpdate(`/things/${n}`, () => ({ action: 'put', value: { n } }));
  return store;
}

export const rows: readonly GrowthRow[] = [
  {
    name: 'writes to new keys',
    n: 1000,
    prepare: (n) => () => filled(n),
  },
  {
    name: 'a list of all entries',
    n: 5000,
    prepare: async (n) => {
      const store = await filled(n);
      return () => store.list('/things/');
    },
  },
  {
    name: 'all entries in pages',
    n: 2000,
    prepare: async (n) => {
      const store = await filled(n);
      return () => {
        for (let after: string | undefined = ''; after !== undefined; ) {
          const page = store.list('/things/', { limit: 100, ...(after === '' ? {} : { after }) });
          after = page.remaining > 0 ? page.entries.at(-1)?.key : undefined;
        }
      };
    },
  },
  {
    name: 'a replay of many events, a hundred at a time',
    n: 5000,
    prepare: async (n) => {
      const store = await filled(n);
      return () => {
        const watch = store.watch('/things/', 1);
        while (watch.take(100).length > 0);
        watch.close();
      };
    },
  },
  {
    name: 'a replay in which nothing matches',
    n: 500,
    prepare: async (n) => {
      const store = await filled(n);
      return () => store.watch('/others/', 1).close();
    },
  },
  {
    name: 'many watches of one key each',
    n: 500,
    prepare: (n) => () => {
      const store = new MemoryStore<Thing>({ clock: createFakeClock() });
      const watches = Array.from({ length: n }, (_, i) => store.watch(`/things/${i}`, 1, { exact: true }));
      for (const watch of watches) watch.close();
    },
  },
  {
    name: 'size and freezing of a wide value',
    n: 10_000,
    prepare: (n) => () => {
      const value = Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, { i }]));
      estimateSize(deepFreeze(value));
    },
  },
  {
    name: 'the tree: keys set and deleted',
    n: 3000,
    prepare: (n) => () => {
      const tree = new EntryTree<Thing>();
      for (let i = 0; i < n; i++) tree.set({ key: `/${i}`, value: { n: i }, revision: i, createRevision: i });
      for (let i = 0; i < n; i++) tree.delete(`/${i}`);
    },
  },
  {
    name: 'an index that is read after every change of one key',
    n: 300,
    prepare: async (n) => {
      const storage = await memory()<ApiObject>({ clock: createFakeClock(), stamp: withRevision, equals: () => false });
      const listers = new StoreListers(storage, new ResourceRegistry([configMap], k8s, storage, { plugins: [] }));
      const maps = listers.lister('', 'configmaps');
      const indexOf = () => ['all'];
      let round = 0;
      return async () => {
        round++;
        for (let i = 0; i < n; i++) {
          const value = {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { namespace: 'a', name: `${i}` },
            data: { round: `${round}` },
          };
          await storage.guaranteedUpdate(`/registry/configmaps/a/${i}`, () => ({ action: 'put', value }));
          for (const _ of maps.byIndex(indexOf, 'all')) break;
        }
      };
    },
  },
];
