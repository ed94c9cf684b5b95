import { customResourceDefinition } from '../../dist/exports/kinds.js';
import { configMap } from '../../dist/index.js';
import { read, seededServer, where } from './seeded.mjs';

const SIZES = [100, 1_000];

const definition = (i) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `kinds${i}.g${i % 100}.example.com` },
  spec: {
    group: `g${i % 100}.example.com`,
    scope: 'Namespaced',
    names: { plural: `kinds${i}`, kind: `Kind${i}` },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } } },
            },
          },
        },
      },
    ],
  },
});

async function installed(count) {
  const seeded = await seededServer();
  await seeded.server.install(Array.from({ length: count }, (_, i) => definition(i)));
  await seeded.server.settle();
  return seeded;
}

/** One more definition, and the documents that contain it. */
const documents = (paths) => async (count) => {
  const { server } = await installed(count);
  let i = 1_000_000;
  return {
    things: count,
    before: async () => {
      await server.install(definition(i));
      await server.settle();
    },
    call: async () => {
      for (const path of paths) await read(server, path.replace('N', `${i % 100}`));
      i++;
    },
  };
};

export const subjects = {
  'one more definition': {
    sizes: SIZES,
    async make(count) {
      const { client, server } = await installed(count);
      let i = 1_000_000;
      return {
        call: async () => {
          await server.install(definition(i));
          await client.delete(customResourceDefinition, definition(i++).metadata.name);
          await server.settle();
        },
      };
    },
  },
  'first object of one of the kinds': {
    sizes: SIZES,
    async make(count) {
      const { server, client } = await installed(count);
      const kind = server.kind('g7.example.com/v1', 'Kind7');
      let i = 0;
      return { call: () => client.create(kind, { metadata: { name: `o-${i++}`, ...where }, spec: { a: 'a' } }) };
    },
  },
  'create beside definitions': {
    sizes: SIZES,
    async make(count) {
      const { client } = await installed(count);
      let i = 0;
      return { call: () => client.create(configMap, { metadata: { name: `o-${i++}`, ...where }, data: { a: 'a' } }) };
    },
  },
  'discovery of all after one more, each definition': { sizes: SIZES, make: documents(['/apis']) },
  'index of OpenAPI after one more, each definition': { sizes: SIZES, make: documents(['/openapi/v3']) },
  'OpenAPI v2 after one more, each definition': { sizes: SIZES, make: documents(['/openapi/v2']) },
  'OpenAPI of one group after one more, each of its definitions': {
    sizes: SIZES,
    make: documents(['/openapi/v3/apis/gN.example.com/v1']),
  },
};
