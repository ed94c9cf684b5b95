import type { ApiServer } from '../../../src/api-server.js';
import { keyOf, OwnerGraph } from '../../../src/controllers/garbage/owner-graph.js';
import { configMap, namespace, secret, serviceAccount } from '../../../src/resources/core/index.js';
import { createFakeClock } from '../../../src/testing/fake-clock.js';
import { createFakeHost } from '../../../src/testing/fake-host.js';
import { startServer } from '../../support/servers.js';
import { type GrowthRow, numbers } from './measure.js';

const where = { namespace: 'default' };
/** The graph only records owners in these rows. It does not look up their kinds, so none are needed. */
/** Returns a graph of a server's kinds without objects. */
function graphOf(server: ApiServer): OwnerGraph {
  const current = { stored: () => server.client().resources() };
  return new OwnerGraph({ lister: createFakeHost().lister, kinds: { current } as never }, server.client());
}

async function start(clock = createFakeClock(Date.UTC(2026, 0, 1))): Promise<ApiServer> {
  const server = await startServer({ dialect: 'k8s', controllers: { mode: 'stepped' }, clock });
  await server.settle();
  return server;
}

async function owner(server: ApiServer, name: string, references: readonly string[] = []) {
  const ownerReferences = references.map((uid) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: `o${uid}`,
    uid,
    blockOwnerDeletion: true,
  }));
  return server.client().create(configMap, { metadata: { name, ownerReferences } }, where);
}

/** A row that creates an owner and n dependents, deletes the owner, and runs the garbage collector. */
const collected = (propagationPolicy: 'Background' | 'Foreground' | 'Orphan'): GrowthRow => ({
  name: `the garbage collector: an owner of many, ${propagationPolicy}`,
  n: 60,
  prepare: async (n) => {
    const server = await start();
    let round = 0;
    return async () => {
      const { metadata } = await owner(server, `owner-${round}`);
      const { name = '', uid = '' } = metadata;
      const reference = { apiVersion: 'v1', kind: 'ConfigMap', name, uid, blockOwnerDeletion: true };
      for (const i of numbers(n))
        await server
          .client()
          .create(configMap, { metadata: { name: `d-${round}-${i}`, ownerReferences: [reference] } }, where);
      await server.client().delete(configMap, name, { ...where, propagationPolicy });
      await server.settle();
      if (propagationPolicy === 'Orphan') await server.client().deleteCollection(configMap, where);
      await server.settle();
      round++;
    };
  },
});

export const rows: readonly GrowthRow[] = [
  collected('Background'),
  collected('Foreground'),
  collected('Orphan'),
  {
    name: 'the garbage collector: a chain of owners',
    n: 60,
    prepare: async (n) => {
      const server = await start();
      let round = 0;
      return async () => {
        let above: { readonly name?: string; readonly uid?: string } | undefined;
        const first = `c-${round}-0`;
        for (const i of numbers(n)) {
          const references = above && [{ apiVersion: 'v1', kind: 'ConfigMap', name: above.name, uid: above.uid }];
          const metadata = { name: `c-${round}-${i}`, ...(references ? { ownerReferences: references } : {}) };
          above = (await server.client().create(configMap, { metadata } as never, where)).metadata;
        }
        await server.client().delete(configMap, first, where);
        await server.settle();
        round++;
      };
    },
  },
  {
    name: 'the owner graph: an object of many owners, which change',
    n: 2_000,
    prepare: async (n) => {
      const server = await start();
      const graph = graphOf(server);
      const resource = [...graph.resources().values()].find(({ gvr }) => gvr.resource === 'configmaps');
      const references = numbers(n).map((i) => ({ apiVersion: 'v1', kind: 'ConfigMap', name: `o${i}`, uid: `u${i}` }));
      const before = { metadata: { name: 'x', namespace: 'default', ownerReferences: references } } as never;
      const after = {
        metadata: { name: 'x', namespace: 'default', ownerReferences: [...references].reverse() },
      } as never;
      return () => {
        if (!resource) throw new TypeError('no kind');
        graph.objectChanged(resource, before, undefined);
        graph.objectChanged(resource, after, before);
        for (const { uid } of references) graph.dependentsOf(uid);
        graph.objectChanged(resource, undefined, after);
      };
    },
  },
  {
    name: 'the owner graph: many objects of one owner, deleted one by one',
    n: 2_000,
    prepare: async (n) => {
      const server = await start();
      const graph = graphOf(server);
      const resource = [...graph.resources().values()].find(({ gvr }) => gvr.resource === 'configmaps');
      const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' }];
      const objects = numbers(n).map((i) => ({ metadata: { name: `x${i}`, namespace: 'default', ownerReferences } }));
      return () => {
        if (!resource) throw new TypeError('no kind');
        for (const object of objects) graph.objectChanged(resource, object as never, undefined);
        for (const object of objects) graph.objectChanged(resource, undefined, object as never);
        for (const object of objects) keyOf({ resource, object: object as never });
      };
    },
  },
  {
    name: 'the deletion of a namespace with many objects',
    n: 60,
    prepare: async (n) => {
      const server = await start();
      let round = 0;
      return async () => {
        const name = `n${round++}`;
        await server.client().create(namespace, { metadata: { name } } as never);
        for (const i of numbers(n))
          await server.client().create(configMap, { metadata: { name: `c${i}` } }, { namespace: name });
        await server.client().delete(namespace, name);
        await server.settle();
      };
    },
  },
  {
    name: 'the cleaner of tokens in secrets: many secrets of one account, many pods',
    n: 200,
    prepare: async (n) => {
      const clock = createFakeClock(Date.UTC(2026, 0, 1));
      const server = await start(clock);
      const client = server.client();
      const names = numbers(n).map((i) => `s${i}`);
      await client.create(
        serviceAccount,
        { metadata: { name: 'a' }, secrets: names.map((name) => ({ name })) } as never,
        where,
      );
      const { metadata } = await client.get(serviceAccount, 'a', where);
      for (const name of names)
        await client.create(
          secret,
          {
            metadata: {
              name,
              annotations: {
                'kubernetes.io/service-account.name': 'a',
                'kubernetes.io/service-account.uid': metadata.uid ?? '',
              },
            },
            type: 'kubernetes.io/service-account-token',
          } as never,
          where,
        );
      await server.load(
        names.map((name) => ({
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: `p-${name}`, namespace: 'default' },
          spec: { containers: [{ name: 'c', image: 'i' }], volumes: [{ name: 'v', secret: { secretName: name } }] },
        })) as never,
      );
      await server.settle();
      clock.advance(400 * 86_400_000);
      await server.settle();
      return async () => {
        clock.advance(86_400_000);
        await server.settle();
      };
    },
  },
  {
    name: 'listers and what follows them: many objects made and deleted',
    n: 200,
    prepare: async (n) => {
      const server = await start();
      let round = 0;
      return async () => {
        round++;
        for (const i of numbers(n))
          await server.client().create(secret, { metadata: { name: `s-${round}-${i}` } }, where);
        await server.client().deleteCollection(secret, where);
      };
    },
  },
  {
    name: 'accounts made beside many secrets',
    n: 100,
    prepare: async (n) => {
      const server = await start();
      for (const i of numbers(n)) await server.client().create(secret, { metadata: { name: `s${i}` } }, where);
      let round = 0;
      return async () => {
        round++;
        for (const i of numbers(n))
          await server.client().create(serviceAccount, { metadata: { name: `a-${round}-${i}` } }, where);
        await server.settle();
      };
    },
  },
];
