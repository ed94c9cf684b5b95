import { expect, it } from 'vitest';
import type { ControllerDefinition } from '../../../src/controllers/controller.js';
import { apiError, configMap } from '../../../src/index.js';
import { createFakeClock } from '../../../src/testing/index.js';
import { startServer } from '../../support/servers.js';

const where = { namespace: 'default' };

async function started(
  reconcile: ControllerDefinition['reconcile'] = async () => {},
  mode: 'stepped' | 'automatic' = 'stepped',
) {
  const mine: ControllerDefinition = {
    name: 'mine',
    follow: ({ host, queue }) =>
      host.lister('', 'configmaps').onChange((next) => next && queue.add(next.metadata.name ?? '')),
    reconcile: async (key, context) => {
      if (key === 'a') await reconcile(key, context);
    },
  };
  const server = await startServer({
    dialect: 'k8s',
    clock: createFakeClock(),
    controllers: { definitions: (defaults) => [...defaults, mine], mode },
  });
  return { server, client: server.client() };
}

it.each(['stepped', 'automatic'] as const)('reports a controller that keeps failing, %s', async (mode) => {
  const { server, client } = await started(() => Promise.reject(new Error('no such shop')), mode);
  await using _ = server;
  await client.create(configMap, { metadata: { name: 'a' } }, where);
  const failure = 'controller mine keeps failing with the key "a", 5 times: no such shop';
  await expect(server.settle({ failures: 'reject' })).rejects.toMatchObject({
    reason: 'failing',
    message: failure,
    reconciled: expect.toSatisfy((count: number) => count >= 4),
  });
  // Failures are not reported without options, nor with `failures: 'ignore'`.
  await server.settle();
  await server.settle({ failures: 'ignore' });
});

it('retries at once what failed for a moment', async () => {
  let left = 3;
  const { server, client } = await started(async (key) => {
    if (left-- > 0) throw apiError.conflict({ group: '', resource: 'configmaps' }, key, 'somebody was faster');
  });
  await using _ = server;
  await client.create(configMap, { metadata: { name: 'a' } }, where);
  await server.settle({});
  expect(left).toBe(-1);
  expect(server.pending().isAtRest).toBe(true);
});

it.each(['stepped', 'automatic'] as const)('reports a controller that causes its own work, %s', async (mode) => {
  const { server, client } = await started(async (key, { queue }) => queue.add(key), mode);
  await using _ = server;
  await client.create(configMap, { metadata: { name: 'a' } }, where);
  // A controller in automatic mode may have reached the end of its turn before the call.
  await expect(server.settle({ failures: 'ignore' })).rejects.toMatchObject({
    reason: 'endless',
    message: expect.stringContaining('controller mine with the key "a" causes its own work endlessly'),
  });
});

it('waits until a named client has processed its events, and for no other', async () => {
  const { server, client } = await started();
  await using _ = server;
  const reader = server.client({ userAgent: 'reader/2.0' });
  const watch = await reader.watch(configMap, where).opened();
  await client.create(configMap, { metadata: { name: 'a' } }, where);
  await server.settle({ clients: ['another'] });
  await expect(server.settle({ clients: ['reader'], timeout: 100 })).rejects.toMatchObject({
    reason: 'timeout',
    message: expect.stringContaining('watch of /api/v1/namespaces/default/configmaps by system:apiserver (reader/2.0)'),
  });
  const copied: string[] = [];
  const copying = (async () => {
    for await (const { object } of watch) {
      if (object.metadata.name?.startsWith('copy-') !== false) continue;
      copied.push(object.metadata.name);
      await reader.create(configMap, { metadata: { name: `copy-${object.metadata.name}` } }, where);
    }
  })();
  await server.settle({ clients: ['reader'] });
  expect(copied).toContain('a');
  expect(await client.get(configMap, 'copy-a', where)).toMatchObject({ metadata: { name: 'copy-a' } });
  watch.close();
  await copying;
});

it('refuses options that would silently have no effect', async () => {
  const { server } = await started();
  await using _ = server;
  await expect(server.settle({ clients: [''] })).rejects.toThrow(TypeError);
  await expect(server.settle({ clients: 'reader' as never })).rejects.toThrow(TypeError);
  for (const [options, message] of [
    [{ client: ['reader'] }, 'settle: there is no option client; did you mean "clients"?'],
    [{ timeout: '5s' }, 'settle: timeout must be a number of milliseconds'],
    [{ quiet: -1 }, 'settle: quiet must be a number of milliseconds'],
    [{ failures: 'throw' }, "settle: failures must be 'reject' or 'ignore'"],
    [null, 'settle: the options must be an object'],
  ] as const)
    await expect(server.settle(options as never)).rejects.toThrow(message);
});
