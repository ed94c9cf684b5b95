import { type Client, type Product, range } from './measure.js';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

async function configMaps(client: Client, count: number): Promise<void> {
  for (let i = 0; i < count; i++)
    await client.create(CONFIG_MAPS, { metadata: { name: `c${i}`, labels: { a: String(i) } } });
}

const selecting = (labelSelector: string) => ({
  path: CONFIG_MAPS,
  query: `limit=1&labelSelector=${encodeURIComponent(labelSelector)}`,
});

const NAMES = '.spec.l[*].f';
const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

export const products: readonly Product[] = [
  {
    name: 'requirements of a label selector x objects',
    small: [200, 1500],
    largest: [1000, 10_000],
    bounds: '1,000 requirements; a match costs as much as the object has labels',
    status: 200,
    async prepare(client, a, b) {
      await configMaps(client, b);
      return selecting([...range(a - 1, (i) => `!x${i}`), 'none'].join());
    },
  },
  {
    name: 'values of a label selector x objects',
    small: [2000, 1500],
    largest: [10_000, 10_000],
    bounds: '10,000 values, kept as a set',
    status: 200,
    async prepare(client, a, b) {
      await configMaps(client, b);
      return selecting(`a in (${range(a, (i) => `x${i}`).join()})`);
    },
  },
  {
    name: 'requirements of a field selector x objects',
    small: [200, 1500],
    largest: [1000, 10_000],
    bounds: '1,000 requirements, and a turn of 10 ms',
    status: 200,
    async prepare(client, a, b) {
      await configMaps(client, b);
      const fieldSelector = range(a, (i) => `metadata.name!=${i < a - 1 ? `x${i}` : 'c0'}`).join();
      return { path: CONFIG_MAPS, query: `limit=1&fieldSelector=${encodeURIComponent(fieldSelector)}` };
    },
  },
  {
    name: 'requirements of a label selector x objects that are deleted',
    small: [200, 300],
    largest: [1000, 3000],
    bounds: '1,000 requirements, and a turn of 10 ms',
    status: 200,
    async prepare(client, a, b) {
      await configMaps(client, b);
      const labelSelector = range(a, (i) => `!x${i}`).join();
      return { method: 'DELETE', path: CONFIG_MAPS, query: `labelSelector=${encodeURIComponent(labelSelector)}` };
    },
  },
  {
    name: 'requirements of a label selector x watches x one write',
    small: [200, 200],
    largest: [1000, 2000],
    bounds: '1,000 requirements; 5,000 long-running requests of a user',
    status: 201,
    async prepare(client, a, b) {
      const { path, query } = selecting([...range(a - 1, (i) => `!x${i}`), 'none'].join());
      for (let i = 0; i < b; i++) await client.watch({ path, query: `watch=true&${query}` });
      return { method: 'POST', path: CONFIG_MAPS, body: { metadata: { name: 'c', labels: { a: 'b' } } } };
    },
  },
  {
    name: 'columns x items that each of them goes through',
    small: [10, 4000],
    largest: [5000, 100_000],
    bounds: '100,000 values of a path, 1,000,000 values and 8 MiB of a row; cells beyond them are null',
    status: 200,
    async prepare(client, a, b) {
      await client.define(
        { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        {
          additionalPrinterColumns: range(a, (i) => ({ name: `c${i}`, type: 'string', jsonPath: `${NAMES}${i}` })),
        },
      );
      await client.instantiate({ l: range(b, () => ({ x: 1 })) });
      return { path: `${client.instances}/w`, headers: TABLE };
    },
  },
  {
    name: 'columns x the text of an object that each of them shows',
    small: [10, 4000],
    largest: [5000, 100_000],
    bounds: '8 MiB of a row',
    status: 200,
    async prepare(client, a, b) {
      await client.define(
        { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        {
          additionalPrinterColumns: range(a, (i) => ({ name: `c${i}`, type: 'string', jsonPath: '.spec' })),
        },
      );
      await client.instantiate({ l: range(b, () => ({ x: 1 })) });
      return { path: `${client.instances}/w`, headers: TABLE };
    },
  },
];
