import { describe, expect, it } from 'vitest';
import { ask, type Question } from '../../support/ask.js';
import { openSuiteServer } from '../../support/servers.js';

// Service accounts as clients of `orch` see them (spec 14.1, 3.1, 7.4, 19.11).
const BASE = '/api/v1/namespaces/default/serviceaccounts';
const server = openSuiteServer({ dialect: 'orch' });

const send = (method: string, path: string, body?: Question['body'], query = '', type = 'application/json') =>
  ask(server, { method, path, query, headers: { 'content-type': type }, ...(body && { body }) });
const create = (name: string, more: object = {}, query = '') =>
  send('POST', BASE, { metadata: { name, ...more }, secrets: [{ name: 's' }] }, query);
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
    expect((await send('GET', `${BASE}/app`)).value).toEqual(value);
    expect((await send('POST', '/api/v1/serviceaccounts', { metadata: { name: 'app' } })).status).toBe(405);
  });

  it('is listed in its namespace and across namespaces, in pages', async () => {
    await create('a');
    await create('b');
    const path = '/api/v1/serviceaccounts';
    for (const at of [BASE, path]) {
      const all = await send('GET', at);
      expect(all.value).toMatchObject({ kind: 'ServiceAccountList', apiVersion: 'v1' });
      const first = await send('GET', at, undefined, 'limit=1');
      expect(names(first.value)).toEqual(names(all.value).slice(0, 1));
      const rest = await send('GET', at, undefined, `limit=500&continue=${first.value.metadata.continue}`);
      expect([...names(first.value), ...names(rest.value)]).toEqual(names(all.value));
    }
    expect((await send('GET', '/api/v1/namespaces/kube-system/serviceaccounts')).value.items).toEqual([]);
  });

  it('is replaced, patched and applied: 201 where an apply creates it, 404 where a PUT finds none', async () => {
    await create('changed');
    const path = `${BASE}/changed`;
    const put = await send('PUT', path, { metadata: { name: 'changed', labels: { a: '1' } } });
    expect([put.status, put.value.metadata.labels, put.value.secrets]).toEqual([200, { a: '1' }, undefined]);
    const merge = 'application/merge-patch+json';
    const patched = await send('PATCH', path, { metadata: { labels: { a: '2' } } }, '', merge);
    expect([patched.status, patched.value.kind, patched.value.metadata.labels]).toEqual([
      200,
      'ServiceAccount',
      { a: '2' },
    ]);
    expect((await send('PUT', `${BASE}/none`, { metadata: { name: 'none' } })).status).toBe(404);
    const applied = (name: string) =>
      send(
        'PATCH',
        `${BASE}/${name}`,
        { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } },
        'fieldManager=m&force=true',
        'application/apply-patch+yaml',
      );
    expect([(await applied('applied')).status, (await applied('applied')).status]).toEqual([201, 200]);
  });

  it('is deleted with the object as the answer, many with a Status', async () => {
    await create('gone', { labels: { go: 'one' } });
    await create('going', { labels: { go: 'many' } });
    const { status, value } = await send('DELETE', `${BASE}/gone`);
    expect([status, value.kind, value.metadata.name]).toEqual([200, 'ServiceAccount', 'gone']);
    const many = await send('DELETE', BASE, undefined, 'labelSelector=go');
    expect([many.status, many.value.kind, many.value.status]).toEqual([200, 'Status', 'Success']);
    expect((await send('GET', `${BASE}/going`)).status).toBe(404);
  });

  it('is left alone by dry runs of every write', async () => {
    const { value } = await create('kept');
    const path = `${BASE}/kept`;
    const all = 'dryRun=All';
    const statuses = [
      (await create('never', {}, all)).status,
      (await send('PUT', path, { ...value, secrets: [] }, all)).status,
      (await send('PATCH', path, { secrets: null }, all, 'application/merge-patch+json')).status,
      (await send('DELETE', path, undefined, all)).status,
      (await send('DELETE', BASE, undefined, all)).status,
    ];
    expect(statuses).toEqual([201, 200, 200, 200, 200]);
    expect((await send('GET', `${BASE}/never`)).status).toBe(404);
    expect((await send('GET', path)).value).toEqual(value);
  });

  it('is printed over lines where that is asked for', async () => {
    await create('pretty');
    expect((await send('GET', `${BASE}/pretty`, undefined, 'pretty=true')).text).toContain('{\n  "kind"');
    expect((await send('GET', `${BASE}/pretty`)).text).toContain('{"kind"');
  });
});
