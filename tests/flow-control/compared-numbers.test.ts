import { expect, it } from 'vitest';
import type { FlowDecision } from '../../src/flow-control/flow-control.js';
import { parseQuery } from '../../src/meta/query.js';
import { type Distribution, type LabelValues, type Metrics, noMetrics } from '../../src/metrics/metrics.js';
import { Traffic } from '../../src/requests/measures/traffic.js';
import { flowWorld, levelOf, memberOf, schemaOf, waits } from './world.js';

const NANOSECONDS = 1e9;

/** Metrics are fractions of a limit. These are the limit, and the increase per second for one request. */
const limitBehind = (series: unknown, ...labels: string[]) => {
  const all = series as Iterable<readonly [LabelValues, Distribution]>;
  const found = [...all].find(([values]) => values.join() === labels.join())?.[1];
  return Math.round(NANOSECONDS / (found?.sum ?? 0));
};

it('requests are compared with the seats of all levels together', () => {
  const { control, clock, levels } = flowWorld({ seats: 100 });
  const collected = new Map<string, () => unknown>();
  const metrics: Metrics = { ...noMetrics, collect: ({ name }, read) => void collected.set(name, read) };
  const traffic = new Traffic(metrics, clock);
  const rooms: number[][] = [];
  control.followRoom((...room) => {
    rooms.push(room);
    traffic.compareWith(...room);
  });
  levels.set([
    levelOf('a', { nominalConcurrencyShares: 5, queues: 10, handSize: 2, queueLengthLimit: 7 }),
    levelOf('b', { nominalConcurrencyShares: 10, queues: 0 }),
  ]);
  control.dump('dump_queues', parseQuery(''));
  // The catch-all level has a fourth of the shares, and each part is rounded up.
  expect(rooms).toEqual([
    [0, 100],
    [70, 100],
  ]);
  traffic.begin('readOnly', clock.monotonic());
  clock.advance(1000);
  const read = collected.get('apiserver_flowcontrol_read_vs_write_current_requests');
  expect(limitBehind(read?.(), 'executing', 'readOnly')).toBe(100);
  traffic.end('readOnly');
});

it('the use of a level is compared with its current seats; without any, with a tenth of all seats', async () => {
  const world = flowWorld({ seats: 300 });
  world.levels.set([levelOf('busy', { nominalConcurrencyShares: 10, lendablePercent: 50, borrowingLimitPercent: 0 })]);
  world.schemas.set([schemaOf('busy', 'busy', 'busy')]);
  const { metrics, clock } = world;
  const read = (...labels: string[]) =>
    limitBehind(metrics.collected.get('apiserver_flowcontrol_priority_level_seat_utilization')?.(), ...labels);
  const decision = await world.begin(memberOf('ann', 'busy'));
  const current = metrics.value('current_limit_seats', 'busy') ?? 0;
  expect(current).toBeLessThan(metrics.value('nominal_limit_seats', 'busy') ?? 0);
  const master = await world.begin(memberOf('root', 'system:masters'));
  clock.advance(1000);
  expect(read('executing', 'busy')).toBe(current);
  expect(read('executing', 'exempt')).toBe(30);
  for (const each of [decision, master]) each.release();
});

it('the length of a queue includes the request that has just entered it, even one that is executed at once', async () => {
  const world = flowWorld({ seats: 1 });
  const shares = { nominalConcurrencyShares: 100_000, borrowingLimitPercent: 0 };
  world.levels.set([levelOf('busy', { ...shares, queues: 1, handSize: 1 })]);
  world.schemas.set([schemaOf('crowd', 'busy', 'crowd')]);
  const lengths = () =>
    world.metrics.observed.flatMap(([family, , value]) => (family.endsWith('_after_enqueue') ? [value] : []));
  const first = await world.begin(memberOf('jane', 'crowd'));
  const others = [world.begin(memberOf('jane', 'crowd')), world.begin(memberOf('jane', 'crowd'))];
  expect(lengths()).toEqual([1, 1, 2]);
  first.release();
  (await others[0])?.release();
  (await others[1])?.release();
});

it('the progress of a level is that of its last dispatch, not of an attempt for which there were too few seats', async () => {
  const world = flowWorld({ seats: 20, objects: 1_000 });
  const shares = { nominalConcurrencyShares: 100_000, borrowingLimitPercent: 0 };
  world.levels.set([levelOf('busy', { ...shares, queues: 1, handSize: 1 })]);
  world.schemas.set([schemaOf('crowd', 'busy', 'crowd')]);
  const user = memberOf('jane', 'crowd');
  const narrow = await world.begin(user);
  const others: FlowDecision[] = [];
  for (let i = 1; i < 19; i++) others.push(await world.begin(user));
  const latest = () => ['dispatch_r', 'latest_s'].map((family) => world.metrics.value(family, 'busy'));
  const before = latest();
  world.clock.advance(5_000);
  const wide = waits(world.begin(user, { verb: 'list', name: '' }));
  expect(world.metrics.value('request_dispatch_no_accommodation_total', 'busy', 'crowd')).toBe(1);
  expect(latest()).toEqual(before);
  for (const each of [narrow, ...others]) each.release();
  (await wide).release();
  expect(latest()).not.toEqual(before);
});

it('a flow schema has metrics of queues only at a level with queues, and metrics of delays only after one', async () => {
  const world = flowWorld({ seats: 100 });
  world.levels.set([levelOf('queued'), levelOf('rejecting', { queues: 0 })]);
  world.schemas.set([schemaOf('a', 'queued', 'a'), schemaOf('b', 'rejecting', 'b')]);
  const { metrics } = world;
  (await world.begin(memberOf('ann', 'a'))).release();
  (await world.begin(memberOf('bob', 'b'))).release();
  for (const family of ['current_inqueue_requests', 'current_inqueue_seats']) {
    expect(metrics.value(family, 'queued', 'a')).toBe(0);
    expect(metrics.value(family, 'rejecting', 'b')).toBeUndefined();
  }
  expect(metrics.value('request_dispatch_no_accommodation_total', 'queued', 'a')).toBeUndefined();
  expect(metrics.value('current_executing_requests', 'rejecting', 'b')).toBe(0);
});
