import { pod } from '../../dist/exports/kinds.js';
import { configMap } from '../../dist/index.js';
import { configMap as kilobyte } from '../objects.mjs';
import { copy, walk } from './plain.mjs';
import { nameOf, read, scattered, seededServer, where } from './seeded.mjs';

/** Sizes for subjects whose largest size takes seconds to create, and for the others. */
const LARGE = [1_000, 10_000, 100_000];
const SIZES = [1_000, 10_000];
const PATH = '/api/v1/namespaces/default/configmaps';

async function filled(count) {
  const seeded = await seededServer({ controllers: [] });
  await seeded.fill(configMap, 'configmaps/default', kilobyte('c'), count, (object, i) => {
    object.metadata.labels = { app: 'bench', shard: String(i % 16), number: String(i) };
  });
  return seeded;
}

const simplePod = (name) => ({
  metadata: { name, namespace: 'default' },
  spec: { containers: [{ name: 'a', image: 'b' }] },
});

const listed = (expected, options) => async (count) => {
  const { client } = await filled(count);
  return {
    call: async () => {
      const { items } = await client.list(configMap, { ...where, ...options(count) });
      if (items.length !== expected(count)) throw new Error(`${items.length} items`);
    },
  };
};

export const subjects = {
  'get, in the process': {
    sizes: LARGE,
    async make(count) {
      const { client } = await filled(count);
      const next = scattered(count);
      return { call: () => client.get(configMap, nameOf('c', next()), where) };
    },
  },
  'get, as bytes': {
    sizes: SIZES,
    async make(count) {
      const { server } = await filled(count);
      const get = (i) => read(server, `${PATH}/${nameOf('c', i)}`);
      // The first read of each object encodes its JSON, which is not measured.
      for (let i = 0; i < count; i++) await get(i);
      const next = scattered(count);
      return { call: () => get(next()) };
    },
  },
  'page of 500, in the process': {
    sizes: LARGE,
    make: listed(
      () => 500,
      () => ({ limit: 500 }),
    ),
  },
  'page of 500 after the middle, as bytes': {
    sizes: SIZES,
    async make(count) {
      const { server } = await filled(count);
      const first = JSON.parse(await read(server, `${PATH}?limit=${Math.floor(count / 2)}`, true));
      return { call: () => read(server, `${PATH}?limit=500&continue=${first.metadata.continue}`) };
    },
  },
  'all pages of 500, each item': {
    plain: walk,
    sizes: SIZES,
    async make(count) {
      const { client } = await filled(count);
      return {
        things: count,
        call: async () => {
          let next;
          do {
            const { metadata } = await client.list(configMap, {
              ...where,
              limit: 500,
              ...(next ? { continue: next } : {}),
            });
            next = metadata.continue;
          } while (next);
        },
      };
    },
  },
  'whole list after a write, in the process, each item': {
    plain: walk,
    sizes: LARGE,
    async make(count) {
      const { client } = await filled(count);
      let i = 0;
      return {
        things: count,
        before: () => client.patch(configMap, 'c', { data: { a: String(i++) } }, where),
        call: () => client.list(configMap, where),
      };
    },
  },
  'whole list of objects just written, as bytes, each item': {
    sizes: SIZES,
    async make(count) {
      const { server, fill } = await seededServer({ controllers: [] });
      let round = 0;
      return {
        things: count,
        before: () => fill(configMap, 'configmaps/default', kilobyte('c'), count, undefined, `${round++}`),
        call: () => read(server, PATH),
      };
    },
  },
  'whole list of objects read before, as bytes, each item': {
    plain: copy,
    sizes: SIZES,
    async make(count) {
      const { client, server } = await filled(count);
      for (let i = 0; i < count; i++) await read(server, `${PATH}/${nameOf('c', i)}`);
      let i = 0;
      return {
        things: count,
        before: () => client.patch(configMap, 'c', { data: { a: String(i++) } }, where),
        call: () => read(server, PATH),
      };
    },
  },
  'list by a label that few have, each item looked at': {
    plain: walk,
    sizes: LARGE,
    make: async (count) => ({
      ...(await listed(
        () => 1,
        () => ({ labelSelector: 'number=77' }),
      )(count)),
      things: count,
    }),
  },
  'list by metadata.name': {
    sizes: LARGE,
    make: listed(
      () => 1,
      () => ({ fieldSelector: 'metadata.name=c-77' }),
    ),
  },
  'list of pods by node, each pod looked at': {
    plain: walk,
    sizes: SIZES,
    async make(count) {
      const { client, fill } = await seededServer();
      await fill(pod, 'pods/default', simplePod('p'), count, (object, i) => {
        object.spec.nodeName = `node-${i}`;
      });
      return {
        things: count,
        call: async () => {
          const { items } = await client.list(pod, { ...where, fieldSelector: 'spec.nodeName=node-77' });
          if (items.length !== 1) throw new Error(`${items.length} items`);
        },
      };
    },
  },
  'list of one namespace beside others': {
    sizes: SIZES,
    async make(count) {
      const seeded = await filled(count);
      await seeded.client.create(configMap, kilobyte('one', 'kube-system'));
      return { call: () => seeded.client.list(configMap, { namespace: 'kube-system' }) };
    },
  },
};
