import { beforeAll, describe, expect, it } from 'vitest';
import { requestsTo } from '../support/ask.js';
import { suiteServer } from '../support/servers.js';
import { everybody } from './support.js';

// Facts of upstream's tests of strategies (apiextensions-apiserver, pkg/registry/customresource).
const server = suiteServer({ dialect: 'k8s', authentication: [everybody] });
const { get, post, put } = requestsTo(server);
const loose = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const kind = (plural: string, name: string, schema: object, more: object = {}) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.test.example.com` },
  spec: {
    group: 'test.example.com',
    scope: 'Cluster',
    names: { plural, kind: name },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...more }],
  },
});
beforeAll(async () => {
  const numbers = { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'integer' } };
  const named = { type: 'object', properties: { name: { type: 'string', pattern: '^[A-Za-z]+$' } } };
  const foo = { type: 'object', properties: { spec: { type: 'object', properties: { foo: { type: 'string' } } } } };
  for (const crd of [
    kind('plains', 'Plain', loose),
    kind('withs', 'With', loose, { subresources: { status: {} } }),
    kind('sets', 'Set', { ...loose, properties: { numbers } }, { subresources: { status: {} } }),
    kind('nameds', 'Named', { ...loose, properties: { metadata: named } }),
    kind('fields', 'Field', foo, { selectableFields: [{ jsonPath: '.spec.foo' }] }),
  ])
    await server.install(crd);
});

const pathOf = (plural: string, rest = '') => `/apis/test.example.com/v1/${plural}${rest}`;
let count = 0;
/** An object of a kind, and the result of an update of it, or of a part of it. */
async function change(plural: string, was: object, will: object, subresource = '') {
  const name = `n${++count}`;
  const body = (content: object, resourceVersion?: string) => ({
    apiVersion: 'test.example.com/v1',
    kind: `${plural.charAt(0).toUpperCase()}${plural.slice(1, -1)}`,
    ...content,
    metadata: { name, resourceVersion, ...(content as { metadata?: object }).metadata },
  });
  const made = await post(pathOf(plural), body(was));
  expect(made.status).toBe(201);
  const putPart = async (rest: string, content: object) => {
    const { value } = await get(pathOf(plural, `/${name}`));
    const { resourceVersion } = value.metadata;
    return await put(pathOf(plural, `/${name}${rest}`), body(content, resourceVersion));
  };
  // A create does not store a status.
  if ('status' in was && plural === 'withs') await putPart('/status', was);
  const changed = await putPart(subresource, will);
  const { apiVersion: _, kind: __, metadata, ...rest } = changed.value;
  return { status: changed.status, message: changed.message, generation: metadata?.generation, rest };
}

describe('an update of a custom resource', () => {
  const old = { spec: 'old', status: 'old' };
  it.each([
    ['withs', 'spec', { ...old, spec: 'new' }, 2, { spec: 'new', status: 'old' }],
    ['withs', 'status', { ...old, status: 'new' }, 1, old],
    ['withs', 'metadata', { ...old, metadata: { labels: { a: 'b' } } }, 1, old],
    ['plains', 'spec', { ...old, spec: 'new' }, 2, { spec: 'new', status: 'old' }],
    ['plains', 'status', { ...old, status: 'new' }, 2, { spec: 'old', status: 'new' }],
    ['plains', 'another member', { ...old, image: 'new' }, 2, { ...old, image: 'new' }],
    ['plains', 'metadata', { ...old, metadata: { labels: { a: 'b' } } }, 1, old],
  ])('of %s that changes %s increments its generation', async (plural, _, will, generation, rest) =>
    expect(await change(plural, old, will)).toMatchObject({ generation, rest }),
  );

  it.each<[string, object, object, object]>([
    ['spec is ignored', { spec: 'old' }, { spec: 'new' }, { spec: 'old' }],
    ['other members are ignored', { spec: 'old' }, { new: 'new' }, { spec: 'old' }],
    ['status is removed', old, { spec: 'old' }, { spec: 'old' }],
    ['status changes', old, { status: 'new' }, { spec: 'old', status: 'new' }],
    ['status changes alone', old, { spec: 'new', new: 'new', status: 'new' }, { spec: 'old', status: 'new' }],
  ])('of its status: the %s', async (_, was, will, rest) =>
    expect((await change('withs', was, will, '/status')).rest).toEqual(rest),
  );
});

describe('a list of type set', () => {
  it.each<[string, readonly number[], readonly number[], number]>([
    ['accepts different elements', [1, 2], [1, 3], 200],
    ['refuses equal elements', [1, 2], [1, 1], 422],
  ])('%s', async (_, was, will, status) => {
    expect((await change('sets', { numbers: was }, { numbers: will })).status).toBe(status);
    // The status does not consider it, because it is not changed there.
    expect((await change('sets', { numbers: was }, { numbers: will, status: { a: 1 } }, '/status')).status).toBe(200);
  });
});

describe('the name of a custom resource', () => {
  const create = (metadata: object) =>
    post(pathOf('nameds'), { apiVersion: 'test.example.com/v1', kind: 'Named', metadata });
  it.each<[string, object, string | undefined]>([
    ['and valid if its schema and the rule of names allow it', { name: 'foo' }, undefined],
    ['and invalid if only its schema allows it', { name: 'Foo' }, 'RFC 1123 subdomain'],
    ['and invalid if only the rule of names allows it', { name: 'foo123' }, 'should match'],
    ['even with a long generateName', { name: 'bar', generateName: 'a'.repeat(253) }, undefined],
  ])('is checked %s', async (_, metadata, why) => {
    const { status, message } = await create(metadata);
    expect([status, message ?? '']).toEqual(why === undefined ? [201, ''] : [422, expect.stringContaining(why)]);
  });
});

it('absent fields are selected as empty', async () => {
  const create = (name: string, spec: object) =>
    post(pathOf('fields'), { apiVersion: 'test.example.com/v1', kind: 'Field', metadata: { name }, spec });
  await create('example', { foo: 'x' });
  await create('missing', {});
  const named = async (fieldSelector: string) =>
    (await get(`${pathOf('fields')}?fieldSelector=${encodeURIComponent(fieldSelector)}`)).value.items.map(
      ({ metadata }: { metadata: { name: string } }) => metadata.name,
    );
  expect(await named('spec.foo=x')).toEqual(['example']);
  expect(await named('spec.foo=')).toEqual(['missing']);
  expect(await named('spec.foo!=x')).toEqual(['missing']);
  expect(await named('metadata.name=missing,spec.foo=')).toEqual(['missing']);
});
