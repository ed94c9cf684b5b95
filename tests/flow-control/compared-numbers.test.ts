import { expect, it } from 'vitest';
import { parseQuery } from '../../src/meta/query.js';
import { type Distribution, type LabelValues, type Metrics, noMetrics } from '../../src/metrics/metrics.js';
import { Traffic } from '../../src/requests/measures/traffic.js';
import { flowWorld, levelOf, memberOf, schemaOf } from './world.js';

const NANOSECONDS = 1e9;

/** What is counted is a fraction of a limit: what that is, by how much a second with one of it counts. */
const limitBehind = (series: unknown, ...labels: string[]) => {
  const all = series as Iterable<readonly [LabelValues, Distribution]>;
  const found = [...all].find(([values]) => values.join() === labels.join())?.[1];
  return Math.round(NANOSECONDS / (found?.sum ?? 0));
};

it('requests are compared with the room of all levels together', () => {
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
  // That which takes the rest has a fourth of the shares; each part is rounded up.
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

it('what a level does is compared with the seats it has for now; without any with a tenth of all', async () => {
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
