import { expect, it } from 'vitest';
import { atOnce, flowWorld, levelOf, memberOf, schemaOf, waits } from './world.js';

const jane = memberOf('jane', 'crowd');
const john = memberOf('john', 'crowd');
/** The number of seats for the mandatory levels. */
const LARGE = 100_000;

function crowded(seats: number, level: Parameters<typeof levelOf>[1] = {}) {
  const world = flowWorld({ seats });
  world.levels.set([levelOf('busy', { nominalConcurrencyShares: LARGE, borrowingLimitPercent: 0, ...level })]);
  world.schemas.set([schemaOf('crowd', 'busy', 'crowd')]);
  return world;
}
const turn = async () => {
  for (let i = 0; i < 5; i++) await undefined;
};

it('a level without queues executes as many requests as it has seats', () => {
  const world = crowded(2, { queues: 0 });
  const [first] = [world.begin(jane), world.begin(john)].map(atOnce);
  expect(atOnce(world.begin(jane))).toMatchObject({ retryAfter: 1, flowSchemaUid: 'uid-of-crowd' });
  expect(world.metrics.value('rejected_requests_total', 'busy', 'crowd', 'concurrency-limit')).toBe(1);
  first?.release();
  first?.release(); // A second call releases nothing.
  expect(atOnce(world.begin(jane)).retryAfter).toBeUndefined();
  expect(atOnce(world.begin(jane)).retryAfter).toBe(1);
});

it('members of system:masters are never refused', () => {
  const world = crowded(1);
  const root = memberOf('root', 'system:masters');
  for (let i = 0; i < 1000; i++) expect(atOnce(world.begin(root)).retryAfter).toBeUndefined();
  expect(world.metrics.value('current_executing_requests', 'exempt', 'exempt')).toBe(1000);
});

it('a queued request is executed when a seat is free, in the order of its flow', async () => {
  const world = crowded(1, { queues: 1, handSize: 1 });
  const first = atOnce(world.begin(jane));
  const order: string[] = [];
  const later = ['a', 'b'].map(async (name) => {
    const decision = await waits(world.begin(jane));
    order.push(name);
    return decision;
  });
  expect(world.metrics.value('current_inqueue_requests', 'busy', 'crowd')).toBe(2);
  world.clock.advance(100);
  first.release();
  (await later[0])?.release();
  (await later[1])?.release();
  expect(order).toEqual(['a', 'b']);
  expect(world.metrics.value('dispatched_requests_total', 'busy', 'crowd')).toBe(3);
  expect(world.metrics.observed).toContainEqual([
    'apiserver_flowcontrol_request_wait_duration_seconds',
    ['busy', 'crowd', 'true'],
    0.1,
  ]);
});

it('a full queue refuses requests, and its neighbor does not', () => {
  const world = crowded(1, { queues: 64, handSize: 1, queueLengthLimit: 2 });
  atOnce(world.begin(jane));
  waits(world.begin(jane));
  waits(world.begin(jane));
  expect(atOnce(world.begin(jane)).retryAfter).toBe(1);
  expect(world.metrics.value('rejected_requests_total', 'busy', 'crowd', 'queue-full')).toBe(1);
  waits(world.begin(john));
});

it('a request is queued for a fourth of its time limit at most, and for a minute at most', async () => {
  const world = crowded(1);
  atOnce(world.begin(jane));
  const short = waits(world.begin(jane, { limit: 4_000 }));
  const long = waits(world.begin(john, { limit: 3_600_000 }));
  world.clock.advance(1_000);
  expect((await short).retryAfter).toBe(1);
  expect(world.metrics.value('current_inqueue_requests', 'busy', 'crowd')).toBe(1);
  world.clock.advance(59_000);
  expect((await long).retryAfter).toBeDefined();
  expect(world.metrics.value('rejected_requests_total', 'busy', 'crowd', 'time-out')).toBe(2);
});

