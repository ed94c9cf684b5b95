import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { configMap, isExpired, isNotFound } from '../../src/index.js';
import { type RunningKit, startKit } from './kit.js';

const where = { namespace: 'default' };

describe('snapshots of a server with --test-kit', () => {
  let kit: RunningKit;
  const post = (path: string, body?: unknown) => kit.ask('POST', path, body);
  const create = (name: string) => kit.client.create(configMap, { metadata: { name }, data: { n: '1' } }, where);
  const names = async () =>
    (await kit.client.list(configMap, where)).items
      .map(({ metadata }) => metadata.name)
      .filter((n) => n !== 'kube-root-ca.crt');
  let empty: string;

  beforeAll(async () => {
    // While the clock stands still, the server does not renew its lease, and nothing differs but what a test changes.
    kit = await startKit('--test-clock=2030-01-01T00:00:00Z');
    await post('/settle');
    empty = String((await post('/snapshots')).body['id']);
  });
  beforeEach(async () => {
    await post(`/snapshots/${empty}/restore`);
    await post('/settle');
  });
  afterAll(() => kit.stop());

  it('are taken and restored for clients over HTTPS', async () => {
    await create('a');
    const taken = await post('/snapshots');
    expect(taken).toEqual({ status: 201, body: { id: expect.any(String), revision: expect.any(Number) } });
    const { id, revision } = taken.body;
    const watch = await kit.client.watch(configMap, where).opened();
    await create('b');
    await kit.client.delete(configMap, 'a', where);
    expect(await post(`/snapshots/${String(id)}/restore`)).toEqual({ status: 200, body: { id, revision } });
    expect(await names()).toEqual(['a']);
    const following = (async () => {
      for await (const _ of watch);
    })();
    await expect(following).rejects.toSatisfy(isExpired);
    expect((await kit.ask('GET', `/snapshots/${String(id)}`)).body).toEqual({ id, revision });
    expect((await kit.ask('GET', '/snapshots')).body['snapshots']).toContainEqual({ id, revision });
    await kit.ask('DELETE', `/snapshots/${String(id)}`);
    expect((await kit.ask('GET', `/snapshots/${String(id)}`)).status).toBe(404);
  });

  it('can be a state that an earlier version saved', async () => {
    const { metadata } = await create('a');
    await create('b');
    const { body } = await post('/snapshots', { revision: metadata.resourceVersion });
    expect(body['revision']).toBe(Number(metadata.resourceVersion));
    expect((await post('/diff', { before: body['id'] })).body['text']).toBe('added ConfigMap default/b');
    const revision = Number(metadata.resourceVersion);
    expect(await post('/rewind', { revision })).toEqual({ status: 200, body: { revision } });
    expect(await names()).toEqual(['a']);
  });

  it('are compared with the current state', async () => {
    const before = (await post('/snapshots')).body['id'];
    await create('a');
    const between = (await post('/snapshots')).body['id'];
    await kit.client.update(configMap, 'a', (draft) => void (draft.data = { n: '2' }), where);
    expect((await post('/diff', { before, after: between })).body).toEqual({
      objects: [{ change: 'added', apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'a', patch: [] }],
      text: 'added ConfigMap default/a',
    });
    expect((await post('/diff', { before: between })).body).toMatchObject({
      objects: [{ change: 'changed', patch: [{ op: 'replace', path: '/data/n', value: '2' }] }],
      text: 'changed ConfigMap default/a\n  data/n: "1" -> "2"',
    });
    const { body } = await post('/diff', { before: between, bookkeeping: true });
    expect(body['text']).toContain('metadata/resourceVersion');
    expect((await post('/diff', { before, after: before })).body).toEqual({ objects: [], text: '' });
  });

  it('are restored one after the other when requested at the same time', async () => {
    await create('a');
    const { id } = (await post('/snapshots')).body;
    const restores = [empty, id, empty, id].map((each) => post(`/snapshots/${String(each)}/restore`));
    const takes = [post('/snapshots'), post('/diff', { before: empty })];
    expect((await Promise.all(restores)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await Promise.all(takes)).map(({ status }) => status)).toEqual([201, 200]);
    await expect(kit.client.get(configMap, 'b', where)).rejects.toSatisfy(isNotFound);
    expect(await names()).toHaveLength(1);
  });

  it('are refused for invalid requests', async () => {
    const isRevision = 'revision must be the resourceVersion of an object or a snapshot, at least 1';
    const mistakes: [path: string, body: unknown, status: number, message: string][] = [
      ['/snapshots', { revisions: 1 }, 400, 'unknown member revisions; did you mean "revision"?'],
      ['/snapshots', [], 400, 'the body must be a JSON object'],
      ['/snapshots', 7, 400, 'the body must be a JSON object'],
      ['/snapshots', '{"revision":', 400, 'the body is not JSON'],
      ['/snapshots', JSON.stringify({ revision: 'x'.repeat(70_000) }), 413, 'the body must have at most 65536 bytes'],
      ...[0, -1, 1.5, 1e20, true, null, {}, '', '1e3', '-1', '0x10', '9'.repeat(16)].map(
        (revision): [string, unknown, number, string] => ['/snapshots', { revision }, 400, isRevision],
      ),
      ['/snapshots', { revision: 999_999 }, 400, 'revision 999999 is in the future'],
      ['/snapshots', '{"__proto__":{"revision":1}}', 400, 'unknown member __proto__'],
      ['/rewind', undefined, 400, isRevision],
      ['/rewind', { revision: 999_999 }, 400, 'revision 999999 is in the future'],
      ['/rewind', { revision: 1, id: '1' }, 400, 'unknown member id'],
      [`/snapshots/${empty}/restore`, { revision: 1 }, 400, 'unknown member revision'],
      ['/snapshots/999/restore', undefined, 404, 'there is no snapshot 999'],
      ['/snapshots/__proto__/restore', undefined, 404, 'there is no snapshot __proto__'],
      [`/snapshots/${empty}/explode`, undefined, 404, 'the test kit has no POST'],
      [`/snapshots/${empty}/restore/1`, undefined, 404, 'the test kit has no POST'],
      ['/diff', undefined, 400, 'before must be the id of a snapshot'],
      ['/diff', { before: Number(empty) }, 400, 'before must be the id of a snapshot'],
      ['/diff', { before: '999' }, 400, 'before must be the id of a snapshot, and there is no snapshot 999'],
      ['/diff', { before: empty, after: null }, 400, 'after must be the id of a snapshot'],
      ['/diff', { before: empty, bookkeeping: 'yes' }, 400, 'bookkeeping must be true or false'],
      ['/diff', { from: empty }, 400, 'unknown member from'],
    ];
    for (const [path, body, status, message] of mistakes)
      expect([path, body, await post(path, body)]).toEqual([
        path,
        body,
        { status, body: { message: expect.stringContaining(message) } },
      ]);
    for (const [method, path] of [
      ['PUT', '/snapshots'],
      ['PUT', `/snapshots/${empty}`],
      ['GET', `/snapshots/${empty}/restore`],
      ['GET', '/snapshots/999'],
      ['DELETE', '/snapshots/999'],
      ['GET', '/rewind'],
      ['POST', '/rewind/1'],
      ['GET', '/diff'],
    ] as const)
      expect([path, (await kit.ask(method, path)).status]).toEqual([path, 404]);
    expect((await post('/snapshots', undefined)).status).toBe(201);
    expect((await kit.ask('POST', '/snapshots', undefined, { authorization: '' })).status).toBe(401);
  });

  it('are kept in a bounded number', async () => {
    let refused: unknown;
    for (let i = 0; i < 110 && refused === undefined; i++) {
      const { status, body } = await post('/snapshots');
      if (status !== 201) refused = { status, body };
    }
    const message = 'there are already 100 snapshots: remove them with DELETE /snapshots';
    expect(refused).toEqual({ status: 429, body: { message } });
    expect((await kit.ask('GET', '/snapshots')).body['snapshots']).toHaveLength(100);
    expect((await kit.ask('DELETE', '/snapshots')).body).toEqual({ snapshots: [] });
    expect((await kit.ask('GET', `/snapshots/${empty}`)).status).toBe(404);
    const taken = (await post('/snapshots')).body['id'];
    expect(Number(taken)).toBeGreaterThan(100); // An id is never used twice.
    empty = String(taken);
  });

  it('cannot be restored if the server stores its data in a folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kit-data-'));
    const other = await startKit(`--data-dir=${folder}`, '--data-durability=process');
    const { id } = (await other.ask('POST', '/snapshots')).body;
    expect(await other.ask('POST', `/snapshots/${String(id)}/restore`)).toEqual({
      status: 400,
      body: { message: 'only a server with its storage in memory can be restored' },
    });
    expect((await other.ask('POST', '/diff', { before: id })).body['text']).toBe('');
    await other.stop();
    rmSync(folder, { recursive: true, force: true });
  });
});
