import { expect, it } from 'vitest';
import { compare } from '../../src/fields/typed/compare.js';
import { pod } from './kinds.js';

const labelled = (names: readonly string[]) => ({
  metadata: { name: 'p', labels: Object.fromEntries(names.map((name) => [name, 'x'])) },
});
const many = Array.from({ length: 1000 }, (_, i) => `l${i}`);
const added = (names: readonly string[]) => compare(pod, {}, labelled(names)).added;

it('objects with the same fields share the sets of them', () => {
  expect(added(['a', 'b'])).toBe(added(['a', 'b']));
  expect(added(['b', 'a'])).toEqual(added(['a', 'b']));
  expect(Object.isFrozen(added(['a', 'b']))).toBe(true);
});

it('very large sets are computed each time and not cached', () => {
  expect(added(many)).toEqual(added(many));
  expect(added(many)).not.toBe(added(many));
  expect(Object.isFrozen(added(many))).toBe(false);
});
