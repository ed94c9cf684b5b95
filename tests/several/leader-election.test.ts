import { expect, it } from 'vitest';
import type { ControllerContext, ControllerDefinition } from '../../src/exports/controllers.js';
import { coreEvent, lease } from '../../src/exports/kinds.js';
import { ApiServer, type ApiServerOptions, type ConfigMap, configMap, namespace } from '../../src/index.js';
import { createFakeClock, createFakeRandom, type FakeClock } from '../../src/testing/index.js';
import { fetchFrom } from '../support/ask.js';
import { startServer } from '../support/servers.js';
import { SharedBackend } from '../support/shared-storage.js';

const SYSTEM = { namespace: 'kube-system' };
const NAME = 'kube-controller-manager';

/** A controller that records in which server it runs, and that a test can hold in the middle of its work. */
function probe() {
  const contexts: ControllerContext[] = [];
  const running = new Set<ControllerContext>();
  const reconciled: string[] = [];
  let gate: Promise<void> = Promise.resolve();
  const definition: ControllerDefinition = {
    name: 'probe',
    follow(context) {
      contexts.push(context);
      running.add(context);
      const maps = context.host.lister<ConfigMap>('', 'configmaps');
      const look = (map: ConfigMap | undefined) => {
        if (map?.metadata.labels?.['probe'] !== undefined && map.data === undefined)
          context.queue.add(map.metadata.name ?? '');
      };
      maps.list().forEach(look);
      const stop = maps.onChange(look);
      return () => {
        running.delete(context);
        stop();
      };
    },
    async reconcile(key, context) {
      const held = gate;
      await held;
      await context.client.patch(configMap, key, { data: { by: context.host.hostname } }, { namespace: 'default' });
      reconciled.push(`${context.host.hostname} ${key}`);
    },
  };
  return {
    definition,
    contexts,
    running: () => [...running].map(({ host }) => host.hostname),
    reconciled,
    /**
     * Holds work that begins from this call on.
     * @returns a function that lets the work continue.
     */
    hold() {
      let open = () => {};
      gate = new Promise((resolve) => {
        open = resolve;
      });
      return () => {
        gate = Promise.resolve();
        open();
      };
    },
  };
}

const turns = async (count = 60) => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
};

/** Advances clocks together, in steps that are shorter than every period of the election. */
async function pass(milliseconds: number, ...clocks: readonly FakeClock[]): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 500) {
    for (const clock of clocks) clock.advance(500);
    await turns(8);
  }
}

async function open(hours: readonly number[], more: ApiServerOptions = {}) {
  const backend = new SharedBackend();
  const probed = probe();
  const clocks = hours.map((each) => createFakeClock(Date.UTC(2030, 0, 1) + each * 3_600_000));
  const logs: string[] = [];
  const servers: ApiServer[] = [];
  for (const [index, clock] of clocks.entries()) {
    const server = await startServer({
      dialect: 'k8s',
      clock,
      random: createFakeRandom(index + 1),
      storage: backend.storage,
      log: (line) => void logs.push(`${index} ${line}`),
      network: { hostname: `host-${index}` },
      controllers: { definitions: (defaults) => [...defaults, probed.definition], leaderElection: true },
      ...more,
    });
    servers.push(server);
  }
  const view = (index: number) => {
    const found = backend.views[index];
    if (!found) throw new TypeError('there is no such view');
    return found;
  };
  return {
    backend,
    probed,
    clocks: clocks as [FakeClock, FakeClock],
    servers: servers as [ApiServer, ApiServer],
    logs,
    view,
    async [Symbol.asyncDispose]() {
      for (const each of backend.views) {
        each.held = false;
        each.deaf = false;
        each.cut = false;
      }
      for (const server of servers) await server.close();
    },
  };
}

const metricsOf = async (server: ApiServer) => await (await fetchFrom(server, '/metrics', { user: ADMIN })).text();
const ADMIN = { username: 'admin', groups: ['system:masters'] };
const label = { labels: { probe: 'yes' } };
const held = (server: ApiServer) => server.client().get(lease, NAME, SYSTEM);

