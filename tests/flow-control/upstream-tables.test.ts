import { describe, expect, it } from 'vitest';
import { allocate } from '../../src/flow-control/allocation.js';
import { estimateWork } from '../../src/flow-control/work-estimate.js';
import { parseQuery } from '../../src/meta/query.js';
import { aGet, atOnce, flowWorld, levelOf, memberOf, schemaOf } from './world.js';

const MOST = 10;

/** Seats during execution, seats afterwards, and for how many milliseconds these stay in use. */
function estimate(verb: string, query: string, { stored, watches = 0, name = '', most = 0 }: Facts = {}) {
  const info = { ...aGet, verb, name, group: 'foo.bar', resource: 'events' };
  const facts = { objectCount: () => stored, watchCount: () => watches };
  const { initialSeats, finalSeats, additionalLatency } = estimateWork(info, parseQuery(query), most, facts);
  return [initialSeats, finalSeats, additionalLatency];
}
interface Facts {
  readonly stored?: number;
  readonly watches?: number;
  readonly name?: string;
  readonly most?: number;
}

describe('the width of a list', () => {
  it.each<[query: string, stored: number | undefined, seats: number]>([
    ['limit=invalid', 799, MOST],
    ['limit=399&resourceVersion=1', 699, 8],
    ['resourceVersion=1', 699, 7],
    ['limit=399', 699, 8],
    ['continue=token&limit=399', 699, 8],
    ['limit=299&resourceVersion=0', 399, 4],
    ['resourceVersion=0', 799, 8],
    ['resourceVersion=foo&resourceVersionMatch=Exact&limit=399', 699, 8],
    ['resourceVersion=foo&resourceVersionMatch=NotOlderThan', 799, 8],
    ['resourceVersion=foo', 1999, MOST],
    ['', undefined, 1],
    ['resourceVersion=0&limit=799', undefined, 1],
    ['limit=499', undefined, 1],
  ])('?%s of %s objects', (query, stored, seats) => {
    expect(estimate('list', query, stored === undefined ? {} : { stored })).toEqual([seats, 0, 0]);
  });

  it.each(['fieldSelector=metadata.name%3Dtest', 'fieldSelector=metadata.name%3Dtest&limit=500&resourceVersion=0'])(
    '?%s is that of a get',
    (query) => expect(estimate('list', query, { stored: 799, name: 'test' })).toEqual([1, 0, 0]),
  );

  it('is at most what its level allows a single request', () => {
    expect(estimate('list', '', { stored: 1999, most: 3 })).toEqual([3, 0, 0]);
    expect(estimate('list', 'limit=invalid', { stored: 1, most: 3 })).toEqual([3, 0, 0]);
    expect(estimate('list', '', { stored: 1999, most: 30 })).toEqual([MOST, 0, 0]);
  });
});

describe('the width of a write', () => {
  it.each<[watches: number, seats: number, milliseconds: number]>([
    [0, 0, 0],
    [5, 0, 0],
    [29, 3, 5],
    [199, 10, 10],
  ])('that %i watches receive', (watches, seats, milliseconds) => {
    for (const verb of ['create', 'update', 'patch', 'delete'])
      expect(estimate(verb, '', { watches }), verb).toEqual([1, seats, milliseconds]);
    expect(estimate('get', '', { watches })).toEqual([1, 0, 0]);
  });

  it('beyond its level becomes a longer duration instead', () => {
    expect(estimate('update', '', { watches: 199, most: 5 })).toEqual([1, 5, 20]);
  });
});

it.each<[seats: number, handSize: number, most: number]>([
  [5, 6, 1],
  [10, 6, 1],
  [15, 6, 2],
  [20, 6, 3],
  [35, 6, 5],
  [100, 6, 10],
  [10, 1, 2],
  [100, 20, 5],
])('at %i seats with hands of %i queues, one request takes at most %i', (seats, handSize, most) => {
  const world = flowWorld({ seats, objects: 1_000_000 });
  world.levels.set([levelOf('busy', { nominalConcurrencyShares: 100_000_000, handSize, queues: 32 })]);
  world.schemas.set([schemaOf('crowd', 'busy', 'crowd')]);
  atOnce(world.begin(memberOf('jane', 'crowd'), { verb: 'list', name: '' }));
  expect(world.metrics.value('current_executing_seats', 'busy', 'crowd')).toBe(most);
});

describe('a division among levels', () => {
  const random = mulberry(1_234_567_890);
  const upTo = (most: number) => Math.floor(random() * most);

  it('is possible if the bounds allow it, has the right sum, and is otherwise the same fraction of each target', () => {
    for (let i = 0; i < 10_000; i++) {
      const style = upTo(20);
      const length = [1, 2, 3, 4, 6, 9][upTo(6)] ?? 1;
      const parts = partition(length);
      let sum = style === 0 ? upTo(length * 3) : upTo(length * 3) + 1;
      const claims = parts.map((part) => {
        if (style === 1) {
          const lower = part * sum * Math.max(0, 1.25 * random() - 1);
          return { lower, target: lower + random(), upper: part * sum };
        }
        const lower = style === 0 ? part * sum : Math.max(0, random() * 5 - 1);
        return { lower, target: lower + 2 * random(), upper: lower + 3 * random() };
      });
      while (random() < 0.25) claims.splice(upTo(length), 0, { lower: 0, target: 0, upper: random() + 0.00001 });
      const [least, most] = [total(claims.map(({ lower }) => lower)), total(claims.map(({ upper }) => upper))];
      if (style > 1) sum = Math.round(least + (most - least) * random());
      const found = allocate(sum, claims);
      const told = JSON.stringify({ sum, claims, found });
      // The tolerance is the precision of the fractions.
      if (least - sum > 1e-6 || sum - most > 1e-6) expect(found, told).toBeUndefined();
      else {
        if (!found) throw new Error(told);
        expect(Math.abs(total(found.shares) - sum), told).toBeLessThan(1e-6);
        for (const [at, { lower, target, upper }] of claims.entries()) {
          const fair = found.fairFraction * Math.max(target, 0.001);
          const wanted = sum === 0 ? 0 : Math.max(lower, Math.min(upper, fair));
          expect(Math.abs((found.shares[at] ?? Number.NaN) - wanted), told).toBeLessThan(1e-6);
        }
      }
    }
  });

  it('of nothing is possible if every minimum is zero', () => {
    expect(allocate(0, [{ lower: 0, target: 1, upper: 2 }])).toEqual({ shares: [0], fairFraction: 0 });
    expect(allocate(0, [{ lower: 1, target: 1, upper: 2 }])).toBeUndefined();
    expect(allocate(0, [])).toEqual({ shares: [], fairFraction: 0 });
  });

  function partition(length: number): number[] {
    const cuts = Array.from({ length: length - 1 }, () => random()).sort((a, b) => a - b);
    return [...cuts, 1].map((cut, at) => cut - (cuts[at - 1] ?? 0));
  }
});

const total = (numbers: readonly number[]) => numbers.reduce((before, each) => before + each, 0);

/** Returns numbers from 0 to 1 that are the same in each run. */
function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
