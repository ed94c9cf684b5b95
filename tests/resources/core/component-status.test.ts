import { describe, expect, it } from 'vitest';
import { ask, type Question } from '../../support/ask.js';
import { openServer } from '../../support/servers.js';

const PATH = '/api/v1/componentstatuses';
const names = (value: unknown) =>
  (value as { items: readonly { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name);

describe('component statuses', () => {
  it('are computed and read-only', async () => {
    await using server = await openServer({ dialect: 'k8s' });
    const list = await ask(server, { path: PATH });
    expect(names(list.value)).toEqual(['controller-manager', 'scheduler']);
    expect(list.value).toMatchObject({ kind: 'ComponentStatusList', metadata: {} });
    expect(list.headers['Warning']).toEqual(['299 - "v1 ComponentStatus is deprecated in v1.19+"']);
    const one = await ask(server, { path: `${PATH}/controller-manager` });
    expect(one.value).toEqual({
      kind: 'ComponentStatus',
      apiVersion: 'v1',
      metadata: { name: 'controller-manager', creationTimestamp: null },
      conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }],
    });
    const writes: Question[] = [
      { method: 'POST', path: PATH, body: { metadata: { name: 'a' } } },
      { method: 'DELETE', path: PATH },
      { method: 'DELETE', path: `${PATH}/scheduler` },
      { method: 'PUT', path: `${PATH}/scheduler`, body: {} },
      { path: PATH, query: 'watch=1' },
    ];
    for (const write of writes) expect((await ask(server, write)).status).toBe(405);
  });

  it('are selected like other kinds', async () => {
    await using server = await openServer({ dialect: 'k8s' });
    const found = async (query: string) => names((await ask(server, { path: PATH, query })).value);
    expect(await found('labelSelector=a%3Db')).toEqual([]);
    expect(await found('fieldSelector=metadata.name%3Dscheduler')).toEqual(['scheduler']);
    expect((await ask(server, { path: PATH, query: 'fieldSelector=kind%3Dx' })).status).toBe(400);
  });

  it.each([
    ['k8s', 500],
    ['orch', 400],
  ] as const)('that are absent return 404: %s', async (dialect, status) => {
    await using server = await openServer({ dialect });
    const { status: said, message } = await ask(server, { path: `${PATH}/nothing` });
    expect([said, message]).toEqual([status, 'Component not found: nothing']);
  });

  it('have columns', async () => {
    await using server = await openServer({ dialect: 'k8s' });
    const table = await ask(server, {
      path: PATH,
      headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
    });
    expect((table.value as unknown as { rows: { cells: unknown[] }[] }).rows.map(({ cells }) => cells)).toEqual([
      ['controller-manager', 'Healthy', 'ok', ''],
      ['scheduler', 'Unhealthy', 'this server has no scheduler', ''],
    ]);
  });
});
