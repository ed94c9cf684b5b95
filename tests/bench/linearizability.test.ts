import { describe, expect, it } from 'vitest';
import { checkHistory } from '../../bench/support/linearizability/check-history.mjs';
import { checkKey } from '../../bench/support/linearizability/check-key.mjs';

type Version = readonly [revision: number, value?: string];
const versions = (...all: readonly Version[]) => all.map(([revision, value]) => ({ revision, value }));
const operation = (kind: string, start: number, end: number, outcome: string, more: object = {}) => ({
  kind,
  start,
  end,
  outcome,
  ...more,
});
const write = (kind: string, start: number, end: number, value: string, revision: number, more: object = {}) =>
  operation(kind, start, end, 'ok', { value, revision, ...more });
const get = (start: number, end: number, value: string, revision: number) =>
  operation('get', start, end, 'ok', { value, revision });

describe('a key', () => {
  const order = versions([2, 'a'], [3, 'b'], [5], [7, 'c']);
  const writes = [
    write('create', 0, 1, 'a', 2),
    write('put', 2, 3, 'b', 3, { expected: 2 }),
    operation('delete', 4, 5, 'ok'),
    write('create', 6, 7, 'c', 7),
  ];
  it('is linearizable if each response fits a moment within its request', () => {
    const reads = [
      operation('get', 0, 0.5, 'missing'),
      get(0.2, 1.5, 'a', 2),
      // The read overlaps the write, so either version is correct.
      get(1.5, 2.5, 'a', 2),
      get(2.1, 3.5, 'b', 3),
      operation('get', 4, 6.5, 'missing'),
      operation('create', 3.5, 4.5, 'exists', { value: 'x' }),
      operation('put', 3.5, 4.4, 'conflict', { value: 'y', expected: 2 }),
      operation('delete', 5.5, 5.6, 'missing'),
      operation('patch', 5.5, 5.6, 'missing', { value: 'z' }),
    ];
    expect(checkKey(order, [...writes, ...reads])).toEqual([]);
  });
  it('may have writes without a response, whether they took effect or not', () => {
    const unknown = [
      operation('put', 0, 9, 'unknown', { value: 'b', expected: 2 }),
      operation('put', 0, 9, 'unknown', { value: 'never' }),
      operation('delete', 4, 5, 'unknown'),
      operation('delete', 4, 5, 'unknown'),
      operation('get', 4, 5, 'unknown'),
    ];
    expect(checkKey(order, [writes[0], writes[3], ...unknown])).toEqual([]);
  });
  it('tries deletions by their preconditions and times', () => {
    const twice = versions([2, 'a'], [3], [4, 'b'], [5]);
    const all = [
      write('create', 0, 1, 'a', 2),
      operation('delete', 0, 20, 'ok'),
      operation('delete', 0, 30, 'ok', { expected: 2 }),
      write('create', 0, 10, 'b', 4),
    ];
    expect(checkKey(twice, all)).toEqual([]);
    expect(checkKey(twice, [...all, operation('delete', 0, 40, 'ok')])).toEqual([
      expect.stringMatching(/^no place: delete/),
    ]);
  });
  it('backtracks if the deletion without a precondition is needed later', () => {
    const all = [
      write('create', 0, 1, 'a', 2),
      operation('delete', 2, 20, 'ok'),
      operation('delete', 2, 3, 'unknown', { expected: 2 }),
      write('create', 4, 5, 'b', 4),
    ];
    expect(checkKey(versions([2, 'a'], [3], [4, 'b'], [5]), all)).toEqual([]);
    expect(checkKey(versions([2, 'a'], [3], [4, 'b']), all)).toEqual([]);
  });
  it.each([
    ['a stale read', [get(3.5, 4, 'a', 2)], /^stale: get a/],
    ['a read of a value that is written later', [get(0.1, 1.5, 'b', 3)], /^stale: get b .* before put b/],
    ['a read that misses an object', [operation('get', 3.5, 3.9, 'missing')], /^stale: get -> missing/],
    ['a read of a deleted object', [get(5.5, 5.9, 'b', 3)], /^(?:stale|no place): get b/],
    [
      'a refused creation although the object does not exist',
      [operation('create', 5.2, 5.9, 'exists', { value: 'x' })],
      /^stale: create/,
    ],
    [
      'a conflict with the right version',
      [operation('put', 3.2, 3.9, 'conflict', { value: 'x', expected: 3 })],
      /^stale: put/,
    ],
    ['a lost update', [write('put', 3.2, 3.8, 'lost', 4)], /^lost: put lost/],
    [
      'a refused creation that took effect',
      [operation('create', 6, 8, 'exists', { value: 'c' })],
      /^refused and done: create c/,
    ],
    ['a second successful deletion', [operation('delete', 7.5, 8, 'ok')], /^no place: delete/],
    ['a last read of a deleted object', [get(8, 9, 'b', 3)], /^no place: get b/],
  ])('is not linearizable with %s', (_title, more, problem) => {
    expect(checkKey(order, [...writes, ...more])).toEqual([expect.stringMatching(problem)]);
  });
  it.each([
    [
      'two creations without a deletion',
      versions([2, 'a'], [3, 'b']),
      [write('create', 0, 9, 'a', 2), write('create', 0, 9, 'b', 3)],
      /^created twice/,
    ],
    [
      'an update of a version that was replaced',
      versions([2, 'a'], [3, 'b'], [4, 'c']),
      [
        write('create', 0, 1, 'a', 2),
        write('put', 2, 3, 'b', 3, { expected: 2 }),
        write('put', 2, 3, 'c', 4, { expected: 2 }),
      ],
      /^lost update: put c/,
    ],
    [
      'an update that restores a deleted object',
      versions([2, 'a'], [3], [4, 'b']),
      [write('create', 0, 1, 'a', 2), operation('delete', 2, 9, 'ok'), write('put', 2, 9, 'b', 4)],
      /^came back: put b/,
    ],
    ['a version without a write', versions([2, 'a']), [], /^not written/],
    ['a removal without a deletion', versions([2, 'a'], [3]), [write('create', 0, 1, 'a', 2)], /^not written/],
    ['a write that took effect twice', versions([2, 'a'], [3], [4, 'a']), [write('create', 0, 1, 'a', 2)], /^twice/],
    ['a version that differs from the response', versions([2, 'a']), [write('create', 0, 1, 'a', 3)], /^wrong version/],
    [
      'writes in an order that contradicts their times',
      versions([2, 'a'], [3, 'c'], [4, 'b']),
      [write('create', 0, 1, 'a', 2), write('put', 2, 3, 'b', 4), write('put', 4, 5, 'c', 3)],
      /^stale: put b/,
    ],
  ])('is not linearizable with %s', (_title, order, all, problem) => {
    expect(checkKey(order, all)).toEqual([expect.stringMatching(problem)]);
  });
});

