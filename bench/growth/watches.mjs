import { pod } from '../../dist/exports/kinds.js';
import { configMap } from '../../dist/index.js';
import { configMap as kilobyte } from '../objects.mjs';
import { request } from '../support/request.mjs';
import { walk } from './plain.mjs';
import { admin, seededServer, where } from './seeded.mjs';

const WATCHERS = [1_000, 10_000];

/** Opens watches whose readers read everything, as connections do. @returns a function that returns the number of events */
async function open(server, paths) {
  const taken = { events: 0 };
  for (const path of paths) {
    const [name, query] = path.split('?');
    const { body } = await server.handle({ ...request(name), query }, { user: admin });
    const { stream } = body;
    stream.onReadable = () => {
      taken.events += stream.take().length;
    };
    stream.take();
  }
  return taken;
}

/**
 * Measures a write and its delivery to watches.
 * @param each whether the row is about each watch; then the cost of the write without watches is subtracted
 * @param concerned whether the watches receive the event
 */
function written({ each = false, path, concerned = false }) {
  return async (count) => {
    const watched = await writer();
    const taken = await open(
      watched.server,
      Array.from({ length: count }, (_, i) => path(i)),
    );
    return {
      things: each ? count : 1,
      ...(each ? { without: (await writer()).write } : {}),
      call: async () => {
        const expected = taken.events + (concerned ? count : 0);
        await watched.write();
        await new Promise(setImmediate);
        if (taken.events !== expected) throw new Error(`${taken.events} events`);
      },
    };
  };
}

/** Returns a server with a pod, and a function that changes the pod. */
async function writer() {
  const { client, server } = await seededServer({ controllers: { mode: 'stepped' } });
  await server.settle();
  const spec = { nodeName: 'mine', containers: [{ name: 'a', image: 'b' }] };
  await client.create(pod, { metadata: { name: 'p', ...where }, spec });
  let i = 0;
  return { server, write: () => client.patch(pod, 'p', { metadata: { labels: { a: `${i++}` } } }, where) };
}

const LISTS = '/api/v1/namespaces/default/pods?watch=1';

export const subjects = {
  'event to each of its watches': {
    plain: walk,
    sizes: WATCHERS,
    make: written({ each: true, path: () => LISTS, concerned: true }),
  },
  'write beside watches of other namespaces': {
    sizes: WATCHERS,
    make: written({ path: (i) => `/api/v1/namespaces/n-${i}/pods?watch=1` }),
  },
  'write beside watches of other names': {
    sizes: WATCHERS,
    make: written({ path: (i) => `${LISTS}&fieldSelector=metadata.name=n-${i}` }),
  },
  'write beside watches of another kind': {
    sizes: WATCHERS,
    make: written({ path: () => '/api/v1/configmaps?watch=1' }),
  },
  'write, each watch of other labels': {
    plain: walk,
    sizes: WATCHERS,
    make: written({ each: true, path: (i) => `${LISTS}&labelSelector=other=n-${i}` }),
  },
  'write to a pod, each watch of another node': {
    plain: walk,
    sizes: WATCHERS,
    make: written({ each: true, path: (i) => `/api/v1/pods?watch=1&fieldSelector=spec.nodeName=node-${i}` }),
  },
  'beginning of a watch, each object that it begins with': {
    sizes: [1_000, 10_000],
    async make(count) {
      const { client, fill } = await seededServer({ controllers: [] });
      await fill(configMap, 'configmaps/default', kilobyte('c'), count);
      return {
        things: count,
        call: async () => {
          let seen = 0;
          for await (const _event of client.watch(configMap, { ...where, resourceVersion: '0' }))
            if (++seen === count) break;
        },
      };
    },
  },
  'beginning of a watch of the present': {
    sizes: [1_000, 10_000],
    async make(count) {
      const { client, fill } = await seededServer({ controllers: [] });
      await fill(configMap, 'configmaps/default', kilobyte('c'), count);
      const { metadata } = await client.list(configMap, { ...where, limit: 1 });
      return {
        call: async () => {
          const watch = client.watch(configMap, { ...where, resourceVersion: metadata.resourceVersion });
          const next = watch[Symbol.asyncIterator]().next();
          await new Promise(setImmediate);
          watch.close();
          await next.catch(() => {});
        },
      };
    },
  },
  'watch from a version, each event since then': {
    sizes: [1_000, 10_000],
    async make(count) {
      const { client, fill } = await seededServer({ controllers: [] });
      const { metadata } = await client.create(configMap, kilobyte('before'));
      await fill(configMap, 'configmaps/default', kilobyte('c'), count);
      return {
        things: count,
        call: async () => {
          let seen = 0;
          const { resourceVersion } = metadata;
          for await (const _event of client.watch(configMap, { ...where, resourceVersion }))
            if (++seen === count) break;
        },
      };
    },
  },
};
