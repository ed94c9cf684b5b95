import { describe, expect, it } from 'vitest';
import { configMap, isNotFound } from '../../src/index.js';
import { injectFaults, waitFor, waitForDeletion } from '../../src/testing/index.js';
import { startServer } from '../support/servers.js';

const where = { namespace: 'default' };
const made = (name: string) => ({ metadata: { name }, data: { n: '1' } });

describe('waiting', () => {
  it('resolves with the version that satisfies the condition, or reports the last one', async () => {
    await using server = await startServer();
    const client = server.client();
    const waiting = waitFor(client, configMap, 'a', ({ data }) => data?.['n'] === '2', where);
    await client.create(configMap, made('a'), where);
    await client.update(configMap, 'a', (draft) => void (draft.data = { n: '2' }), where);
    expect((await waiting).data).toEqual({ n: '2' });
    const never = waitFor(client, configMap, 'a', ({ data }) => data?.['n'] === '3', { ...where, timeout: 50 });
    await expect(never).rejects.toThrow(/waited 50 ms for configmaps "a", which is .*"n":"2"/);
    await expect(waitFor(client, configMap, 'b', () => true, { ...where, timeout: 50 })).rejects.toThrow(
      'which does not exist',
    );
    const gone = waitForDeletion(client, configMap, 'a', where);
    await client.delete(configMap, 'a', where);
    await gone;
    await expect(client.get(configMap, 'a', where)).rejects.toSatisfy(isNotFound);
  });

  it('ends in time even if the condition never answers', async () => {
    await using server = await startServer();
    await server.client().create(configMap, made('a'), where);
    const waiting = waitFor(server.client(), configMap, 'a', () => new Promise(() => {}), { ...where, timeout: 50 });
    await expect(waiting).rejects.toThrow(/waited 50 ms for configmaps "a", which is .*"n":"1"/);
  });

  it('does not report an object as absent if there was no response', async () => {
    await using server = await startServer();
    await server.client().create(configMap, made('a'), where);
    using faults = injectFaults(server);
    faults.on({ verb: 'list', resource: 'configmaps' }).partition();
    for (const waiting of [
      waitFor(server.client(), configMap, 'a', () => true, { ...where, timeout: 20 }),
      waitForDeletion(server.client(), configMap, 'a', { ...where, timeout: 20 }),
    ])
      await expect(waiting).rejects.toThrow(
        'waited 20 ms for configmaps "a", and the list of configmaps got no response',
      );
  });
});