describe('a history', () => {
  const stored = [
    { key: 'x', revision: 2, value: 'a' },
    { key: 'y', revision: 3, value: 'b' },
    { key: 'x', revision: 4, value: 'c' },
    { key: 'y', revision: 5 },
  ];
  const operations = [
    { key: 'x', ...write('create', 0, 1, 'a', 2) },
    { key: 'y', ...write('create', 2, 3, 'b', 3) },
    { key: 'x', ...write('patch', 4, 5, 'c', 4) },
    { key: 'y', ...operation('delete', 6, 7, 'ok') },
  ];
  const item = (key: string, revision: number, value: string) => ({ key, revision, value });
  const list = (start: number, end: number, revision: number, fresh: boolean, ...items: readonly object[]) =>
    operation('list', start, end, 'ok', { revision, fresh, items });
  const events = [
    { type: 'ADDED', ...item('x', 2, 'a') },
    { type: 'ADDED', ...item('y', 3, 'b') },
    { type: 'MODIFIED', ...item('x', 4, 'c') },
    { type: 'DELETED', ...item('y', 5, 'b') },
  ];
  const problemsOf = (more: readonly object[], seen: readonly object[] = events, from = 0) =>
    checkHistory({
      versions: stored,
      operations: [...operations, ...more],
      watchers: [{ name: 'one', from, until: 5, events: seen }],
    });

  it('is valid if lists show one moment and watches show every event', () => {
    const lists = [
      list(1, 2, 2, true, item('x', 2, 'a')),
      list(3, 4, 3, true, item('x', 2, 'a'), item('y', 3, 'b')),
      list(8, 9, 3, false, item('x', 2, 'a'), item('y', 3, 'b')),
      list(8, 9, 9, true, item('x', 4, 'c')),
    ];
    expect(problemsOf(lists)).toEqual([]);
    expect(problemsOf([], events.slice(2), 3)).toEqual([]);
  });
  it.each([
    [
      'a list with objects of two moments',
      [list(5, 6, 4, false, item('x', 2, 'a'), item('y', 3, 'b'))],
      /^list: .* has a of 2 for x/,
    ],
    ['a list that lacks an object', [list(5, 6, 4, false, item('x', 4, 'c'))], /^list: .* has absent for y/],
    [
      'a list with a deleted object',
      [list(5, 6, 5, false, item('x', 4, 'c'), item('y', 3, 'b'))],
      /^list: .* has b of 3 for y/,
    ],
    ['a list with an object twice', [list(1, 2, 2, false, item('x', 2, 'a'), item('x', 2, 'a'))], /^list: .* twice/],
    [
      'a list with an object that was never stored',
      [list(1, 2, 2, false, item('x', 2, 'a'), item('z', 1, 'q'))],
      /^list: .* never stored/,
    ],
    [
      'an old list in response to a consistent read',
      [list(8, 9, 3, true, item('x', 2, 'a'), item('y', 3, 'b'))],
      /^x: (?:stale|no place)/,
    ],
    ['a write with a version in the past', [{ key: 'w', ...write('create', 8, 9, 'w', 4) }], /^w: lost/],
  ])('is invalid with %s', (_title, more, problem) => {
    expect(problemsOf(more)[0]).toMatch(problem);
  });
  it('is invalid with versions that decrease from one key to another', () => {
    const problems = checkHistory({
      versions: [
        { key: 'y', revision: 2, value: 'b' },
        { key: 'x', revision: 3, value: 'a' },
      ],
      operations: [
        { key: 'x', ...write('create', 0, 1, 'a', 3) },
        { key: 'y', ...write('create', 2, 3, 'b', 2) },
      ],
      watchers: [],
    });
    expect(problems).toEqual(['backwards: create y has version 2 after 3 was answered']);
  });
  it.each([
    ['a missed event', events.filter((_, index) => index !== 1), /saw MODIFIED x 4 c instead of ADDED y 3 b/],
    ['a missed last event', events.slice(0, 3), /saw nothing instead of DELETED y 5/],
    ['an event twice', [...events.slice(0, 2), ...events.slice(1)], /saw ADDED y 3 b again/],
    ['events in another order', [events[1], events[0], ...events.slice(2)], /saw ADDED y 3 b instead of ADDED x 2 a/],
    ['another value', [{ ...events[0], value: 'q' }, ...events.slice(1)], /saw ADDED x 2 q/],
    ['another type', [...events.slice(0, 2), { ...events[2], type: 'ADDED' }, events[3]], /saw ADDED x 4 c/],
  ])('is invalid with a watcher of %s', (_title, seen, problem) => {
    expect(problemsOf([], seen as object[])).toEqual([expect.stringMatching(problem)]);
  });
});
