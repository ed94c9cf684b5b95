import { getHeapSpaceStatistics } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { configMap } from '../../src/resources/core/index.js';
import { createFakeClock } from '../../src/testing/fake-clock.js';
import { requestOf } from '../support/ask.js';
import { reachableMegabytes } from '../support/collect-garbage.js';
import { startServer } from '../support/servers.js';

/*
 * The heap of a server is limited by what it stores, not by the number of writes, even if no time passes in which anything could expire.
 * These tests write two hundred thousand times through the whole server; tests/store/bounded-history.test.ts writes many times to the
 * store alone.
 */

describe('a server under a clock that stands still', () => {
  it('has the same heap after very many updates as after many', { timeout: 600_000 }, async () => {
    await using server = await startServer({ dialect: 'k8s', clock: createFakeClock('2026-11-21T12:00:00Z') });
    const client = server.client();
    const where = { namespace: 'default' };
    const names = Array.from({ length: 20 }, (_, index) => `m${index}`);
    for (const name of names) await client.create(configMap, { metadata: { name }, data: {} }, where);
    const text = 'x'.repeat(500);
    let written = 0;
    const write = async (updates: number) => {
      for (const end = written + updates; written < end; written++)
        await client.patch(
          configMap,
          names[written % names.length] ?? '',
          { data: { n: `${written} ${text}` } },
          where,
        );
    };
    // The history keeps a hundred thousand events, so it is full after these writes.
    await write(105_000);
    const before = reachableMegabytes();
    await write(100_000);
    // If the events were kept, they would occupy another 100 MiB.
    expect(reachableMegabytes() - before).toBeLessThan(15);
    const last = await client.get(configMap, 'm19', where);
    expect(last.data?.['n']).toBe(`${written - 1} ${text}`);
  });
});

/** Returns the bytes of the objects that survived a collection of the young generation. */
const oldBytes = () => getHeapSpaceStatistics().find((space) => space.space_name === 'old_space')?.space_used_size ?? 0;

describe('completed requests', () => {
  // An object that survives costs ten times as much. A Set of running requests would make objects survive, see LinkedList.
  it('do not survive collections of the young generation', async () => {
    await using server = await startServer({ dialect: 'k8s' });
    await server.client().create(configMap, { metadata: { name: 'a' } }, { namespace: 'default' });
    const user = { username: 'admin', groups: ['system:masters'] };
    const request = requestOf({ path: '/api/v1/namespaces/default/configmaps/a' });
    const send = async (times: number) => {
      for (let i = 0; i < times; i++)
        await Promise.all(Array.from({ length: 8 }, () => server.handle(request, { user })));
    };
    await send(6000);
    reachableMegabytes();
    const before = oldBytes();
    await send(6000);
    expect((oldBytes() - before) / 48000).toBeLessThan(40);
  });
});
