import { expect, it } from 'vitest';
import { withChanges } from '../../src/values/layered-map.js';

const value = (text: string) => ({ text });
const entriesOf = (map: ReadonlyMap<string, { text: string }>) => [...map].map(([key, { text }]) => `${key}=${text}`);

it('changes a copy and keeps the original', () => {
  const before = new Map([['a', value('1')]]);
  const after = withChanges(before, [
    ['a', undefined],
    ['b', value('2')],
  ]);
  expect([entriesOf(before), entriesOf(after)]).toEqual([['a=1'], ['b=2']]);
  expect([after.has('a'), after.get('a'), after.size]).toEqual([false, undefined, 1]);
});

it('iterates keys in the order in which they were first set, also when their values change', () => {
  let map: ReadonlyMap<string, { text: string }> = new Map();
  for (const [key, text] of [
    ['b', '1'],
    ['a', '2'],
    ['b', '3'],
  ] as const)
    map = withChanges(map, [[key, value(text)]]);
  expect(entriesOf(map)).toEqual(['b=3', 'a=2']);
  expect([[...map.keys()], [...map.values()].map(({ text }) => text)]).toEqual([
    ['b', 'a'],
    ['3', '2'],
  ]);
});

it('has the entries of a Map after many random changes', () => {
  let state = 1;
  const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
  const expected = new Map<string, { text: string }>();
  let map: ReadonlyMap<string, { text: string }> = new Map();
  for (let step = 0; step < 2_000; step++) {
    const key = `key-${random(200)}`;
    const next = random(3) === 0 ? undefined : value(String(step));
    if (next) expected.set(key, next);
    else expected.delete(key);
    map = withChanges(map, [[key, next]]);
    expect([map.size, map.get(key), map.has(key)]).toEqual([expected.size, next, next !== undefined]);
  }
  expect(entriesOf(map).sort()).toEqual(entriesOf(expected).sort());
});