it('the first server leads, and only its controllers run, except those of the API server, which run in all', async () => {
  await using world = await open([0, 0]);
  const [one, other] = world.servers;
  expect(world.probed.running()).toEqual(['host-0']);
  const { spec } = await held(one);
  expect(spec).toEqual({
    holderIdentity: expect.stringMatching(/^host-0_[0-9a-f-]{36}$/),
    leaseDurationSeconds: 15,
    acquireTime: '2030-01-01T00:00:00.000000Z',
    renewTime: '2030-01-01T00:00:00.000000Z',
    leaseTransitions: 0,
  });
  await other.client().create(configMap, { metadata: { name: 'a', ...label } }, { namespace: 'default' });
  await turns();
  expect(world.probed.reconciled).toEqual(['host-0 a']);
  // The leader empties a namespace even if the deletion was requested from another server.
  await other.client().create(namespace, { metadata: { name: 'gone' } });
  await other.client().delete(namespace, 'gone');
  await turns(200);
  await expect(one.client().get(namespace, 'gone')).rejects.toThrow('not found');
  // Both servers keep their identity Leases, because these belong to the API server itself and not to its leader.
  const { items } = await one.client().list(lease, SYSTEM);
  expect(items.filter(({ metadata }) => metadata.name?.startsWith('apiserver-'))).toHaveLength(2);
});

it('the lease is renewed every two seconds, and the leader stays', async () => {
  await using world = await open([0, 0]);
  const transitions = async () => (await held(world.servers[1])).spec;
  await pass(60_000, ...world.clocks);
  expect(world.probed.running()).toEqual(['host-0']);
  const { renewTime, leaseTransitions } = await transitions();
  expect(leaseTransitions).toBe(0);
  expect(Date.parse(renewTime ?? '')).toBeGreaterThanOrEqual(world.clocks[0].now() - 2_500);
});

it('a closed server releases the lease, and another takes over without waiting', async () => {
  // Names of events are derived from the time, so the clocks must differ.
  await using world = await open([0, 0.01]);
  const [one, other] = world.servers;
  await one.close();
  await turns();
  world.clocks[1].advance(1);
  await turns();
  expect(world.probed.running()).toEqual(['host-1']);
  const { spec } = await held(other);
  expect(spec).toMatchObject({ holderIdentity: expect.stringMatching(/^host-1_/), leaseTransitions: 1 });
  await other.client().create(configMap, { metadata: { name: 'b', ...label } }, { namespace: 'default' });
  await turns();
  expect(world.probed.reconciled).toEqual(['host-1 b']);
  const { items } = await other.client().list(coreEvent, SYSTEM);
  const said = items
    .filter(({ reason }) => reason === 'LeaderElection')
    .map(({ message, source }) => [message, source]);
  expect(said).toEqual([
    [expect.stringMatching(/^host-0_\S+ became leader$/), { component: NAME }],
    [expect.stringMatching(/^host-0_\S+ stopped leading$/), { component: NAME }],
    [expect.stringMatching(/^host-1_\S+ became leader$/), { component: NAME }],
  ]);
});

it.each([-30, 0, 30])('another takes over after the lease has run out, with a clock %d hours off', async (hours) => {
  await using world = await open([0, hours]);
  const [leading, waiting] = world.clocks;
  await pass(5_000, leading, waiting);
  // The leader is cut off: its writes fail and it receives nothing, but its clock advances.
  Object.assign(world.view(0), { deaf: true, cut: true });
  await pass(10_500, leading);
  expect(world.probed.running()).toEqual([]);
  await pass(14_000, waiting);
  expect(world.probed.running()).toEqual([]);
  await pass(6_000, waiting);
  expect(world.probed.running()).toEqual(['host-1']);
  // When the connection is back, the former leader waits like any other candidate.
  Object.assign(world.view(0), { deaf: false, cut: false });
  await pass(10_000, leading, waiting);
  expect(world.probed.running()).toEqual(['host-1']);
});

