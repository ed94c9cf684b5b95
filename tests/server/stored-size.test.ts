import { expect, it } from 'vitest';
import { describeMatrix } from './matrix.js';

/*
 * A stored object has a size limit of its own, beside that of bodies (spec 18.1). If an object is too large, its managedFields are dropped
 * first.
 */

const path = '/api/v1/namespaces/default/configmaps';
const apply = { 'content-type': 'application/apply-patch+yaml' };

/** Field names that are so long that the object fits with one copy of them, but not with two. */
const manyFields = Object.fromEntries(
  Array.from({ length: 9_999 }, (_, index) => [`${'long-name-of-a-field-'.repeat(4)}${index}`, '1']),
);

describeMatrix('a large object', (reach) => {
  const tooLarge = () => (reach().dialect.name === 'k8s' ? 500 : 400);
  const document = (name: string, more: object = {}) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default' },
    ...more,
  });

  it('is created without managedFields if it does not fit with them', async () => {
    const made = await reach().request('POST', path, { body: document('created', { data: manyFields }) });
    expect(made.status).toBe(201);
    expect(made.json.metadata).not.toHaveProperty('managedFields');
    expect((await reach().request('GET', `${path}/created`)).json.data).toEqual(manyFields);
  });

  it.each([
    ['PUT', 'application/json'],
    ['PATCH', 'application/merge-patch+json'],
  ])('loses managedFields when a %s makes it large', async (method, type) => {
    const name = method.toLowerCase();
    const small = await reach().request('POST', path, { body: document(name, { data: { a: 'b' } }) });
    expect(small.json.metadata.managedFields).toHaveLength(1);
    const headers = { 'content-type': type };
    const body = document(name, { data: manyFields });
    const grown = await reach().request(method, `${path}/${name}`, { body, headers });
    expect(grown.status).toBe(200);
    expect(grown.json.metadata).not.toHaveProperty('managedFields');
  });

  it('cannot be applied to, because that requires managedFields', async () => {
    const { request } = reach();
    await request('POST', path, { body: document('applied', { data: manyFields }) });
    const query = '?fieldManager=somebody';
    const answer = await request('PATCH', `${path}/applied${query}`, { body: document('applied'), headers: apply });
    expect([answer.status, answer.json.message]).toEqual([tooLarge(), 'etcdserver: request is too large']);
    const tried = await request('PATCH', `${path}/applied${query}&dryRun=All`, {
      body: document('applied'),
      headers: apply,
    });
    expect(tried.status).toBe(200); // a dry run stores nothing
  });

  it('has its other errors reported first', async () => {
    const finalizers = Object.keys(manyFields).flatMap((name) => [`a.b/${name.slice(40)}`, `c.d/${name.slice(40)}`]);
    const metadata = {
      name: 'finalized',
      namespace: 'default',
      finalizers: [...finalizers, ...finalizers.map((name) => `e${name}`)],
    };
    const create = (data: object) => reach().request('POST', path, { body: document('', { metadata, data }) });
    expect((await create({ 'not/a/key': '' })).status).toBe(422);
    const answer = await create({ key: '' });
    expect([answer.status, answer.json.message]).toEqual([tooLarge(), expect.stringMatching(' 2097152\\)$')]);
    expect((await reach().request('GET', `${path}/finalized`)).status).toBe(404);
  });

  it("is refused as too large whether its name is taken or not, and by the etcd client beyond the client's limit", async () => {
    const { request } = reach();
    await request('POST', path, { body: document('taken') });
    const finalizers = (count: number) => ({
      metadata: { name: 'taken', finalizers: Array(count).fill('sample/sample') },
    });
    for (const [count, message] of [
      [100_000, /^etcdserver: request is too large$/],
      [
        175_000,
        /^rpc error: code = ResourceExhausted desc = trying to send message larger than max \(\d+ vs\. 2097152\)$/,
      ],
    ] as const) {
      const created = await request('POST', path, { body: document('', finalizers(count)) });
      expect([created.status, created.json.message]).toEqual([tooLarge(), expect.stringMatching(message)]);
      const replaced = await request('PUT', `${path}/taken`, { body: document('', finalizers(count)) });
      expect([replaced.status, replaced.json.message]).toEqual([tooLarge(), expect.stringMatching(message)]);
    }
    expect((await request('POST', path, { body: document('', finalizers(200_000)) })).json.code).toBe(413);
  });

  it('is refused if it does not fit without managedFields', async () => {
    const { request } = reach();
    const names = { plural: 'heaps', singular: 'heap', kind: 'Heap' };
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const group = 'large.example.com';
    const definition = {
      metadata: { name: `heaps.${group}` },
      spec: { group, scope: 'Cluster', names, versions: [{ name: 'v1', served: true, storage: true, schema }] },
    };
    const own = reach().dialect.name === 'k8s' ? 'apiextensions.k8s.io' : 'apiextensions.orch.io';
    expect((await request('POST', `/apis/${own}/v1/customresourcedefinitions`, { body: definition })).status).toBe(201);
    const heap = (bytes: number) => ({
      apiVersion: `${group}/v1`,
      kind: 'Heap',
      metadata: { name: 'a' },
      text: 'x'.repeat(bytes),
    });
    const heaps = `/apis/${group}/v1/heaps`;
    await expect.poll(async () => (await request('GET', heaps)).status).toBe(200);
    const refused = await request('POST', heaps, { body: heap(1_600_000) });
    expect([refused.status, refused.json.message]).toEqual([tooLarge(), 'etcdserver: request is too large']);
    expect((await request('POST', heaps, { body: heap(1_500_000) })).status).toBe(201);
  });
});
