import { ApiServer, configMap, namespace } from 'orch-apiserver';
import { createFakeClock, createFakeRandom, diff } from 'orch-apiserver/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

const clock = createFakeClock('2030-01-01T00:00:00Z');
const server = new ApiServer({ clock, random: createFakeRandom(1) });
const where = { namespace: 'shop' };

// This set-up runs once, and all tests of the file share it.
beforeAll(async () => {
  await server.start();
  await server.client().create(namespace, { metadata: { name: 'shop' } });
  await server.client().create(configMap, { metadata: { name: 'prices' }, data: { apple: '1' } }, where);
  await server.settle();
});
afterAll(() => server.close());

it('lets each test change its own fork', async () => {
  await using fork = server.fork();
  await fork.client().update(configMap, 'prices', (draft) => void (draft.data = { apple: '2' }), where);
  expect((await diff(server, fork)).text).toBe('changed ConfigMap shop/prices\n  data/apple: "1" -> "2"');
});

it('continues from one state in two ways', async () => {
  await using one = server.fork();
  await using other = server.fork();
  await one.client().delete(configMap, 'prices', where);
  await other.client().delete(namespace, 'shop');
  await Promise.all([one.settle(), other.settle()]);
  expect(await one.client().list(configMap, where)).toMatchObject({
    items: [{ metadata: { name: 'orch-root-ca.crt' } }],
  });
  expect((await other.client().list(configMap, where)).items).toEqual([]);
});

it('moves the time of a fork, and of no other server', async () => {
  const later = clock.fork();
  await using fork = server.fork({ clock: later });
  later.advance(24 * 3_600_000);
  const made = await fork.client().create(configMap, { metadata: { name: 'tomorrow' } }, where);
  expect(made.metadata.creationTimestamp).toBe('2030-01-02T00:00:00Z');
  expect(clock.now()).toBe(Date.parse('2030-01-01T00:00:00Z'));
});

it('compares with a snapshot, and restores it', async () => {
  await using fork = server.fork();
  const before = fork.snapshot();
  await fork.client().delete(namespace, 'shop');
  await fork.settle();
  const removed = (await diff(before, fork)).objects.map(({ change, kind, name }) => `${change} ${kind} ${name}`);
  expect(removed).toContain('removed Namespace shop');
  await fork.restore(before);
  expect(await fork.client().get(configMap, 'prices', where)).toMatchObject({ data: { apple: '1' } });
});
