import { expect, it } from 'vitest';
import { type ApiServer, configMap } from '../../src/index.js';
import { createFakeClock } from '../../src/testing/fake-clock.js';
import { fetchFrom } from '../support/ask.js';
import { passingTime } from '../support/passing-time.js';
import { openServer, startServer } from '../support/servers.js';
import { SharedBackend } from '../support/shared-storage.js';

const PATH = '/api/v1/namespaces/default/configmaps';

/** Opens two servers without controllers, of which the second receives no changes unasked, and creates three objects at the first. */
async function apart(dialect: 'k8s' | 'orch') {
  const backend = new SharedBackend();
  const clock = createFakeClock('2026-11-21T12:00:00Z');
  const near = await openServer({ clock, dialect, storage: backend.storage });
  const far = await startServer({ ...(await sameOptions(dialect)), clock, storage: backend.storage });
  backend.catchUp();
  for (const view of backend.views) view.held = true;
  for (const name of ['a', 'b', 'c'])
    await near.client().create(configMap, { metadata: { name } }, { namespace: 'default' });
  const list = async (server: ApiServer, query: string) => {
    const response = await fetchFrom(server, `${PATH}${query}`);
    return { status: response.status, body: await response.json() };
  };
  const names = ({ body }: { body: { items: { metadata: { name: string } }[] } }) =>
    body.items.map(({ metadata }) => metadata.name);
  return {
    backend,
    clock,
    list,
    names,
    near,
    far,
    async [Symbol.asyncDispose]() {
      await near.close();
      await far.close();
    },
  };
}

async function sameOptions(dialect: 'k8s' | 'orch') {
  const { anonymous } = await import('../../src/authentication/anonymous.js');
  const { alwaysAllow } = await import('../../src/authorization/always-allow.js');
  return {
    dialect,
    controllers: [],
    featureGates: { WatchList: true },
    authentication: [anonymous()],
    authorization: [alwaysAllow()],
  };
}

it.each(['k8s', 'orch'] as const)(
  'a page is continued at a server that has not received its version (%s)',
  async (dialect) => {
    await using world = await apart(dialect);
    const { list, names, near, far } = world;
    const first = await list(near, '?limit=1');
    const { continue: token, resourceVersion } = first.body.metadata;
    const next = await list(far, `?limit=1&continue=${token}`);
    expect([next.status, next.status === 200 && names(next)]).toEqual([200, ['b']]);
    await near.client().create(configMap, { metadata: { name: 'd' } }, { namespace: 'default' });
    const { resourceVersion: newest } = (await list(near, '')).body.metadata;
    const reads: readonly [query: string, names: readonly string[]][] = [
      [`?resourceVersion=${newest}&resourceVersionMatch=Exact`, ['a', 'b', 'c', 'd']],
      [`?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`, ['a', 'b', 'c']],
      [`?resourceVersion=${newest}&limit=2`, ['a', 'b']],
      [`?resourceVersion=${newest}`, ['a', 'b', 'c', 'd']],
    ];
    for (const [query, expected] of reads) {
      const answer = await list(far, query);
      expect([query, answer.status, answer.status === 200 && names(answer)]).toEqual([query, 200, expected]);
    }
  },
);

it.concurrent.each(['k8s', 'orch'] as const)('a version that is not received in time is 504 (%s)', async (dialect) => {
  await using world = await apart(dialect);
  const { list, near, far, backend, clock } = world;
  const { continue: token, resourceVersion } = (await list(near, '?limit=1')).body.metadata;
  for (const view of backend.views.slice(1)) view.deaf = true;
  const queries = [`?limit=1&continue=${token}`, `?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`];
  const answers = await passingTime(clock, Promise.all(queries.map((query) => list(far, query))));
  for (const { status, body } of answers)
    expect([status, body.message]).toEqual([504, expect.stringContaining('Too large resource version')]);
});

it('a watch from the newest version begins after an object that was created at another server', async () => {
  await using world = await apart('k8s');
  const response = await fetchFrom(
    world.far,
    `${PATH}?watch=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`,
  );
  await world.near.client().create(configMap, { metadata: { name: 'later' } }, { namespace: 'default' });
  world.backend.catchUp();
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  expect(JSON.parse(new TextDecoder().decode(value).split('\n')[0] ?? '').object.metadata.name).toBe('later');
});

it.each(['k8s', 'orch'] as const)(
  'a create is refused for an existing object, but not for one that another server deleted (%s)',
  async (dialect) => {
    await using world = await apart(dialect);
    const { near, far, backend } = world;
    backend.catchUp();
    const where = { namespace: 'default' };
    for (const dryRun of [true, false]) {
      await near.client().delete(configMap, 'a', where);
      // The other server has received neither the deletion nor the next creation.
      await far.client().create(configMap, { metadata: { name: 'a' } }, { ...where, dryRun });
      if (!dryRun) continue;
      await near.client().create(configMap, { metadata: { name: 'a' } }, where);
      const again = far.client().create(configMap, { metadata: { name: 'a' } }, { ...where, dryRun });
      await expect(again).rejects.toThrow('already exists');
    }
  },
);
