import { expect, it } from 'vitest';
import { ApiServer } from '../../src/api-server.js';
import type { ApiServerOptions } from '../../src/api-server-options.js';
import { alwaysAllow } from '../../src/authorization/always-allow.js';
import { configMap, flowSchema, priorityLevelConfiguration } from '../../src/exports/kinds.js';
import { createFakeClock } from '../../src/testing/fake-clock.js';
import { type Question, send, textOf } from '../support/ask.js';
import { heldBody } from '../support/held-body.js';
import { startServer } from '../support/servers.js';

const jane = { username: 'jane', groups: ['crowd', 'system:authenticated'] };
const MAPS = '/api/v1/namespaces/default/configmaps';
/** The number of seats of one share of 246: one, rounded up. */
const ONE_SEAT = { limits: { maxRequestsInFlight: 200, maxMutatingRequestsInFlight: 40 } };
const reject = { limitResponse: { type: 'Reject' } };

async function start({ limits, ...options }: ApiServerOptions = {}) {
  const clock = createFakeClock();
  const server = await startServer({
    clock,
    limits: { priorityAndFairness: true, ...limits },
    authorization: [alwaysAllow()],
    ...options,
  });
  const client = server.client();
  return {
    server,
    clock,
    client,
    /** Assigns the requests of the crowd to a level of its own with one seat. */
    async narrow(limited: object = reject) {
      const spec = { nominalConcurrencyShares: 1, lendablePercent: 0, borrowingLimitPercent: 0, ...limited };
      await client.create(priorityLevelConfiguration, {
        metadata: { name: 'narrow' },
        spec: { type: 'Limited', limited: spec },
      } as never);
      const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] };
      await client.create(flowSchema, {
        metadata: { name: 'crowd' },
        spec: {
          priorityLevelConfiguration: { name: 'narrow' },
          matchingPrecedence: 60,
          rules: [{ subjects: [{ kind: 'Group', group: { name: 'crowd' } }], resourceRules: [everything] }],
        },
      } as never);
    },
    ask(method: string, path: string, { user = jane, ...more }: Ask = {}) {
      return send(server, { method, path, ...more }, { user });
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}
interface Ask extends Pick<Question, 'query' | 'read' | 'signal'> {
  readonly user?: typeof jane;
}

it.each([
  ['k8s', 'X-Kubernetes'],
  ['orch', 'X-Orch'],
] as const)('responses name their flow schema and priority level (%s)', async (dialect, prefix) => {
  await using world = await start({ dialect });
  const uid = async (kind: typeof flowSchema | typeof priorityLevelConfiguration, name: string) =>
    (await world.client.get(kind as typeof flowSchema, name)).metadata.uid;
  const { headers } = await world.ask('GET', MAPS);
  expect(headers).toMatchObject({
    [`${prefix}-PF-FlowSchema-UID`]: await uid(flowSchema, 'global-default'),
    [`${prefix}-PF-PriorityLevel-UID`]: await uid(priorityLevelConfiguration, 'global-default'),
  });
});

it('requests beyond the seats of their level are refused, and others are executed', async () => {
  await using world = await start(ONE_SEAT);
  await world.narrow();
  const slow = heldBody('a');
  const first = world.ask('POST', MAPS, { read: slow.read });
  await slow.begun;
  const refused = await world.ask('GET', MAPS);
  expect(refused.status).toBe(429);
  expect(refused.headers).toMatchObject({ 'Retry-After': '1', 'Content-Type': 'text/plain; charset=utf-8' });
  expect(textOf(refused.body)).toBe('Too many requests, please try again later.\n');
  expect((await world.ask('GET', '/version')).status).toBe(200);
  await expect(world.server.client({ user: jane }).list(configMap)).rejects.toMatchObject({ code: 429 });
  slow.release();
  expect((await first).status).toBe(201);
  expect((await world.ask('GET', MAPS)).status).toBe(200);
});

