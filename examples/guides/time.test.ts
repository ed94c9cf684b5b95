import { ApiServer, configMap, serviceAccount } from 'orch-apiserver';
import type { ControllerDefinition } from 'orch-apiserver/controllers';
import { type TokenRequest, tokenReview } from 'orch-apiserver/kinds';
import { advance, createFakeClock, insecureDeterministic } from 'orch-apiserver/testing';
import { expect, it } from 'vitest';

const where = { namespace: 'default' };

/** Publishes the price of every ConfigMap. The shop that it calls is closed until a given time. */
const publisher = (opens: number): ControllerDefinition => ({
  name: 'publisher',
  follow: ({ host, queue }) =>
    host.lister('', 'configmaps').onChange((next) => {
      if (next?.metadata.name === 'prices') queue.add(`${next.metadata.namespace}/${next.metadata.name}`);
    }),
  async reconcile(_key, { host, client }) {
    if (host.clock.now() < opens) throw new Error('the shop is closed');
    await client.apply(
      configMap,
      { metadata: { name: 'published' }, data: { at: new Date(host.clock.now()).toISOString() } },
      where,
    );
  },
});

async function start({ opensIn = 0 } = {}) {
  const clock = createFakeClock('2030-01-01T00:00:00Z');
  const mine = publisher(clock.now() + opensIn);
  const server = new ApiServer({
    dialect: 'k8s',
    clock,
    controllers: { definitions: (defaults) => [...defaults, mine], mode: 'stepped' },
  });
  await server.start();
  await server.settle();
  return { server, client: server.client() };
}

it('prints what a test waits for', async () => {
  const { server, client } = await start({ opensIn: 60_000 });
  await using _ = server;
  await client.create(configMap, { metadata: { name: 'prices' } }, where);
  await server.settle();
  const text = String(server.pending());
  expect(text).toContain(
    'controller publisher: key "default/prices" is failing, next try 2030-01-01T00:00:00.005Z (in 5 ms), failed 1 times: the shop is closed',
  );
});

it('moves the clock from timer to timer, and lets controllers settle after each', async () => {
  const { server, client } = await start({ opensIn: 60_000 });
  await using _ = server;
  await client.create(configMap, { metadata: { name: 'prices' } }, where);
  await advance(server, 120_000);
  // The attempts after 5, 15, 35 ms and so on failed. The attempt after 82 s is the first one at which the shop is open.
  expect((await client.get(configMap, 'published', where)).data).toEqual({ at: '2030-01-01T00:01:21.915Z' });
});

it('expires objects with a lifetime', async () => {
  const { server, client } = await start();
  await using _ = server;
  await client.create(serviceAccount, { metadata: { name: 'robot' } }, where);
  const spec = { audiences: [], expirationSeconds: 3600 };
  const { status } = await client.createSubresource<TokenRequest>(serviceAccount, 'robot', 'token', { spec }, where);
  const review = async () =>
    (await client.create(tokenReview, { metadata: {}, spec: { token: status.token }, status: {} })).status.user
      ?.username;
  expect(await review()).toBe('system:serviceaccount:default:robot');
  await advance(server, 3_661_000);
  expect(await review()).toBeUndefined();
});

it('reports a controller that keeps failing', async () => {
  const { server, client } = await start({ opensIn: 60_000 });
  await using _ = server;
  await client.create(configMap, { metadata: { name: 'prices' } }, where);
  await expect(server.settle({ failures: 'reject' })).rejects.toThrow(
    'controller publisher keeps failing with the key "default/prices", 5 times: the shop is closed',
  );
});

it('waits for a client outside of the server', async () => {
  const { server, client } = await start();
  await using _ = server;
  const operator = server.client({ userAgent: 'my-operator/1.0' });
  const watch = await operator.watch(configMap, where).opened();
  const operating = (async () => {
    for await (const { object } of watch)
      if (object.metadata.name === 'prices') await operator.create(configMap, { metadata: { name: 'copied' } }, where);
  })();
  await client.create(configMap, { metadata: { name: 'prices' } }, where);
  await server.settle({ clients: ['my-operator'] });
  expect(await client.get(configMap, 'copied', where)).toMatchObject({ metadata: { name: 'copied' } });
  watch.close();
  await operating;
});

it('produces the same bytes for the same calls, keys and certificates included', async () => {
  const once = async () => {
    await using server = new ApiServer(insecureDeterministic({ seed: 7 }));
    await server.start();
    await server.client().create(configMap, { metadata: { generateName: 'prices-' } }, where);
    await advance(server, 60_000);
    return [await server.save(), await server.issueClientCertificate({ username: 'jane' })];
  };
  expect(await once()).toEqual(await once());
});