it.each([
  ['a fourth of its timeout', { limit: 60_000 }, 15_000],
  ['the rest of that fourth if it has an age', { limit: 60_000, age: 10_000 }, 5_000],
  ['a minute at most', { limit: 480_000 }, 60_000],
  ['no time if that fourth is over', { limit: 60_000, age: 20_000 }, 1],
])('a request waits for %s', async (_, ask, milliseconds) => {
  const world = crowded(1);
  atOnce(world.begin(jane));
  let refused = false;
  void waits(world.begin(john, ask)).then(() => (refused = true));
  world.clock.advance(milliseconds - 1);
  await Promise.resolve();
  expect(refused).toBe(false);
  world.clock.advance(1);
  await expect.poll(() => refused).toBe(true);
});

it('a client that disconnects while it is queued makes room for others', async () => {
  const world = crowded(1, { queues: 1, handSize: 1, queueLengthLimit: 1 });
  const first = atOnce(world.begin(jane));
  const gone = new AbortController();
  const waiting = waits(world.begin(jane, { signal: gone.signal }));
  expect(atOnce(world.begin(john)).retryAfter).toBe(1);
  gone.abort();
  expect((await waiting).retryAfter).toBeDefined();
  expect(world.metrics.value('rejected_requests_total', 'busy', 'crowd', 'cancelled')).toBe(1);
  const next = waits(world.begin(john));
  first.release();
  expect((await next).retryAfter).toBeUndefined();
  expect(world.clock.pendingTimers).toBe(1); // These are only the limits.
});

it('a client that has disconnected before is not queued', async () => {
  const world = crowded(1);
  atOnce(world.begin(jane));
  expect((await waits(world.begin(jane, { signal: AbortSignal.abort() }))).retryAfter).toBeDefined();
});

it('additional seats let queued requests run, without another request', async () => {
  const world = crowded(2);
  world.levels.set([...world.levels.all, levelOf('other', { nominalConcurrencyShares: LARGE })]);
  atOnce(world.begin(jane));
  const waiting = waits(world.begin(jane));
  world.levels.set([levelOf('busy', { nominalConcurrencyShares: LARGE })]);
  expect((await waiting).retryAfter).toBeUndefined();
});

it('a level whose object is deleted executes its queued requests and is removed then', async () => {
  const world = crowded(1);
  const first = atOnce(world.begin(jane));
  const waiting = waits(world.begin(jane));
  world.levels.set([]);
  world.schemas.set([]);
  await turn();
  // New requests are assigned to another level.
  expect(atOnce(world.begin(memberOf('jane', 'crowd', 'system:authenticated'))).flowSchemaUid).toBe('');
  const isQuiescing = () => /busy,\s+0,|busy,\s+1,/.test(world.control.dump('dump_priority_levels', noQuery) ?? '');
  expect(isQuiescing()).toBe(true);
  first.release();
  const last = await waiting;
  expect(last.retryAfter).toBeUndefined();
  last.release();
  expect(isQuiescing()).toBe(false);
});

it('a level may change between queues and refusals while requests are queued', async () => {
  const world = crowded(1);
  const first = atOnce(world.begin(jane));
  const waiting = waits(world.begin(jane));
  world.levels.set([levelOf('busy', { nominalConcurrencyShares: LARGE, queues: 0 })]);
  await turn();
  expect(atOnce(world.begin(john)).retryAfter).toBe(1);
  first.release();
  const second = await waiting;
  expect(second.retryAfter).toBeUndefined();
  world.levels.set([levelOf('busy', { nominalConcurrencyShares: LARGE, queues: 2, handSize: 2 })]);
  await turn();
  const third = waits(world.begin(john));
  second.release();
  expect((await third).retryAfter).toBeUndefined();
});

it('a flow schema without a priority level is ignored', async () => {
  const world = crowded(5);
  world.schemas.set([
    schemaOf('nowhere', 'missing', 'crowd', { matchingPrecedence: 1 }),
    schemaOf('crowd', 'busy', 'crowd'),
  ]);
  expect(atOnce(world.begin(jane)).flowSchemaUid).toBe('uid-of-crowd');
});

