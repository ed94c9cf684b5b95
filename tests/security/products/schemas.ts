import { type Client, type Product, range } from './measure.js';

const listOf = (items: object) => ({ type: 'object', properties: { l: { type: 'array', items } } });

/** A definition whose list has `a` of something, and an object with `b` items. */
function items(
  name: string,
  bounds: string,
  { small, largest, status = 201 }: Pick<Product, 'small' | 'largest'> & { readonly status?: number },
  schema: (a: number) => object,
  item: (i: number, a: number) => unknown,
): Product {
  return {
    name,
    small,
    largest,
    bounds,
    status,
    async prepare(client: Client, a, b) {
      await client.define(schema(a));
      const body = {
        apiVersion: 'x.io/v1',
        kind: 'W',
        metadata: { name: 'w' },
        spec: { l: range(b, (i) => item(i, a)) },
      };
      return { method: 'POST', path: client.instances, body };
    },
  };
}

const CHECKS = '2,000,000 checks of one object';
const many = { small: [200, 1000], largest: [10_000, 100_000], status: 422 } as const;
const integers = (n: number) => Object.fromEntries(range(n, (i) => [`p${i}`, { type: 'integer' }]));

export const products: readonly Product[] = [
  items(
    'values of an enum x items',
    'enums of scalars are sets',
    { small: [2000, 5000], largest: [40_000, 100_000] },
    (a) => listOf({ type: 'integer', enum: range(a, (i) => i) }),
    () => 1,
  ),
  items(
    'branches of allOf x items',
    CHECKS,
    many,
    (a) => listOf({ type: 'integer', allOf: range(a, () => ({ minimum: 0 })) }),
    () => 1,
  ),
  items(
    'branches of anyOf x items',
    CHECKS,
    many,
    (a) => listOf({ type: 'integer', anyOf: [...range(a, (i) => ({ maximum: -1 - i })), { minimum: 0 }] }),
    () => 1,
  ),
  items(
    'branches of oneOf x items',
    CHECKS,
    many,
    (a) => listOf({ type: 'integer', oneOf: [...range(a, (i) => ({ maximum: -1 - i })), { minimum: 0 }] }),
    () => 1,
  ),
  items(
    'properties x items without them',
    'only members that are there or required are visited',
    { small: [1000, 5000], largest: [10_000, 300_000] },
    (a) => listOf({ type: 'object', properties: integers(a) }),
    () => ({}),
  ),
  items(
    'properties x items, one of them with a default',
    'only members that are there or have defaults are visited',
    { small: [1000, 5000], largest: [10_000, 50_000] },
    (a) => listOf({ type: 'object', properties: { ...integers(a), d: { type: 'integer', default: 1 } } }),
    () => ({ d: 2 }),
  ),
  items(
    'required members x items without them',
    'the errors of one object',
    { small: [50, 500], largest: [5000, 300_000], status: 422 },
    (a) => listOf({ type: 'object', properties: integers(a), required: Object.keys(integers(a)) }),
    () => ({}),
  ),
  items(
    'defaults x items',
    '8 MiB of defaults of one object',
    { small: [30, 200], largest: [1000, 100_000], status: 413 },
    (a) =>
      listOf({
        type: 'object',
        properties: Object.fromEntries(range(a, (i) => [`p${i}`, { type: 'integer', default: i }])),
      }),
    () => ({}),
  ),
  items(
    'steps of a pattern x characters',
    CHECKS,
    { small: [100, 500], largest: [1900, 60_000], status: 422 },
    (a) => listOf({ type: 'string', pattern: `^([a-d]|x){${a / 4}}$` }),
    () => 'abcdabcdabcdabcdabcdabcd',
  ),
  items(
    'rules x items',
    'the estimate of a definition, and the cost of one object',
    { small: [10, 500], largest: [100, 10_000] },
    (a) => ({
      type: 'object',
      properties: {
        l: {
          type: 'array',
          maxItems: 100_000,
          items: { type: 'integer', 'x-kubernetes-validations': range(a, () => ({ rule: 'self >= 0' })) },
        },
      },
    }),
    () => 1,
  ),
  items(
    'keys of a map list x items',
    'the size of a request',
    { small: [4, 300], largest: [16, 5000] },
    (a) => ({
      type: 'object',
      properties: {
        l: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': Object.keys(integers(a)),
          items: { type: 'object', properties: integers(a), required: Object.keys(integers(a)) },
        },
      },
    }),
    (i, a) => Object.fromEntries(range(a, (k) => [`p${k}`, k === 0 ? i : 0])),
  ),
];
