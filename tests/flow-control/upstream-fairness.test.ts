import { describe, expect, it } from 'vitest';
import type { FlowDecision } from '../../src/flow-control/flow-control.js';
import { type FlowCall, FlowCounts, type FlowRequest } from '../../src/flow-control/flow-request.js';
import { QueueSet } from '../../src/flow-control/queue-set.js';
import { deal } from '../../src/flow-control/shuffle-sharding.js';
import { createFakeClock } from '../../src/testing/fake-clock.js';
import { createFakeHost } from '../../src/testing/fake-host.js';
import { aGet, flowWorld, levelOf, memberOf, schemaOf } from './world.js';

const SECOND = 1000;
/** The time minus a nanosecond. */
const NEARLY = SECOND - 1e-6;

/** Threads of one flow: each sends a request, which takes `exec`, waits, and repeats this. Times are milliseconds. */
interface Flow {
  readonly hash: bigint;
  readonly threads: number;
  readonly calls: number;
  readonly exec: number;
  readonly think: number;
  readonly width?: number;
  /** The number of seats that stay in use after a response, and for how long. */
  readonly pad?: readonly [seats: number, milliseconds: number];
  /** Half of the threads start after half of the time. */
  readonly split?: true;
}
interface Scenario {
  readonly queues: number;
  readonly length: number;
  readonly hand: number;
  readonly seats: number;
  readonly flows: readonly Flow[];
  readonly duration: number;
}

/** Returns the average number of seats in use by each flow. */
const play = (scenario: Scenario): readonly number[] => playParts(scenario, 1)[0] ?? [];

/** Returns the same for equal parts of the time. */
function playParts(
  { queues, length, hand, seats, flows, duration }: Scenario,
  parts: number,
): readonly (readonly number[])[] {
  const clock = createFakeClock();
  const { metrics } = createFakeHost();
  const set = new QueueSet(clock);
  set.configure({ type: 'Queue', queues, handSize: hand, queueLengthLimit: length }, seats);
  const part = duration / parts;
  const used = Array.from({ length: parts }, () => flows.map(() => 0));
  const call = { info: aGet, user: { username: 'x' } } as unknown as FlowCall; // nothing of it is looked at
  const all = flows.map(
    ({ hash, threads, calls, exec, think, split, width = 1, pad: [finalSeats, additionalLatency] = [0, 0] }, at) => {
      const cards = deal(hash, queues, hand);
      const counts = new FlowCounts('level', String(at), metrics);
      const sendNext = (left: number): void => {
        if (left === 0) return;
        const estimate = { initialSeats: width, finalSeats, additionalLatency };
        const request = set.begin(call, counts, '', cards, estimate);
        if (typeof request === 'string') throw new Error(`flow ${at}: ${request}`);
        if (request.startedAt !== undefined) serve(request, left);
        else request.onDecision = () => serve(request, left);
      };
      const serve = (request: FlowRequest, left: number): void => {
        const from = clock.monotonic();
        for (const [i, shares] of used.entries()) {
          const time = Math.min((i + 1) * part, from + exec) - Math.max(i * part, from);
          shares[at] = (shares[at] ?? 0) + width * Math.max(0, time);
        }
        // A negative time sends the next request a moment before this one ends.
        if (think < 0) clock.setTimer(() => sendNext(left - 1), exec + think);
        clock.setTimer(() => {
          set.finish(request);
          if (think === 0) sendNext(left - 1);
          else if (think > 0) clock.setTimer(() => sendNext(left - 1), think);
        }, exec);
      };
      const begin = (thread: number) => {
        if (split && thread >= threads / 2) clock.setTimer(() => sendNext(calls), duration / 2);
        else sendNext(calls);
      };
      return { threads, begin };
    },
  );
  // The flows start their threads in turns.
  for (let thread = 0; thread < Math.max(...flows.map(({ threads }) => threads)); thread++)
    for (const { threads, begin } of all) if (thread < threads) begin(thread);
  clock.advance(duration);
  return used.map((shares) => shares.map((each) => each / part));
}