it('levels lend unused seats, and get them back', async () => {
  const world = flowWorld({ seats: 100 });
  const half = { nominalConcurrencyShares: LARGE, lendablePercent: 80 };
  world.levels.set([levelOf('busy', half), levelOf('idle', half)]);
  world.schemas.set([schemaOf('crowd', 'busy', 'crowd'), schemaOf('others', 'idle', 'others')]);
  const limit = (level: string) => world.metrics.value('current_limit_seats', level) ?? 0;
  const open = Array.from({ length: 150 }, () => world.begin(jane));
  expect(world.metrics.value('nominal_limit_seats', 'busy')).toBe(50);
  expect(world.metrics.value('lower_limit_seats', 'busy')).toBe(10);
  expect(world.metrics.value('upper_limit_seats', 'busy')).toBe(150);
  world.clock.advance(10_000);
  expect(limit('busy')).toBeGreaterThan(85);
  expect(limit('idle')).toBeGreaterThanOrEqual(10);
  // The lender needs the seats itself: it gets them back within a period.
  Array.from({ length: 150 }, () => world.begin(memberOf('owner', 'others')));
  world.clock.advance(10_000);
  expect(limit('idle')).toBeGreaterThanOrEqual(49);
  for (const each of open) if (!(each instanceof Promise)) each.release();
});

it('an idle server sets no timers, and measures time correctly afterwards', async () => {
  const world = crowded(100);
  atOnce(world.begin(jane)).release();
  expect(world.clock.pendingTimers).toBe(1);
  world.clock.advance(20_000);
  expect(world.clock.pendingTimers).toBe(0);
  world.clock.advance(365 * 24 * 3_600_000);
  atOnce(world.begin(jane)).release();
  expect(world.metrics.value('demand_seats_smoothed', 'busy')).toBeLessThan(0.01);
});

it('lists count by the objects that they read, writes by their watchers, and a request wider than its level runs alone', async () => {
  const world = crowded(100);
  world.stored.objects = 450;
  const seats = () => world.metrics.value('current_executing_seats', 'busy', 'crowd');
  const weigh = (ask: Parameters<typeof world.begin>[1]) => {
    const decision = atOnce(world.begin(jane, ask));
    const weight = seats();
    decision.release();
    return weight;
  };
  const list = { verb: 'list', name: '' };
  expect(weigh({})).toBe(1);
  expect(weigh(list)).toBe(5);
  expect(weigh({ ...list, query: 'limit=100' })).toBe(2);
  expect(weigh({ ...list, query: 'limit=100&labelSelector=a' })).toBe(6);
  expect(weigh({ ...list, query: 'limit=100&resourceVersion=0' })).toBe(5);
  expect(weigh({ ...list, query: 'limit=x' })).toBe(10);
  expect(weigh({ verb: 'list' })).toBe(1); // one name
  expect(weigh({ verb: 'watch', name: '' })).toBe(1);
  expect(weigh({ verb: 'watch', name: '', query: 'sendInitialEvents=true' })).toBe(5);
  world.stored.objects = 1_000_000;
  expect(weigh(list)).toBe(10);
  world.levels.set([levelOf('busy', { nominalConcurrencyShares: LARGE, handSize: 16, queues: 16 })]);
  await turn();
  expect(weigh(list)).toBe(6); // The level has 100 seats, and no flow may block more than this.
});

it('after a write its seats stay in use until the watchers have been sent the event', () => {
  const world = crowded(100);
  const watch = { ...jane, verb: 'watch' };
  const info = { ...watch, resourceRequest: true, path: '', group: '', version: 'v1', subresource: '', name: '' };
  const forget = Array.from({ length: 41 }, () =>
    world.control.countWatch({ ...info, namespace: 'default', resource: 'configmaps' }, noQuery),
  );
  const seats = () => world.metrics.value('current_executing_seats', 'busy', 'crowd');
  atOnce(world.begin(jane, { verb: 'update' })).release();
  expect(seats()).toBe(5);
  world.clock.advance(5);
  expect(seats()).toBe(0);
  atOnce(world.begin(jane, { verb: 'update', namespace: 'elsewhere' })).release();
  expect(seats()).toBe(0);
  atOnce(world.begin(jane, { verb: 'create', resource: 'serviceaccounts', subresource: 'token' })).release();
  for (const each of forget) each();
  atOnce(world.begin(jane, { verb: 'update' })).release();
  expect(seats()).toBe(0);
});

const noQuery = { first: () => undefined, all: () => [], has: () => false };
