import { describe, expect, it } from 'vitest';
import { requestsTo } from '../../support/ask.js';
import { openSuiteServer } from '../../support/servers.js';

// Service accounts as clients of `orch` see them (spec 14.1, 3.1, 7.4, 19.11).
const BASE = '/api/v1/namespaces/default/serviceaccounts';
const server = openSuiteServer({ dialect: 'orch' });
const { get, post, put, merge, apply, remove } = requestsTo(server);

const create = (name: string, more: object = {}, query = '') =>
  post(`${BASE}?${query}`, { metadata: { name, ...more }, secrets: [{ name: 's' }] });
const names = (value: { items: { metadata: { name: string } }[] }) => value.items.map(({ metadata }) => metadata.name);

describe('a service account', () => {
  it('is a namespaced kind of the core group, with a name and secrets', async () => {
    const { status, value } = await create('app');
    expect([status, value]).toMatchObject([
      201,
      {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'app', namespace: 'default' },
        secrets: [{ name: 's' }],
      },
    ]);
    expect((await get(`${BASE}/app`)).value).toEqual(value);
    expect((await post('/api/v1/serviceaccounts', { metadata: { name: 'app' } })).status).toBe(405);
  });

  it('is listed in its namespace and across namespaces, in pages', async () => {
    await create('a');
    await create('b');
    const path = '/api/v1/serviceaccounts';
    for (const at of [BASE, path]) {
      const all = await get(at);
      expect(all.value).toMatchObject({ kind: 'ServiceAccountList', apiVersion: 'v1' });
      const first = await get(`${at}?limit=1`);
      expect(names(first.value)).toEqual(names(all.value).slice(0, 1));
      const rest = await get(`${at}?limit=500&continue=${first.value.metadata.continue}`);
      expect([...names(first.value), ...names(rest.value)]).toEqual(names(all.value));
    }
    expect((await get('/api/v1/namespaces/kube-system/serviceaccounts')).value.items).toEqual([]);
  });

  it('is replaced, patched and applied: an apply creates it with 201, and a PUT of an absent one is 404', async () => {
    await create('changed');
    const path = `${BASE}/changed`;
    const updated = await put(path, { metadata: { name: 'changed', labels: { a: '1' } } });
    expect([updated.status, updated.value.metadata.labels, updated.value.secrets]).toEqual([
      200,
      { a: '1' },
      undefined,
    ]);
    const patched = await merge(path, { metadata: { labels: { a: '2' } } });
    expect([patched.status, patched.value.kind, patched.value.metadata.labels]).toEqual([
      200,
      'ServiceAccount',
      { a: '2' },
    ]);
    expect((await put(`${BASE}/none`, { metadata: { name: 'none' } })).status).toBe(404);
    const applied = (name: string) =>
      apply(`${BASE}/${name}?fieldManager=m&force=true`, {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name },
      });
    expect([(await applied('applied')).status, (await applied('applied')).status]).toEqual([201, 200]);
  });

  it('is returned by its deletion; the deletion of many returns a Status', async () => {
    await create('gone', { labels: { go: 'one' } });
    await create('going', { labels: { go: 'many' } });
    const { status, value } = await remove(`${BASE}/gone`);
    expect([status, value.kind, value.metadata.name]).toEqual([200, 'ServiceAccount', 'gone']);
    const many = await remove(`${BASE}?labelSelector=go`);
    expect([many.status, many.value.kind, many.value.status]).toEqual([200, 'Status', 'Success']);
    expect((await get(`${BASE}/going`)).status).toBe(404);
  });

  it('is not changed by dry runs of any write', async () => {
    const { value } = await create('kept');
    const path = `${BASE}/kept`;
    const all = 'dryRun=All';
    const statuses = [
      (await create('never', {}, all)).status,
      (await put(`${path}?${all}`, { ...value, secrets: [] })).status,
      (await merge(`${path}?${all}`, { secrets: null })).status,
      (await remove(`${path}?${all}`)).status,
      (await remove(`${BASE}?${all}`)).status,
    ];
    expect(statuses).toEqual([201, 200, 200, 200, 200]);
    expect((await get(`${BASE}/never`)).status).toBe(404);
    expect((await get(path)).value).toEqual(value);
  });

  it('is indented if requested', async () => {
    await create('pretty');
    expect((await get(`${BASE}/pretty?pretty=true`)).text).toContain('{\n  "kind"');
    expect((await get(`${BASE}/pretty`)).text).toContain('{"kind"');
  });
});
