import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../src/index.js';
import { ask, requestsTo } from '../support/ask.js';
import { cpuTime } from '../support/cpu-time.js';
import { startServer } from '../support/servers.js';
import { everybody, manifest } from './support.js';

let server: ApiServer;
const { get, post, remove } = requestsTo(() => server);
beforeEach(async () => {
  server = await startServer({ dialect: 'k8s', authentication: [everybody] });
});
afterEach(() => server.close());

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const define = (spec: object) => post(DEFINITIONS, manifest({ spec: spec as never }));

it('a list of very many absent keys is refused quickly, with a short message', async () => {
  const keys = Array.from({ length: 20_000 }, (_, i) => `key${i}`);
  const items = { type: 'object', properties: { a: { type: 'string' } } };
  const list = { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys, items };
  const before = cpuTime();
  const { status, message = '' } = await define({ list });
  expect(cpuTime() - before).toBeLessThan(3_000);
  expect(status).toBe(422);
  expect(message).toContain('entries must all be names of item properties');
  expect(message.length).toBeLessThan(3_000_000);
});

it('a definition without versions is refused as invalid, not as a fault of the server', async () => {
  const { spec, metadata } = manifest();
  for (const versions of [undefined, null]) {
    const { status, message } = await post(DEFINITIONS, { metadata, spec: { ...spec, versions } });
    expect(status).toBe(422);
    expect(message).toContain(
      'spec.versions: Invalid value: []apiextensions.CustomResourceDefinitionVersion(nil): must have exactly one version marked as storage version',
    );
  }
});

describe('defaults that make objects very large', () => {
  const THINGS = '/apis/example.com/v1/namespaces/default/things';
  const text = (value: string) => ({ type: 'string', default: value });
  const listOf = (properties: object, more: object = {}) => ({
    type: 'array',
    items: { type: 'object', properties, ...more },
  });
  const serve = async (spec: object) => {
    expect(await define(spec)).toMatchObject({ status: 201 });
    await server.settle();
  };
  const make = (name: string, spec: object) =>
    post(THINGS, { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name }, spec });
  const empty = (count: number) => Array.from({ length: count }, () => ({}));
  const TOO_LARGE = {
    status: 413,
    message: 'Request entity too large: the defaults of its kind add more than 8388608 bytes to the object',
    value: { reason: 'RequestEntityTooLarge' },
  };

  it.each<[string, object, object]>([
    ['large defaults of very many items', { a: listOf({ b: text('x'.repeat(100_000)) }) }, { a: empty(100_000) }],
    [
      'large defaults of very many members',
      { a: { type: 'object', additionalProperties: listOf({ b: text('x'.repeat(100_000)) }).items } },
      { a: Object.fromEntries(empty(50_000).map((one, i) => [`m${i}`, one])) },
    ],
    [
      'defaults of lists within lists',
      {
        a: {
          ...listOf({
            b: { ...listOf({ c: { ...listOf({ d: text('x') }), default: empty(2000) } }), default: empty(2000) },
          }),
          default: empty(2000),
        },
      },
      {},
    ],
  ])('%s are refused at once, however small the request', async (_, properties, spec) => {
    await serve(properties);
    const before = cpuTime();
    expect(await make('big', spec)).toMatchObject(TOO_LARGE);
    expect(cpuTime() - before).toBeLessThan(3_000);
    expect(await make('small', { a: Array.isArray(Object(spec).a) ? [] : {} })).not.toMatchObject({ status: 413 });
  });

  it('are left out of stored objects, which can be read and deleted', async () => {
    await serve({ a: listOf({}) });
    const names = Array.from({ length: 20 }, (_, i) => `thing${i}`);
    for (const name of names)
      expect(await make(name, { a: empty(name === 'thing0' ? 1 : 50_000) })).toMatchObject({ status: 201 });
    const patch = [
      {
        op: 'add',
        path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/a/items/properties',
        value: { b: text('x'.repeat(100_000)) },
      },
    ];
    const headers = { 'content-type': 'application/json-patch+json' };
    const changed = { method: 'PATCH', path: `${DEFINITIONS}/things.example.com`, headers, body: patch };
    expect(await ask(server, changed)).toMatchObject({ status: 200 });
    await server.settle();
    const before = cpuTime();
    expect((await get(`${THINGS}/thing0`)).value.spec.a[0].b).toHaveLength(100_000);
    expect((await get(`${THINGS}/thing1`)).value.spec.a[0]).toEqual({});
    expect((await get(THINGS)).status).toBe(200);
    const label = { method: 'PATCH', path: `${THINGS}/thing1`, body: { metadata: { labels: { a: 'b' } } } };
    const merged = await ask(server, { ...label, headers: { 'content-type': 'application/merge-patch+json' } });
    expect(merged).toMatchObject(TOO_LARGE);
    for (const name of names) expect(await remove(`${THINGS}/${name}`)).toMatchObject({ status: 200 });
    expect(cpuTime() - before).toBeLessThan(10_000);
  });
});

it('a definition of any depth or width gets a response in time', async () => {
  let deep: object = { type: 'string' };
  for (let i = 0; i < 3000; i++) deep = { type: 'array', items: deep };
  await expect(server.install(manifest({ spec: { deep } as never }))).rejects.toThrow();
  let nested: object = { type: 'string' };
  for (let i = 0; i < 400; i++) nested = { type: 'object', properties: { p: nested }, default: {} };
  const wide = Object.fromEntries(
    Array.from({ length: 5000 }, (_, i) => [`p${i}`, { type: 'string', pattern: '^a+$', maxLength: 5 }]),
  );
  const before = cpuTime();
  await server.install(manifest({ spec: { nested, wide: { type: 'object', properties: wide } } as never }));
  expect(cpuTime() - before).toBeLessThan(10_000);
});