/** Returns the fair share of each demand: no share exceeds its demand, and all others have the same number of seats. */
function fairShares(demands: readonly number[], seats: number): readonly number[] {
  const shares = demands.map(() => 0);
  let [left, wanting] = [seats, demands.length];
  for (const [at, demand] of [...demands.entries()].sort(([, a], [, b]) => a - b)) {
    const share = Math.min(demand, left / wanting--);
    shares[at] = share;
    left -= share;
  }
  return shares;
}

function expectFair(scenario: Scenario, margin: number, expected?: readonly number[]): void {
  const demands = scenario.flows.map(
    ({ threads, width = 1, exec, think }) => (threads * width * exec) / (exec + think),
  );
  const wanted = expected ?? fairShares(demands, scenario.seats);
  for (const [at, got] of play(scenario).entries())
    expect(
      Math.abs(got - (wanted[at] ?? 0)) / (wanted[at] ?? 0),
      `flow ${at} got ${got} of ${wanted[at]}`,
    ).toBeLessThanOrEqual(margin + 1e-9);
}

const ONE = 1_001_001_001n;
const TWO = 2_002_002_002n;

describe('seats are shared fairly', () => {
  it('by one flow with itself', () => {
    const flows = [{ hash: ONE, threads: 5, calls: 50, exec: SECOND, think: 0 }];
    expectFair({ queues: 9, length: 8, hand: 3, seats: 1, flows, duration: 40 * SECOND }, 0);
  });

  it.each<[think: number, pad: number, finalSeats: number, seats: number, flows: number, expected?: readonly number[]]>(
    [
      [1, 0, 1, 1, 1],
      [1, 0, 1, 2, 1],
      [1, 0, 2, 2, 1],
      [1, 0, 1, 1, 2],
      [1, 0, 1, 2, 2],
      [1, 0, 2, 2, 2],
      [0, 1, 1, 1, 1, [0.5]],
      [0, 1, 1, 2, 1],
      [0, 1, 2, 2, 1, [0.5]],
      [0, 1, 1, 1, 2, [0.25, 0.25]],
      [0, 1, 1, 2, 2, [0.5, 0.5]],
      [0, 1, 2, 2, 2, [0.25, 0.25]],
      [1, 0.5, 1, 1, 1],
      [1, 0.5, 1, 2, 1],
      [1, 0.5, 2, 2, 1],
      [1, 0.5, 1, 1, 2, [1 / 3, 1 / 3]],
      [1, 0.5, 1, 2, 2],
      [1, 0.5, 2, 2, 2, [1 / 3, 1 / 3]],
      [0.5, 1, 1, 1, 1, [0.5]],
      [0.5, 1, 1, 2, 1],
      [0.5, 1, 2, 2, 1, [0.5]],
      [0.5, 1, 1, 1, 2, [0.25, 0.25]],
      [0.5, 1, 1, 2, 2, [0.5, 0.5]],
      [0.5, 1, 2, 2, 2, [0.25, 0.25]],
    ],
  )(
    'thinking %ss, %ss after each answer with %i seats, of %i seats by %i',
    (think, pad, finalSeats, seats, count, expected) => {
      const flows = [ONE, TWO].slice(0, count).map((hash): Flow => {
        return { hash, threads: 1, calls: 25, exec: SECOND, think: think * SECOND, pad: [finalSeats, pad * SECOND] };
      });
      expectFair({ queues: 9, length: 8, hand: 3, seats, flows, duration: 24 * SECOND }, 0, expected);
    },
  );

  it('by flows that are alike, from one queue each or from hands', () => {
    const alike = (hashes: readonly bigint[], calls: number) =>
      hashes.map((hash): Flow => ({ hash, threads: 8, calls, exec: SECOND, think: NEARLY }));
    expectFair({ queues: 9, length: 8, hand: 1, seats: 4, flows: alike([ONE, TWO], 20), duration: 50 * SECOND }, 0.01);
    const hands = alike([400_900_100_100n, 300_900_200_200n], 30);
    expectFair({ queues: 8, length: 16, hand: 3, seats: 4, flows: hands, duration: 60 * SECOND }, 0.03);
  });

  it('by flows that each want more than their share, whatever their pattern of requests', () => {
    const flows = [
      { hash: ONE, threads: 8, calls: 20, exec: SECOND, think: SECOND },
      { hash: TWO, threads: 7, calls: 30, exec: SECOND, think: SECOND / 2 },
    ];
    expectFair({ queues: 9, length: 8, hand: 1, seats: 4, flows, duration: 40 * SECOND }, 0.01);
    // These requests take months and five hundred seats.
    const quarter = 91 * 24 * 3600 * SECOND;
    const long = flows.map((flow) => ({ ...flow, width: 500, exec: quarter, think: (flow.think / SECOND) * quarter }));
    expectFair({ queues: 9, length: 8, hand: 1, seats: 2000, flows: long, duration: 40 * quarter }, 0.01);
  });

  it('with the unused share of one flow going to the other', () => {
    const flows = [
      { hash: ONE, threads: 4, calls: 20, exec: SECOND, think: NEARLY },
      { hash: TWO, threads: 2, calls: 20, exec: SECOND, think: NEARLY },
    ];
    expectFair({ queues: 9, length: 6, hand: 1, seats: 3, flows, duration: 20 * SECOND }, 0.01);
  });

  it('except that a flow that used less than its share is compensated by the one that used more', () => {
    const flow = { threads: 2, calls: 40, exec: SECOND, think: NEARLY - SECOND };
    const flows: readonly Flow[] = [
      { ...flow, hash: ONE },
      { ...flow, hash: TWO, split: true },
    ];
    const halves = playParts({ queues: 9, length: 6, hand: 1, seats: 3, flows, duration: 40 * SECOND }, 2);
    const unfairness = (part: number, expected: readonly number[]) =>
      Math.max(...expected.map((fair, at) => Math.abs((halves[part]?.[at] ?? 0) - fair) / fair));
    expect(unfairness(0, [2, 1])).toBeLessThanOrEqual(0.01);
    expect(unfairness(1, [1.5, 1.5])).toBeGreaterThan(0.1);
    expect(unfairness(1, [1.5, 1.5])).toBeLessThanOrEqual(0.26);
  });

  it('by wide and narrow requests, as far as their widths allow', () => {
    const flow = (hash: bigint, threads: number, calls: number, width: number): Flow => {
      return { hash, threads, calls, exec: SECOND, think: NEARLY, width };
    };
    const two = [flow(10_010_010_010_010n, 13, 10, 1), flow(20_020_020_020_020n, 7, 10, 2)];
    expectFair({ queues: 64, length: 13, hand: 7, seats: 6, flows: two, duration: 20 * SECOND }, 0.155);
    const hashes = [40_040_040_040_040n, 50_050_050_050_050n, 60_060_060_060_060n, 70_070_070_070_070n];
    const five = [...hashes.map((hash) => flow(hash, 15, 21, 2)), flow(90_090_090_090_090n, 15, 21, 7)];
    expectFair({ queues: 64, length: 35, hand: 7, seats: 6, flows: five, duration: 225 * SECOND }, 0.33);
  });
});

