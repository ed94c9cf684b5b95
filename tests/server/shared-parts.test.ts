import { expect, it } from 'vitest';
import * as z from 'zod';
import type { ApiServer } from '../../src/api-server.js';
import { configMap, defineResource } from '../../src/index.js';
import { createFakeClock } from '../../src/testing/fake-clock.js';
import { startServer } from '../support/servers.js';

const widget = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
  schema: z.object({ spec: z.object({ size: z.int() }) }),
});
const where = { namespace: 'default' };

const started = () => startServer({ dialect: 'k8s', clock: createFakeClock('2030-01-01T00:00:00Z') });

/** Returns all objects that can be reached from a value, including the value itself. */
function reachable(value: unknown, found = new Set<object>()): Set<object> {
  if (typeof value !== 'object' || value === null || found.has(value)) return found;
  found.add(value);
  for (const member of Object.values(value)) reachable(member, found);
  return found;
}

const ADMIN = { username: 'root', groups: ['system:masters'] };
const WIDGETS = 'http://server/apis/example.com/v1/namespaces/default/widgets';
const statusOf = async (server: Pick<ApiServer, 'fetch'>) =>
  (await server.fetch(new Request(WIDGETS), { user: ADMIN })).status;

it('servers share only frozen parts of their initial objects', async () => {
  await using one = await started();
  await using other = await started();
  const ofOther = reachable(other.snapshot().objects());
  const shared = [...reachable(one.snapshot().objects())].filter((part) => ofOther.has(part));
  expect(shared.length).toBeGreaterThan(100);
  expect(shared.filter((part) => !Object.isFrozen(part))).toEqual([]);
});

it('servers with the same initial objects have uids and versions of their own', async () => {
  await using one = await started();
  await using other = await started();
  const uids = (server: ApiServer) =>
    server
      .snapshot()
      .objects()
      .map(({ metadata }) => metadata.uid);
  const ofOther = new Set(uids(other));
  expect(uids(one).filter((uid) => ofOther.has(uid))).toEqual([]);
  const [first] = one.snapshot().objects();
  await one.client().create(configMap, { metadata: { name: 'a' } }, where);
  expect(one.snapshot().objects()[0]).toBe(first);
  expect(one.snapshot().revision).toBe(other.snapshot().revision + 1);
});

it('a kind that one server installs or uninstalls does not affect other servers, forks or later ones', async () => {
  await using one = await started();
  await using sibling = one.fork();
  await using twin = one.fork();
  await sibling.install(widget);
  await using other = await started();
  expect([await statusOf(sibling), await statusOf(one), await statusOf(twin), await statusOf(other)]).toEqual([
    200, 404, 404, 404,
  ]);
  await sibling.client().create(widget, { metadata: { name: 'w' }, spec: { size: 1 } }, where);
  await using child = sibling.fork();
  await child.uninstall(widget, { deleteObjects: true });
  expect([await statusOf(child), await statusOf(sibling)]).toEqual([404, 200]);
  await other.uninstall(configMap);
  await expect(one.client().list(configMap)).resolves.toMatchObject({ kind: 'ConfigMapList' });
});

it('shared feature gates cannot be changed', async () => {
  let gates: object | undefined;
  await using _ = await startServer({
    authorization: (defaults) => [
      ...defaults,
      (host) => {
        gates = host.gates;
        return { name: 'none', authorize: () => ({ decision: 'NoOpinion', reason: '' }) };
      },
    ],
  });
  expect(Object.isFrozen(gates)).toBe(true);
});
