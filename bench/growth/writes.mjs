import { namespace as namespaceKind, pod, service, serviceAccount } from '../../dist/exports/kinds.js';
import { configMap } from '../../dist/index.js';
import { configMap as kilobyte } from '../objects.mjs';
import { seededServer, where } from './seeded.mjs';

const SIZES = [1_000, 10_000];

async function filled(count, options = { controllers: [] }) {
  const seeded = await seededServer(options);
  await seeded.fill(configMap, 'configmaps/default', kilobyte('c'), count);
  return seeded;
}

/** Creates an object and deletes it, so that the number of objects does not change. */
const createAndDelete = (client, kind, object) => {
  let i = 0;
  return async () => {
    const name = `new-${i++}`;
    await client.create(kind, { ...object, metadata: { ...object.metadata, name } });
    await client.delete(kind, name, object.metadata.namespace ? where : {});
  };
};

const small = { metadata: { namespace: 'default' }, data: { a: 'b' } };

export const subjects = {
  'create and delete in a namespace': {
    sizes: [1_000, 10_000, 100_000],
    make: async (count) => ({ call: createAndDelete((await filled(count)).client, configMap, small) }),
  },
  'the same with controllers': {
    sizes: SIZES,
    make: async (count) => ({ call: createAndDelete((await filled(count, {})).client, configMap, small) }),
  },
  'merge patch of an object beside others': {
    sizes: SIZES,
    async make(count) {
      const { client } = await filled(count);
      let i = 0;
      return { call: () => client.patch(configMap, 'c-77', { data: { a: `${i++}` } }, where) };
    },
  },
  'apply of an object beside others': {
    sizes: SIZES,
    async make(count) {
      const { client } = await filled(count);
      let i = 0;
      const options = { fieldManager: 'm', force: true };
      return {
        call: () => client.apply(configMap, { metadata: { name: 'c-77', ...where }, data: { n: `${i++}` } }, options),
      };
    },
  },
  'deletecollection, each object': {
    sizes: [1_000, 10_000],
    async make(count) {
      const { client } = await seededServer({ controllers: [] });
      await client.create(namespaceKind, { metadata: { name: 'full' } });
      return {
        things: count,
        before: async () => {
          for (let i = 0; i < count; i++) await client.create(configMap, kilobyte(`c-${i}`, 'full', i));
        },
        call: () => client.deleteCollection(configMap, { namespace: 'full' }),
      };
    },
  },
  'create a pod beside pods': {
    sizes: SIZES,
    async make(count) {
      const { client, fill } = await seededServer();
      await fill(pod, 'pods/default', podOf('p'), count);
      return { call: createAndDelete(client, pod, podOf('new')) };
    },
  },
  'create a service beside services': {
    sizes: [1_000, 10_000],
    async make(count) {
      const { client, fill } = await seededServer({
        network: { serviceNetwork: { clusterIpRanges: ['10.0.0.0/14'] } },
      });
      const object = { metadata: { name: 's', ...where }, spec: { ports: [{ port: 80 }] } };
      await fill(service, 'services/default', object, count, (copy, i) => {
        const ip = `10.${1 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}`;
        copy.spec.clusterIP = ip;
        copy.spec.clusterIPs = [ip];
      });
      return { call: createAndDelete(client, service, object) };
    },
  },
  'create a namespace beside namespaces': {
    sizes: [1_000, 10_000],
    async make(count) {
      const { client, fill, server } = await seededServer();
      await fill(namespaceKind, 'namespaces', { metadata: { name: 'n' } }, count);
      await server.settle();
      let i = 0;
      return {
        call: async () => {
          await client.create(namespaceKind, { metadata: { name: `new-${i}` } });
          await server.settle();
          await client.delete(namespaceKind, `new-${i++}`);
          await server.settle();
        },
      };
    },
  },
  'create a service account beside others': {
    sizes: SIZES,
    async make(count) {
      const { client, fill } = await seededServer();
      await fill(serviceAccount, 'serviceaccounts/default', { metadata: { name: 's', ...where } }, count);
      return { call: createAndDelete(client, serviceAccount, { metadata: { ...where } }) };
    },
  },
};

const podOf = (name) => ({
  metadata: { name, ...where, labels: { app: 'web' } },
  spec: { containers: [{ name: 'a', image: 'b', resources: { requests: { cpu: '100m' } } }] },
});
