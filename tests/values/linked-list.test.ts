import { expect, it } from 'vitest';
import { LinkedList } from '../../src/values/linked-list.js';

it('contains the added values without the removed ones, in order', () => {
  const list = new LinkedList<string>();
  const entries = ['a', 'b', 'c', 'd'].map((value) => list.add(value));
  const remove = (i: number) => list.remove(entries[i] as (typeof entries)[number]);
  expect([...list]).toEqual(['a', 'b', 'c', 'd']);
  remove(1);
  expect([...list]).toEqual(['a', 'c', 'd']);
  remove(3);
  remove(0);
  expect([[...list], list.size]).toEqual([['c'], 1]);
  remove(2);
  expect([[...list], list.size]).toEqual([[], 0]);
  list.add('e');
  expect([...list]).toEqual(['e']);
});

it('a removed entry does not refer to another', () => {
  const list = new LinkedList<string>();
  const [first, second] = [list.add('a'), list.add('b')];
  list.remove(first);
  expect(first).toEqual({ value: 'a', before: undefined, after: undefined });
  expect(second.before).toBeUndefined();
});
