import type { ApiServer } from '../../../src/api-server.js';
import { configMap } from '../../../src/resources/core/index.js';
import { encodePrettyList } from '../../../src/serialization/json/encode.js';
import { decodeYaml } from '../../../src/serialization/yaml/decode.js';
import { startServer } from '../../support/servers.js';
import type { GrowthRow } from './measure.js';

const where = { namespace: 'default' };

async function serverWith(count: number): Promise<ApiServer> {
  const server = await startServer({ dialect: 'k8s', controllers: [] });
  await server.load([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } }]);
  await fill(server, count);
  return server;
}

async function fill(server: ApiServer, count: number): Promise<void> {
  const client = server.client();
  for (let n = 0; n < count; n++)
    await client.create(configMap, { metadata: { name: `c${n}`, labels: { n: String(n) } } }, where);
}

const yamlOf = (n: number) => new TextEncoder().encode(Array.from({ length: n }, (_, i) => `k${i}: v\n`).join(''));

export const rows: readonly GrowthRow[] = [
  {
    name: 'a selector over many objects',
    n: 500,
    prepare: async (n) => {
      const client = (await serverWith(n)).client();
      return () => client.list(configMap, { ...where, labelSelector: 'n in (1,2,3)' });
    },
  },
  {
    name: 'deletion of a collection',
    n: 200,
    prepare: async (n) => {
      const server = await serverWith(0);
      return async () => {
        await fill(server, n);
        await server.client().deleteCollection(configMap, where);
      };
    },
  },
  {
    name: 'the initial events of a watch',
    n: 500,
    prepare: async (n) => {
      const client = (await serverWith(n)).client();
      return async () => {
        let seen = 0;
        for await (const _ of client.watch(configMap, where)) if (++seen === n) break;
      };
    },
  },
  {
    name: 'an indented list',
    n: 2000,
    prepare: (n) => {
      const items = Array.from({ length: n }, (_, i) => ({ metadata: { name: `n${i}` } }));
      return () => [...encodePrettyList({ kind: 'L' }, 'items', items)];
    },
  },
  {
    name: 'YAML: many keys',
    n: 1000,
    prepare: (n) => {
      const bytes = yamlOf(n);
      return () => decodeYaml(bytes, { duplicates: true });
    },
  },
];
