import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startGuarded } from '../../examples/admission-plugin.js';
import type { ApiServer } from '../../src/api-server.js';
import type { Client } from '../../src/client/client.js';
import { configMap } from '../../src/resources/core/index.js';

const where = { namespace: 'default' };

describe('the example with admission plug-ins of its own', () => {
  let told: string[];
  let server: ApiServer;
  let alice: Client;
  beforeEach(async () => {
    told = [];
    server = await startGuarded((line) => told.push(line));
    alice = server.client({ user: { username: 'alice', groups: ['system:masters'] } });
  });
  afterEach(() => server.close());
  const create = (data: Record<string, string>) =>
    alice.create(configMap, { metadata: { name: 'a', labels: { own: '1' } }, data }, where);

  it('changes created objects, and no others', async () => {
    expect((await create({ a: '1' })).metadata.labels).toEqual({ own: '1', 'kubernetes.io/made-by': 'alice' });
    const updated = await alice.update(configMap, 'a', (draft) => void delete draft.metadata.labels, where);
    expect(updated.metadata.labels).toBeUndefined();
  });
  it('gives fields that a plug-in adds no owner', async () => {
    const { metadata } = await create({ a: '1' });
    expect(metadata.managedFields?.[0]?.fieldsV1).toEqual({
      'f:data': { '.': {}, 'f:a': {} },
      'f:metadata': { 'f:labels': { '.': {}, 'f:own': {} } },
    });
  });
  it('refuses an object on create and on update, and stores nothing', async () => {
    await expect(create({ a: '', b: '', c: '', d: '' })).rejects.toMatchObject({
      code: 403,
      message: 'configmaps "a" is forbidden: at most 3 keys, not 4',
    });
    await create({ a: '1' });
    const grow = alice.update(configMap, 'a', (draft) => void (draft.data = { a: '', b: '', c: '', d: '' }), where);
    await expect(grow).rejects.toMatchObject({ code: 403 });
    expect((await alice.get(configMap, 'a', where)).data).toEqual({ a: '1' });
  });
  it('has its side effect, but not in a dry run', async () => {
    await create({ a: '1' });
    await expect(alice.delete(configMap, 'a', { ...where, dryRun: true })).rejects.toMatchObject({
      code: 400,
      message: 'admission plugin "DeletionReport" does not support dry run',
    });
    expect(told).toEqual([]);
    await alice.delete(configMap, 'a', where);
    expect(told).toEqual(['alice deletes configmaps/a']);
  });
});