it.each([
  [
    'what other levels lend',
    [
      { lendable: 50, borrowing: 67 },
      { lendable: 33, borrowing: 50 },
    ],
  ],
  [
    'its own borrowing limit',
    [
      { lendable: 50, borrowing: 33 },
      { lendable: 67, borrowing: 50 },
    ],
  ],
])('a level borrows up to %s', async (_, constraints) => {
  const world = flowWorld({ seats: 24 });
  const names = ['zero', 'one'];
  world.levels.set(
    names.map((name, at) =>
      levelOf(name, {
        nominalConcurrencyShares: 100,
        lendablePercent: constraints[at]?.lendable ?? 0,
        borrowingLimitPercent: constraints[at]?.borrowing ?? 0,
        queues: 10,
        handSize: 2,
        queueLengthLimit: 10,
      }),
    ),
  );
  world.schemas.set(names.map((name) => schemaOf(name, name, name)));
  const served = [0, 0];
  let counts = false;
  const send = (flow: number) => {
    const run = (decision: FlowDecision) => {
      if (decision.retryAfter !== undefined) throw new Error('refused');
      world.clock.setTimer(() => {
        if (counts) served[flow] = (served[flow] ?? 0) + 0.25;
        decision.release();
        send(flow);
      }, 250);
    };
    const decision = world.begin(memberOf(`user${flow}`, names[flow] ?? ''));
    if (decision instanceof Promise) void decision.then(run);
    else run(decision);
  };
  for (const [flow, clients] of [24, 6].entries()) for (let i = 0; i < clients; i++) send(flow);
  for (let i = 0; i < 2500; i++) {
    if (i === 1000) counts = true;
    world.clock.advance(10);
    await undefined;
    await undefined;
  }
  const [zero = 0, one = 0] = served.map((seconds) => seconds / 15);
  expect(zero).toBeGreaterThan(15);
  expect(zero).toBeLessThan(16.2);
  expect(one).toBeGreaterThan(5.5);
  expect(one).toBeLessThan(6.2);
});

