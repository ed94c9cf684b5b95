import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../src/index.js';
import type { ApiObject } from '../../src/meta/object-meta.js';
import { customResourceDefinition } from '../../src/resources/apiextensions/index.js';
import { MemoryStore } from '../../src/store/memory-store.js';
import { fetchFrom, requestsTo } from '../support/ask.js';
import { startServer } from '../support/servers.js';
import { everybody, manifest } from './support.js';

// Cases of upstream's integration tests of versions and defaults in definitions, and their effect on stored objects.

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const NAME = 'things.example.com';
const pathOf = (version: string, name = '') =>
  `/apis/example.com/${version}/namespaces/default/things${name === '' ? '' : `/${name}`}`;
const open = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
type Version = {
  readonly name: string;
  readonly served?: boolean;
  readonly storage?: boolean;
  readonly schema?: object;
};
const versionsOf = (...all: readonly Version[]) =>
  all.map((each) => ({ served: true, storage: false, schema: open, ...each }));

let server: ApiServer;
const { get, post, put, merge } = requestsTo(() => server);
let store: MemoryStore<ApiObject>;
beforeEach(async () => {
  server = await startServer({
    dialect: 'k8s',
    authentication: [everybody],
    storage: (wiring) => {
      const made = new MemoryStore(wiring);
      store = made as unknown as MemoryStore<ApiObject>;
      return made;
    },
  });
});
afterEach(() => server.close());

const define = async (...versions: readonly Version[]) => {
  const made = await post(CRDS, manifest({ versions: versionsOf(...versions) }));
  expect(made.status).toBe(201);
  await server.settle();
};
const redefine = async (...versions: readonly Version[]) => {
  const answer = await merge(`${CRDS}/${NAME}`, { spec: { versions: versionsOf(...versions) } });
  await server.settle();
  return answer;
};
const crd = () => server.client().get(customResourceDefinition, NAME);
const storedIn = () =>
  store.list('/registry/example.com/').entries.map(({ value }) => `${value.metadata.name} ${value.apiVersion}`);
const make = (version: string, name: string, more: object = {}) =>
  post(pathOf(version), { apiVersion: `example.com/${version}`, kind: 'Thing', metadata: { name }, ...more });

