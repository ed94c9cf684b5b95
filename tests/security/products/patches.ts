import { type Client, type Product, range } from './measure.js';

const CONFIG_MAP = '/api/v1/namespaces/default/configmaps/c';
const ANYTHING = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const APPLY = { 'content-type': 'application/apply-patch+yaml' };
const JSON_PATCH = { 'content-type': 'application/json-patch+json' };

/** A patch of `a` operations on an object with a list of `b` numbers. */
async function operations(client: Client, a: number, b: number, operation: (i: number) => object) {
  await client.define(ANYTHING);
  await client.instantiate({ l: range(b, () => 1), m: range(b, () => 1) });
  return { method: 'PATCH', path: `${client.instances}/w`, headers: JSON_PATCH, body: range(a, operation) };
}

export const products: readonly Product[] = [
  {
    name: 'operations of a JSON patch x items that they shift',
    small: [200, 20_000],
    largest: [10_000, 100_000],
    bounds: '10,000 operations, 2^28 items shifted',
    status: 413,
    prepare: (client, a, b) =>
      operations(client, a, b, (i) =>
        i % 2 ? { op: 'add', path: '/spec/l/0', value: 1 } : { op: 'remove', path: '/spec/l/0' },
      ),
  },
  {
    name: 'operations of a JSON patch x the value that they copy',
    small: [20, 5000],
    largest: [10_000, 100_000],
    bounds: 'the bytes that a patch may copy',
    status: 422,
    prepare: (client, a, b) => operations(client, a, b, () => ({ op: 'copy', from: '/spec/l', path: '/spec/n' })),
  },
  {
    name: 'operations of a JSON patch x the value that they test',
    small: [20, 5000],
    largest: [3, 200_000],
    bounds: 'the size of a request: a test brings the value',
    status: 200,
    prepare: (client, a, b) =>
      operations(client, a, b / 2, () => ({ op: 'test', path: '/spec/l', value: range(b / 2, () => 1) })),
  },
  {
    name: 'managers x fields that all of them own',
    small: [10, 100],
    largest: [200, 1000],
    bounds: 'the size of an object, of which managedFields are a part',
    status: 409,
    async prepare(client, a, b) {
      const body = (value: string) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'c' },
        data: Object.fromEntries(range(b, (i) => [`k${i}`, value])),
      });
      for (let i = 0; i < a; i++)
        await client.send({
          method: 'PATCH',
          path: CONFIG_MAP,
          query: `fieldManager=m${i}`,
          headers: APPLY,
          body: body('x'),
        });
      return { method: 'PATCH', path: CONFIG_MAP, query: 'fieldManager=last', headers: APPLY, body: body('y') };
    },
  },
  {
    name: 'items of a strategic merge patch x items of the list',
    small: [200, 200],
    largest: [10_000, 10_000],
    bounds: 'items are found by their keys',
    status: 200,
    async prepare(client, a, b) {
      const environment = (n: number, value: string) => range(n, (i) => ({ name: `e${b - 1 - i}`, value }));
      const container = { name: 'a', image: 'x', env: environment(b, 'x') };
      await client.create('/api/v1/namespaces/default/replicationcontrollers', {
        metadata: { name: 'r' },
        spec: {
          selector: { a: 'b' },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } },
        },
      });
      const containers = [{ name: 'a', env: environment(a, 'y') }];
      return {
        method: 'PATCH',
        path: '/api/v1/namespaces/default/replicationcontrollers/r',
        headers: { 'content-type': 'application/strategic-merge-patch+json' },
        body: { spec: { template: { spec: { containers } } } },
      };
    },
  },
];