it('failed requests release their seat, and so does a watch once it is open', async () => {
  await using world = await start(ONE_SEAT);
  await world.narrow();
  for (let i = 0; i < 5; i++) {
    const watch = await world.ask('GET', MAPS, { query: 'watch=1' });
    expect(watch.status).toBe(200);
    expect((await world.ask('POST', MAPS, { read: () => Promise.reject(new Error('broken')) })).status).toBe(500);
    expect((await world.ask('DELETE', `${MAPS}/none`)).status).toBe(404);
  }
});

it('a request is queued until there is a seat, its time is up, or its client disconnects', async () => {
  await using world = await start(ONE_SEAT);
  await world.narrow({ limitResponse: { type: 'Queue', queuing: { queues: 1, handSize: 1, queueLengthLimit: 2 } } });
  const slow = heldBody('a');
  const first = world.ask('POST', MAPS, { read: slow.read });
  await slow.begun;
  const late = world.ask('GET', MAPS);
  const gone = new AbortController();
  const left = world.ask('GET', MAPS, { signal: gone.signal });
  await turns();
  expect((await world.ask('GET', MAPS)).status).toBe(429);
  gone.abort();
  expect((await left).status).toBe(429);
  world.clock.advance(15_000);
  expect((await late).status).toBe(429);
  const waiting = world.ask('GET', MAPS);
  await turns();
  slow.release();
  expect((await waiting).status).toBe(200);
  expect((await first).status).toBe(201);
});
const turns = () => new Promise((resolve) => setImmediate(resolve));

it('debug tables list the queued and the executing requests', async () => {
  await using world = await start(ONE_SEAT);
  await world.narrow({ limitResponse: { type: 'Queue', queuing: { queues: 2, handSize: 1, queueLengthLimit: 2 } } });
  const slow = heldBody('a');
  const first = world.ask('POST', MAPS, { read: slow.read });
  await slow.begun;
  const second = world.ask('GET', MAPS);
  await turns();
  const masters = { username: 'root', groups: ['system:masters'] };
  const rows = async (table: string, query = '') => {
    const { body } = await world.ask('GET', `/debug/api_priority_and_fairness/${table}`, { query, user: masters });
    return textOf(body)
      .trimEnd()
      .split('\n')
      .map((line) => line.split(',').map((cell) => cell.trim()));
  };
  const [, ...levels] = await rows('dump_priority_levels');
  expect(levels).toHaveLength(9);
  expect(levels).toContainEqual(['narrow', '1', 'false', 'false', '1', '1', '1', '0', '0', '0']);
  const queues = (await rows('dump_queues')).filter(([level]) => level === 'narrow');
  expect(queues.map(([, index]) => index)).toEqual(['0', '1']);
  const requests = (await rows('dump_requests', 'includeRequestDetails=1')).filter(([level]) => level === 'narrow');
  expect(requests.map((cells) => [cells[3], cells[9], ...cells.slice(10)])).toEqual([
    ['0', '0001-01-01T00:00:00Z', 'jane', 'list', MAPS, 'default', '', 'v1', 'configmaps', ''],
    ['-1', '2024-01-01T00:00:00Z', 'jane', 'create', MAPS, 'default', '', 'v1', 'configmaps', ''],
  ]);
  slow.release();
  await Promise.all([first, second]);
});

it('is off by default, and then the numbers of requests in flight decide', async () => {
  await using world = await start({ limits: { priorityAndFairness: false } });
  const { status, headers } = await world.ask('GET', '/debug/api_priority_and_fairness/dump_queues');
  expect(status).toBe(404);
  expect(Object.keys(headers).filter((name) => /-PF-/.test(name))).toEqual([]);
});

it('requires seats', () => {
  const none = { maxRequestsInFlight: 0, maxMutatingRequestsInFlight: 0 };
  expect(() => new ApiServer({ limits: { priorityAndFairness: true, ...none } })).toThrow('must not both be 0');
  expect(() => new ApiServer({ limits: { priorityAndFairness: 'yes' as never } })).toThrow('must be true or false');
  expect(() => new ApiServer({ limits: none })).not.toThrow();
});