it('a leader that was suspended writes nothing after another has taken over, including requests in progress', async () => {
  await using world = await open([0, 0]);
  const [, other] = world.servers;
  const release = world.probed.hold();
  await other.client().create(configMap, { metadata: { name: 'c', ...label } }, { namespace: 'default' });
  await turns();
  // The process of the leader is suspended: its clock does not advance, and it receives nothing. The other server waits until the lease
  // has expired.
  world.view(0).held = true;
  await pass(25_000, world.clocks[1]);
  expect(world.probed.running()).toEqual(['host-0', 'host-1']);
  await turns();
  const before = world.backend.log.length;
  release();
  await turns();
  const since = world.backend.log.slice(before).filter(({ key }) => key.includes('configmaps/default/c'));
  expect(since.map(({ value }) => (value as { data?: object }).data)).toEqual([{ by: 'host-1' }]);
  // When the former leader reads the storage again, it finds that it has lost the lease.
  expect(world.probed.running()).toEqual(['host-1']);
});

it('a deleted lease is acquired again, with a new term', async () => {
  await using world = await open([0, 0]);
  await world.servers[1].client().delete(lease, NAME, SYSTEM);
  await turns();
  await pass(3_000, ...world.clocks);
  expect(world.probed.running()).toHaveLength(1);
  expect(world.probed.contexts).toHaveLength(2);
});

it('the leader is visible in a metric', async () => {
  await using world = await open([0, 0], { metrics: true });
  const statusOf = async (server: ApiServer) =>
    (await metricsOf(server)).match(/^leader_election_master_status\{.*$/m)?.[0];
  expect(await statusOf(world.servers[0])).toBe(`leader_election_master_status{name="${NAME}"} 1`);
  expect(await statusOf(world.servers[1])).toBe(`leader_election_master_status{name="${NAME}"} 0`);
  // When a server leads for a second term, the metrics count its queues only once.
  await world.servers[0].client().delete(lease, NAME, SYSTEM);
  await pass(3_000, ...world.clocks);
  for (const server of world.servers) {
    const depths = (await metricsOf(server)).match(/^workqueue_depth\{.*?\}/gm) ?? [];
    expect(new Set(depths).size).toBe(depths.length);
  }
});

it('all controllers run in every server when leader election is off, or the storage is not shared', async () => {
  const probed = probe();
  const definitions = [probed.definition];
  const backend = new SharedBackend();
  const make = (options: ApiServerOptions) => new ApiServer({ dialect: 'k8s', ...options });
  await using one = make({ storage: backend.storage, controllers: { definitions, leaderElection: false } });
  await using other = make({ storage: backend.storage, controllers: { definitions, leaderElection: false } });
  await using alone = make({ controllers: { definitions } });
  for (const server of [one, other, alone]) await server.start();
  expect(probed.contexts).toHaveLength(3);
  for (const server of [one, alone]) await expect(held(server)).rejects.toThrow('not found');
});

it('refuses to start when Leases are not served', async () => {
  const server = new ApiServer({
    dialect: 'k8s',
    runtimeConfig: { 'coordination.k8s.io/v1': 'false' },
    controllers: { leaderElection: true },
  });
  await expect(server.start()).rejects.toThrow('leaderElection cannot work, because Leases are not served');
});

it.each([
  [{ leaseDuration: 0 }, 'leaseDuration must be more than 0 milliseconds'],
  [{ leaseDuration: 10_000 }, 'leaseDuration must be greater than renewDeadline'],
  [{ leaseDuration: 900, renewDeadline: 500, retryPeriod: 100 }, 'leaseDuration must be at least 1000 milliseconds'],
  [{ retryPeriod: 9_000 }, 'renewDeadline must be greater than retryPeriod * 1.2'],
  [{ retryPeriod: Number.NaN }, 'retryPeriod must be more than 0 milliseconds'],
  [{ resourceName: '' }, 'resourceName must be a name'],
  [{ leaseLength: 1 }, 'has no member leaseLength'],
] as const)('refuses %j', (leaderElection, problem) => {
  expect(() => new ApiServer({ controllers: { leaderElection: leaderElection as object } })).toThrow(problem);
});
