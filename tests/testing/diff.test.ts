import { describe, expect, it } from 'vitest';
import { configMap, namespace } from '../../src/index.js';
import { diff } from '../../src/testing/diff.js';
import { startServer } from '../support/servers.js';

const inDefault = { namespace: 'default' };

async function started() {
  const server = await startServer();
  await server.client().create(configMap, { metadata: { name: 'a' }, data: { x: '1', y: '1' } }, inDefault);
  await server.client().create(configMap, { metadata: { name: 'b' } }, inDefault);
  return server;
}

describe('diff', () => {
  it('returns what differs between a server and its fork', async () => {
    await using server = await started();
    await using fork = server.fork();
    expect(await diff(server, fork)).toEqual({ objects: [], text: '' });
    const client = fork.client();
    await client.update(configMap, 'a', (draft) => void (draft.data = { x: '2' }), inDefault);
    await client.delete(configMap, 'b', inDefault);
    await client.create(namespace, { metadata: { name: 'n' } });
    await fork.settle();
    const { objects: found, text } = await diff(server, fork);
    expect(
      found.filter(({ kind }) => kind !== 'ServiceAccount').map(({ change, name }) => `${change} ${name}`),
    ).toEqual(['changed a', 'removed b', 'added orch-root-ca.crt', 'added n']);
    expect(found.find(({ name }) => name === 'a')?.patch).toEqual([
      { op: 'remove', path: '/data/y' },
      { op: 'replace', path: '/data/x', value: '2' },
    ]);
    expect(text).toContain(
      'changed ConfigMap default/a\n  data/y: "1" -> nothing\n  data/x: "1" -> "2"\nremoved ConfigMap default/b\nadded',
    );
  });

  it('compares revisions, with versions and owners of fields if asked', async () => {
    await using server = await started();
    const before = server.snapshot();
    const { metadata } = await server
      .client()
      .update(configMap, 'a', (draft) => void (draft.metadata.labels = { l: '1' }), inDefault);
    const after = server.snapshot(Number(metadata.resourceVersion));
    const { objects: changed } = await diff(before, after);
    expect(changed).toEqual([
      expect.objectContaining({
        change: 'changed',
        patch: [{ op: 'add', path: '/metadata/labels', value: { l: '1' } }],
      }),
    ]);
    expect((await diff(after, before)).objects[0]?.patch).toEqual([{ op: 'remove', path: '/metadata/labels' }]);
    const { objects: all } = await diff(before, after, { bookkeeping: true });
    expect(all[0]?.patch.map(({ path }) => path)).toContain('/metadata/resourceVersion');
    expect((await diff(after, server)).objects).toEqual([]);
  });
});