describe('versions of a definition', () => {
  it('rules about apiVersion see that of the request, whichever version is stored', async () => {
    await define({ name: 'v1beta1' }, { name: 'v1beta2', storage: true });
    expect((await make('v1beta1', 'foo')).status).toBe(201);
    const properties = { apiVersion: { type: 'string', pattern: '^example.com/v1beta1$' } };
    const schema = {
      openAPIV3Schema: { ...open.openAPIV3Schema, properties, required: ['apiVersion'] },
    };
    expect((await redefine({ name: 'v1beta1', schema }, { name: 'v1beta2', storage: true, schema })).status).toBe(200);
    expect((await merge(pathOf('v1beta1', 'foo'), { i: 1 })).status).toBe(200);
    expect((await make('v1beta1', 'bar')).status).toBe(201);
    // Values that a patch does not change may be invalid, but not the requested version.
    for (const refused of [await make('v1beta2', 'baz'), await merge(pathOf('v1beta2', 'foo'), { i: 1 })])
      expect([refused.status, refused.value.details?.causes?.[0].field]).toEqual([422, 'apiVersion']);
  });

  it('storedVersions gets each storage version at once, and loses one only when a client removes it', async () => {
    await define({ name: 'v1beta1', storage: true }, { name: 'v1beta2' });
    expect((await crd()).status.storedVersions).toEqual(['v1beta1']);
    const changed = await redefine({ name: 'v1beta1' }, { name: 'v1beta2', storage: true });
    expect(changed.value.status.storedVersions).toEqual(['v1beta1', 'v1beta2']);
    const left = await redefine({ name: 'v1beta2', storage: true });
    expect([left.status, left.value.details.causes]).toEqual([
      422,
      [
        {
          reason: 'FieldValueInvalid',
          message: 'Invalid value: "v1beta1": must appear in spec.versions',
          field: 'status.storedVersions[0]',
        },
      ],
    ]);
    const say = (storedVersions: readonly string[]) => merge(`${CRDS}/${NAME}/status`, { status: { storedVersions } });
    // The status is accepted as written, and the next write of the definition must agree with it.
    expect((await say(['v3', 'v1beta2'])).status).toBe(200);
    const wrong = await merge(`${CRDS}/${NAME}`, { metadata: { labels: { a: 'b' } } });
    expect([wrong.status, wrong.value.details.causes[0].message]).toEqual([
      422,
      'Invalid value: "v3": must appear in spec.versions',
    ]);
    expect((await say([])).value.status.storedVersions).toEqual(['v1beta2']);
    expect(
      (await merge(`${CRDS}/${NAME}/status`, { status: { storedVersions: null } })).value.status.storedVersions,
    ).toEqual(['v1beta2']);
    const noted = await merge(`${CRDS}/${NAME}`, { metadata: { labels: { a: 'b' } } });
    expect(noted.value.status.storedVersions).toEqual(['v1beta2']);
    expect((await say(['v1beta1', 'v1beta2'])).status).toBe(200);
    // The author of the definition does not mention it.
    const status = { storedVersions: ['v1beta2'] };
    expect((await merge(`${CRDS}/${NAME}`, { status })).value.status.storedVersions).toEqual(['v1beta1', 'v1beta2']);
    expect((await say(['v1beta2'])).status).toBe(200);
    expect((await redefine({ name: 'v1beta2', storage: true })).status).toBe(200);
  });

  it('objects are stored in a new storage version when they are written, even unchanged', async () => {
    await define({ name: 'v1', storage: true }, { name: 'v2' });
    await make('v1', 'a', { spec: { n: 1 } });
    await make('v2', 'b', { spec: { n: 2 } });
    expect(storedIn()).toEqual(['a example.com/v1', 'b example.com/v1']);
    await redefine({ name: 'v1' }, { name: 'v2', storage: true });
    expect(storedIn()).toEqual(['a example.com/v1', 'b example.com/v1']);
    const before = (await get(pathOf('v1', 'a'))).value;
    expect(before).toMatchObject({ apiVersion: 'example.com/v1', spec: { n: 1 } });
    expect((await get(pathOf('v2', 'a'))).value.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    const written = await put(pathOf('v1', 'a'), before);
    expect(written.value.apiVersion).toBe('example.com/v1');
    expect(Number(written.value.metadata.resourceVersion)).toBeGreaterThan(Number(before.metadata.resourceVersion));
    expect(storedIn()).toEqual(['a example.com/v2', 'b example.com/v1']);
    const again = await put(pathOf('v1', 'a'), written.value);
    expect(again.value.metadata.resourceVersion).toBe(written.value.metadata.resourceVersion);
    await merge(pathOf('v1', 'b'), {});
    expect(storedIn()).toEqual(['a example.com/v2', 'b example.com/v2']);
  });

  it('a storage version that is not served stores the objects of the others', async () => {
    await define({ name: 'v1' }, { name: 'v2', storage: true, served: false });
    expect((await make('v1', 'a')).status).toBe(201);
    expect(storedIn()).toEqual(['a example.com/v2']);
    expect((await get(pathOf('v2', 'a'))).status).toBe(404);
    expect((await get('/apis/example.com/v2')).status).toBe(404);
    const group = (await get('/apis/example.com')).value;
    expect(group.versions.map(({ version }: { version: string }) => version)).toEqual(['v1']);
    await redefine({ name: 'v1', served: false }, { name: 'v2', storage: true });
    expect((await get(pathOf('v1', 'a'))).status).toBe(404);
    expect((await get(pathOf('v2', 'a'))).value.apiVersion).toBe('example.com/v2');
    await redefine({ name: 'v1', served: false }, { name: 'v2', storage: true, served: false });
    expect((await get('/apis/example.com')).status).toBe(404);
    expect(storedIn()).toEqual(['a example.com/v2']);
    await server.client().delete(customResourceDefinition, NAME);
    await server.settle();
    expect([storedIn(), (await get(`${CRDS}/${NAME}`)).status]).toEqual([[], 404]);
  });

  it('a version that is added and removed does not disturb readers of another version', async () => {
    const one = { name: 'v1beta1', storage: true };
    await define(one);
    for (let i = 0; i < 5; i++) await make('v1beta1', `foo-${i}`);
    const watch = await fetchFrom(server, `${pathOf('v1beta1')}?watch=true`);
    const text = watch.text();
    const statuses = new Set<number>();
    for (let i = 0; i < 12; i++) {
      const reads = Array.from({ length: 5 }, (_, k) => get(pathOf('v1beta1', `foo-${k}`)));
      const change = redefine(...(i % 2 === 0 ? [one, { name: 'v2' }] : [one]));
      for (const read of [...reads, change]) statuses.add((await read).status);
    }
    expect([...statuses]).toEqual([200]);
    await server.close();
    const events = (await text).trim().split('\n');
    expect(events.map((line) => JSON.parse(line).type)).toEqual(Array(5).fill('ADDED'));
  });
});

describe('defaults of a changed definition', () => {
  const withDefaults = (defaults: Readonly<Record<string, number>>, known: readonly string[] = []) => {
    const properties: Record<string, object> = {};
    for (const name of known) properties[name] = { type: 'integer' };
    for (const [name, value] of Object.entries(defaults)) properties[name] = { type: 'integer', default: value };
    return { name: 'v1', storage: true, schema: { openAPIV3Schema: { type: 'object', properties } } };
  };
  const KNOWN = ['a', 'b', 'c'];
  const seen = async () => {
    const { a, b, c } = (await get(pathOf('v1', 'foo'))).value;
    return { a, b, c };
  };

  it('are stored with a write, and only returned before that', async () => {
    await define(withDefaults({ a: 42 }, KNOWN));
    expect((await make('v1', 'foo')).value.a).toBe(42);
    await redefine(withDefaults({ a: 42, b: 42 }, KNOWN));
    expect(await seen()).toEqual({ a: 42, b: 42 });
    await redefine(withDefaults({}, KNOWN));
    expect(await seen()).toEqual({ a: 42 });
    await redefine(withDefaults({ a: 43, b: 43 }, KNOWN));
    const { b: _, ...latest } = (await get(pathOf('v1', 'foo'))).value;
    const updated = (await put(pathOf('v1', 'foo'), latest)).value;
    expect([updated.a, updated.b]).toEqual([42, 43]);
    expect(Number(updated.metadata.resourceVersion)).toBeGreaterThan(Number(latest.metadata.resourceVersion));
    await redefine(withDefaults({ c: 44 }, KNOWN));
    expect(await seen()).toEqual({ a: 42, b: 43, c: 44 });
  });

  it('of the status are stored with a write of the status', async () => {
    const status = { type: 'object', properties: { num: { type: 'integer', default: 42 } } };
    const version = {
      name: 'v1',
      storage: true,
      subresources: { status: {} },
      schema: { openAPIV3Schema: { type: 'object', properties: { status } } },
    };
    await define(version);
    const made = (await make('v1', 'foo', { status: { num: 7 } })).value;
    expect(made.status).toBeUndefined();
    const updated = await put(`${pathOf('v1', 'foo')}/status`, { ...made, status: {} });
    expect(updated.value.status).toEqual({ num: 42 });
  });
});
