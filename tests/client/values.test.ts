import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type ConfigMap, pod } from '../../src/exports/kinds.js';
import { ApiServer, configMap, defineResource, type New, type ObjectOf } from '../../src/index.js';
import { createFakeRandom } from '../../src/testing/index.js';

/* Values that a program may pass in process, where they are not serialized to JSON. */
const where = { namespace: 'default' };
const loose = defineResource({
  group: 'test.example.com',
  version: 'v1',
  kind: 'Loose',
  plural: 'looses',
  scope: 'Namespaced',
  schema: z.object({ spec: z.looseObject({}), size: z.number().optional() }),
});
type Loose = ObjectOf<typeof loose>;
const server = new ApiServer({ resources: (builtin) => [...builtin, loose], random: createFakeRandom(1) });
const client = server.client();
let count = 0;
const name = () => `a${++count}`;
beforeAll(() => server.start());
afterAll(() => server.close());

/** Passes the value to every verb that accepts one. */
const writes: Record<string, (v: unknown) => Promise<Loose>> = {
  create: (v) => client.create(loose, { metadata: { name: name() }, spec: { v } }, where),
  async update(v) {
    const { metadata } = await client.create(loose, { metadata: { name: name() }, spec: {} }, where);
    return await client.update(loose, metadata.name ?? '', (draft) => void (draft.spec = { v }), where);
  },
  async patch(v) {
    const { metadata } = await client.create(loose, { metadata: { name: name() }, spec: {} }, where);
    return await client.patch(loose, metadata.name ?? '', { spec: { v } }, where);
  },
  apply: (v) => client.apply(loose, { metadata: { name: name() }, spec: { v } }, { ...where, fieldManager: 'test' }),
};

describe.each(Object.entries(writes))('%s, with arbitrary values', (_, write) => {
  it('stores what the JSON would contain', async () => {
    const given = { date: new Date(0), list: [undefined, () => 1], boxed: Object('x'), bytes: new Uint8Array([1]) };
    const { spec, metadata } = await write(given);
    expect(spec['v']).toEqual({ date: '1970-01-01T00:00:00.000Z', list: [null, null], boxed: 'x', bytes: { 0: 1 } });
    const path = `https://server/apis/test.example.com/v1/namespaces/default/looses/${metadata.name}`;
    const user = { username: 'jane', groups: ['system:masters'] };
    const answered = await server.fetch(new Request(path), { user });
    expect(((await answered.json()) as Loose).spec).toEqual(spec);
  });

  it.each<[string, () => unknown]>([
    ['bigints', () => ({ n: 1n })],
    ['cycles', () => Object.assign([], { 0: [] }, { 0: circle })],
    ['frozen cycles', () => Object.freeze(circle)],
  ])('refuses %s', async (_name, make) => {
    await expect(write(make())).rejects.toThrow(TypeError);
  });

  it('returns the same error for too deep nesting as for bytes', async () => {
    const root: Record<string, unknown> = {};
    for (let at = root, i = 0; i < 12_000; i++) at = at['a'] = {};
    await expect(write(root)).rejects.toMatchObject({ code: 400 });
  });

  it("does not change or keep the caller's object", async () => {
    const given = { a: { b: 1 } };
    const half = Object.freeze({ c: { d: 1 } });
    const { spec, metadata } = await write({ given, half });
    given.a.b = 2;
    half.c.d = 2;
    expect(spec['v']).toEqual({ given: { a: { b: 1 } }, half: { c: { d: 1 } } });
    expect(await client.get(loose, metadata.name ?? '', where)).toMatchObject({ spec });
  });
});
const circle: Record<string, unknown> = {};
circle['self'] = circle;

