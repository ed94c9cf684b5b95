import { describe, expect, it } from 'vitest';
import { compareKeys, prefixEnd, prefixRange } from '../../src/store/entry-tree.js';
import { estimateSize } from '../../src/store/estimate-size.js';
import { deepFreeze } from '../../src/store/freeze.js';
import { MemoryState } from '../../src/store/memory-state.js';
import { Ring } from '../../src/store/ring.js';
import { createFakeClock } from '../../src/testing/fake-clock.js';

/** `{ inner: { inner: ... } }`, deeper than any call stack. */
function nest(depth: number): object {
  let value = {};
  for (let level = 0; level < depth; level++) value = { inner: value };
  return value;
}

describe('keys', () => {
  it.each([
    ['/a/', '/a0'],
    ['a\uffff', 'b'],
    ['\uffff', undefined],
    ['', undefined],
  ])('every key with the prefix %j is before %j', (prefix, end) => {
    expect(prefixEnd(prefix)).toBe(end);
  });
  it.each([
    [undefined, '/b/'],
    ['/a', '/b/'],
    ['/b/1', '/b/1\u0000'],
    ['/c', '/c\u0000'],
  ])('the key after %j is %j', (after, low) => {
    expect(prefixRange('/b/', after)).toEqual({ low, high: '/b0' });
  });
  it('are ordered by code unit, not by locale', () => {
    expect(['é', 'z', 'Z', 'a', 'a'].sort(compareKeys)).toEqual(['Z', 'a', 'a', 'z', 'é']);
  });
});

describe('deepFreeze', () => {
  it('freezes lists, objects and their members, whatever their names', () => {
    const value = deepFreeze(JSON.parse('{"list":[{"a":{}}],"__proto__":{"b":[]},"n":1,"z":null}'));
    expect(Object.isFrozen(value.list[0].a)).toBe(true);
    const hidden = Object.getOwnPropertyDescriptor(value, '__proto__')?.value;
    expect(Object.isFrozen(hidden) && Object.isFrozen(hidden.b)).toBe(true);
    expect(Object.isFrozen(Object.prototype)).toBe(false);
  });
  it('stops at frozen objects', () => {
    const inner = { list: [] };
    deepFreeze({ shared: Object.freeze(inner) });
    expect(Object.isFrozen(inner.list)).toBe(false);
  });
  it('freezes values of any depth and cycles, and returns binary data and scalars', () => {
    const cycle: { self?: object } = {};
    cycle.self = cycle;
    expect(Object.isFrozen(deepFreeze(cycle))).toBe(true);
    expect(Object.isFrozen(deepFreeze(nest(200_000)))).toBe(true);
    expect(Object.isFrozen(deepFreeze({ bytes: new Uint8Array(2) }))).toBe(true);
    expect(deepFreeze('text')).toBe('text');
  });
});

describe('estimateSize', () => {
  it('grows with strings, names and members', () => {
    const small = estimateSize({ a: 'x' });
    expect(estimateSize({ a: 'x'.repeat(1000) }) - small).toBe(999);
    expect(estimateSize({ ['a'.repeat(1000)]: 'x' }) - small).toBe(999);
    expect(estimateSize([1, 2, 3])).toBeGreaterThan(estimateSize([1]));
    expect(estimateSize({ bytes: new Uint8Array(5000) })).toBeGreaterThan(5000);
  });
  it('leaves out values shared with another version', () => {
    const big = { text: 'x'.repeat(10_000) };
    const old = { n: 1, big, list: [big, 1] };
    expect(estimateSize(old)).toBeGreaterThan(20_000);
    expect(estimateSize(old, { ...old, n: 2 })).toBeLessThan(500);
    expect(estimateSize(old, old)).toBe(0);
    expect(estimateSize(old, [old])).toBe(estimateSize(old));
  });
  it('estimates values of any depth, and at most 64 MiB for repeated references', () => {
    expect(estimateSize(nest(200_000))).toBeGreaterThan(200_000);
    let bomb: object = {};
    for (let level = 0; level < 64; level++) bomb = [bomb, bomb];
    expect(estimateSize(bomb)).toBe(64 * 1024 * 1024);
  });
});

describe('Ring', () => {
  it('keeps the numbers of its items while it grows and wraps', () => {
    const ring = new Ring<string>();
    for (let number = 0; number < 1000; number++) {
      ring.push(`item ${number}`);
      if (number % 3 !== 0) ring.shift();
    }
    expect([ring.start, ring.end]).toEqual([666, 1000]);
    for (let number = 0; number < 1001; number++) {
      expect(ring.at(number)).toBe(number >= 666 && number < 1000 ? `item ${number}` : undefined);
    }
    while (ring.start < ring.end) ring.shift();
    ring.shift();
    expect([ring.start, ring.end]).toEqual([1000, 1000]);
  });
});

describe('MemoryState', () => {
  const openState = () =>
    new MemoryState({
      clock: createFakeClock(),
      firstRevision: 10,
      entries: [{ key: '/a', value: { n: 1 }, revision: 8, createRevision: 4 }],
    });
  it('starts with the entries of a backend', () => {
    const state = openState();
    expect(state.list('').entries).toEqual([{ key: '/a', value: { n: 1 }, revision: 8, createRevision: 4 }]);
    expect([state.revision, state.compactRevision, state.count('')]).toEqual([10, 10, 1]);
  });
  it('accepts committed writes whose revisions leave gaps', () => {
    const state = openState();
    const watch = state.watch('', 10);
    state.apply({ type: 'put', key: '/b', value: { n: 2 }, revision: 15 });
    state.apply({ type: 'delete', key: '/a', value: { n: 1 }, revision: 20 });
    expect(watch.take().map(({ revision }) => revision)).toEqual([15, 20]);
    expect(state.list('', { revision: 17 }).entries.map(({ key }) => key)).toEqual(['/a', '/b']);
    expect(state.list('', { revision: 14 }).entries).toMatchObject([{ key: '/a', revision: 8, createRevision: 4 }]);
    expect(state.watch('', 16).take()).toHaveLength(1);
  });
  it('refuses writes that cannot have been committed', () => {
    const state = openState();
    expect(() => state.apply({ type: 'put', key: '/b', value: {} as { n: number }, revision: 10 })).toThrow(TypeError);
    expect(() => state.apply({ type: 'delete', key: '/b', value: { n: 0 }, revision: 11 })).toThrow(TypeError);
    expect(() => state.list('', { revision: Number.NaN })).toThrow(TypeError);
    expect(state.revision).toBe(10);
  });
});
