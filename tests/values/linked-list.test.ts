import { expect, it } from 'vitest';
import { LinkedList } from '../../src/values/linked-list.js';

it('holds what was added and not removed, in order', () => {
  const roster = new LinkedList<string>();
  const entries = ['a', 'b', 'c', 'd'].map((value) => roster.add(value));
  const remove = (i: number) => roster.remove(entries[i] as (typeof entries)[number]);
  expect([...roster]).toEqual(['a', 'b', 'c', 'd']);
  remove(1);
  expect([...roster]).toEqual(['a', 'c', 'd']);
  remove(3);
  remove(0);
  expect([[...roster], roster.size]).toEqual([['c'], 1]);
  remove(2);
  expect([[...roster], roster.size]).toEqual([[], 0]);
  roster.add('e');
  expect([...roster]).toEqual(['e']);
});

it('lets go of what left: an entry that is removed leads to no other', () => {
  const roster = new LinkedList<string>();
  const [first, second] = [roster.add('a'), roster.add('b')];
  roster.remove(first);
  expect(first).toEqual({ value: 'a', before: undefined, after: undefined });
  expect(second.before).toBeUndefined();
});