it('undefined members are absent, in maps as well', async () => {
  const data = { a: undefined, b: 'c' } as unknown as Record<string, string>;
  const labels = { x: undefined } as unknown as Record<string, string>;
  const created = await client.create(configMap, { metadata: { name: name(), labels }, data }, where);
  expect(created.data).toEqual({ b: 'c' });
  expect(created.metadata.labels).toBeUndefined();
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i % 2 ? undefined : 'v']));
  const large = await client.create(configMap, { metadata: { name: name() }, data: many } as New<ConfigMap>, where);
  expect(Object.keys(large.data ?? {})).toHaveLength(2500);
});

it('refuses a number beyond the range of doubles', async () => {
  const schema = '{"openAPIV3Schema":{"type":"object","maximum":1e999}}';
  const body = `{"metadata":{"name":"a.b.c"},"spec":{"versions":[{"name":"v1","schema":${schema}}]}}`;
  const path = 'https://server/apis/apiextensions.orch.io/v1/customresourcedefinitions';
  const user = { username: 'jane', groups: ['system:masters'] };
  const answered = await server.fetch(
    new Request(path, { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
    { user },
  );
  expect(answered.status).toBe(400);
  expect(await answered.text()).toContain('cannot unmarshal number');
});

it('refuses a recipe whose result would be lost', async () => {
  const { metadata } = await client.create(configMap, { metadata: { name: name() } }, where);
  const update = (recipe: (draft: { data?: object }) => unknown) =>
    client.update(configMap, metadata.name ?? '', recipe as () => void, where);
  await expect(update(async (draft) => (draft.data = { a: '1' }))).rejects.toThrow('must not be async');
  await expect(update((draft) => ({ ...draft, data: { a: '1' } }))).rejects.toThrow('change the draft');
  expect(await update((draft) => (draft.data = { a: '2' }))).toMatchObject({ data: { a: '2' } });
  expect(await update((draft) => draft)).toMatchObject({ data: { a: '2' } });
});

it('a call uses its object as it is when the call is made', async () => {
  const object = { metadata: { name: 'x' }, spec: { v: 1 } };
  const calls = [1, 2, 3].map((v) => {
    object.metadata.name = `call-${v}`;
    object.spec.v = v;
    return client.create(loose, object, where);
  });
  const change = { spec: { v: 4 } };
  const patched = calls[0]?.then(() => {
    const made = client.patch(loose, 'call-1', change, where);
    change.spec.v = 5;
    return made;
  });
  expect((await Promise.all(calls)).map(({ metadata, spec }) => [metadata.name, spec['v']])).toEqual([
    ['call-1', 1],
    ['call-2', 2],
    ['call-3', 3],
  ]);
  expect((await patched)?.spec).toEqual({ v: 4 });
});

it.each([1.5, '5'])('refuses the grace period %s, which is not an integer', async (value) => {
  const spec = { nodeName: 'a', containers: [{ name: 'a', image: 'a' }] };
  const { metadata } = await client.create(pod, { metadata: { name: name() }, spec }, where);
  const options = { ...where, gracePeriodSeconds: value as number };
  await expect(client.delete(pod, metadata.name ?? '', options)).rejects.toThrow('json: cannot unmarshal');
  expect((await client.get(pod, metadata.name ?? '', where)).metadata.deletionTimestamp).toBeUndefined();
});

it('refuses a value that is not a kind', async () => {
  await expect(client.get(undefined as never, 'a')).rejects.toThrow('give a kind');
});

it('the objects of a watch event are frozen, because all watches share them', async () => {
  const metadata = { name: name(), labels: { watched: 'yes' } };
  const watch = await client.watch(configMap, { ...where, labelSelector: 'watched=yes' }).opened();
  await client.create(configMap, { metadata }, where);
  await client.patch(configMap, metadata.name, { data: { a: '1' } }, where);
  await client.patch(configMap, metadata.name, { metadata: { labels: { watched: 'no' } } }, where);
  const types: string[] = [];
  for await (const { type, object } of watch) {
    types.push(type);
    expect([object, object.metadata, object.metadata.labels].map(Object.isFrozen)).toEqual([true, true, true]);
    if (type === 'DELETED') break;
  }
  expect(types).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
});