it('a request that would finish first is waited for, even if another one would fit', () => {
  const { metrics } = createFakeHost();
  const set = new QueueSet(createFakeClock());
  set.configure({ type: 'Queue', queues: 3, handSize: 1, queueLengthLimit: 5 }, 50);
  const counts = new FlowCounts('level', 'flow', metrics);
  const call = { info: aGet, user: { username: 'x' } } as unknown as FlowCall; // nothing of it is looked at
  const begin = (queue: number, initialSeats: number) => {
    const request = set.begin(call, counts, '', [queue], { initialSeats, finalSeats: 0, additionalLatency: 0 });
    if (typeof request === 'string') throw new Error(request);
    return request;
  };
  const [wide, narrow] = [begin(0, 25), begin(2, 1)];
  const first = begin(1, 25);
  const second = begin(0, 10);
  const started = () => [first, second].map(({ startedAt }) => startedAt !== undefined);
  expect([set.seatsInUse, started()]).toEqual([26, [false, false]]);
  set.configure({ type: 'Queue', queues: 3, handSize: 1, queueLengthLimit: 5 }, 50);
  expect(started()).toEqual([false, false]);
  set.finish(narrow);
  expect([set.seatsInUse, started()]).toEqual([50, [true, false]]);
  set.finish(wide);
  expect([set.seatsInUse, started()]).toEqual([35, [true, true]]);
});

it('requests of two queues that would end at the same time are started in turns, however long another request took', () => {
  const { metrics } = createFakeHost();
  const call = { info: aGet, user: { username: 'x' } } as unknown as FlowCall; // nothing of it is looked at
  const estimate = { initialSeats: 1, finalSeats: 0, additionalLatency: 0 };
  for (let milliseconds = 1; milliseconds <= 100; milliseconds++) {
    const clock = createFakeClock();
    const set = new QueueSet(clock);
    set.configure({ type: 'Queue', queues: 2, handSize: 1, queueLengthLimit: 5 }, 1);
    const counts = new FlowCounts('level', 'flow', metrics);
    const begin = (queue: number) => {
      const request = set.begin(call, counts, '', [queue], estimate);
      if (typeof request === 'string') throw new Error(request);
      return request;
    };
    const [first, second] = [begin(0), begin(0)];
    clock.advance(milliseconds);
    const other = begin(1);
    set.finish(first);
    const started = [second, other].map(({ startedAt }) => startedAt !== undefined);
    expect(started, `${milliseconds} ms`).toEqual([false, true]);
  }
});
