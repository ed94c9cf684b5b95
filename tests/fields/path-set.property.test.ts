import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  difference,
  EMPTY,
  includes,
  intersection,
  type PathSet,
  pathSet,
  pathsOf,
  recursiveDifference,
  union,
} from '../../src/fields/paths/path-set.js';

const path = fc.array(fc.constantFrom('f:a', 'f:b', 'f:c'), { minLength: 1, maxLength: 3 });
const set = fc.array(path, { maxLength: 6 }).map((paths) => pathSet(...paths));

/** Builds the same set with all equal parts shared, as objects of one kind share them. */
function shared(branch: PathSet, known: Map<string, PathSet>): PathSet {
  const parts = Object.fromEntries(Object.entries(branch).map(([element, below]) => [element, shared(below, known)]));
  const key = JSON.stringify(branch);
  if (!known.has(key)) known.set(key, Object.freeze(parts));
  return known.get(key) ?? EMPTY;
}
const members = (paths: PathSet) => new Set(pathsOf(paths).map((each) => each.join('/')));
const isBelow = (one: string, other: string) => one === other || one.startsWith(`${other}/`);

it.each([
  ['union', union, (a: Set<string>, b: Set<string>) => [...a, ...b]],
  ['intersection', intersection, (a: Set<string>, b: Set<string>) => [...a].filter((each) => b.has(each))],
  ['difference', difference, (a: Set<string>, b: Set<string>) => [...a].filter((each) => !b.has(each))],
  [
    'recursive difference',
    recursiveDifference,
    (a: Set<string>, b: Set<string>) => [...a].filter((each) => ![...b].some((other) => isBelow(each, other))),
  ],
])('%s of sets is that of their paths, whether parts are shared or not', (_, operation, expected) => {
  fc.assert(
    fc.property(set, set, (a, b) => {
      const known = new Map<string, PathSet>();
      const result = operation(a, b);
      expect([...members(result)].sort()).toEqual([...new Set(expected(members(a), members(b)))].sort());
      expect(operation(shared(a, known), shared(b, known))).toEqual(result);
      expect(JSON.stringify(operation(shared(a, known), shared(b, known)))).toBe(JSON.stringify(result));
    }),
  );
});

it('a set includes its parts, and their union is the set itself', () => {
  fc.assert(
    fc.property(set, set, (a, b) => {
      const both = union(a, b);
      expect(includes(both, a) && includes(both, b)).toBe(true);
      expect(union(both, b)).toBe(both);
    }),
  );
});
