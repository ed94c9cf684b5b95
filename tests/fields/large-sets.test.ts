import { describe, expect, it } from 'vitest';
import type { Path } from '../../src/fields/paths/path-element.js';
import {
  difference,
  equals,
  includes,
  intersection,
  type PathSet,
  pathSet,
  pathsOf,
  recursiveDifference,
  union,
} from '../../src/fields/paths/path-set.js';

/* Sets of very many paths have other algorithms than small ones, with the same results. */
const textOf = (path: Path) => path.join('/');
const texts = (set: PathSet) => pathsOf(set).map(textOf).sort();

/** Names that several sets contain: of a map, of a set, and of a parent with and without its descendants. */
function paths(count: number, step: number): Path[] {
  return Array.from({ length: count }, (_, i): Path => {
    const n = (i * step) % (count * 2);
    if (n % 7 === 0) return ['f:data'];
    if (n % 7 === 1) return ['f:metadata', 'f:finalizers', `v:"a.b/${n}"`];
    return n % 7 === 2 ? ['f:data', `f:k${n}`, 'f:inside'] : ['f:data', `f:k${n}`];
  });
}
const sets: [string, Path[], Path[]][] = [
  ['two large sets', paths(2_000, 1), paths(2_000, 3)],
  ['a large set and a small one', paths(2_000, 1), paths(40, 3)],
  ['a small set and a large one', paths(40, 3), paths(2_000, 1)],
  ['equal sets', paths(2_000, 1), paths(2_000, 1)],
  ['disjoint sets', paths(2_000, 1), paths(2_000, 1).map(([first, ...rest]) => [`${first}x`, ...rest])],
];

describe.each(sets)('%s', (_, first, second) => {
  const [a, b] = [pathSet(...first), pathSet(...second)];
  const [inA, inB] = [new Set(first.map(textOf)), new Set(second.map(textOf))];
  const isBelow = (text: string) => [...text.matchAll(/\//g)].some(({ index }) => inB.has(text.slice(0, index)));
  const sorted = (all: Iterable<string>) => [...new Set(all)].sort();

  it('union, intersection and difference', () => {
    expect(texts(a)).toEqual(sorted(inA));
    expect(texts(union(a, b))).toEqual(sorted([...inA, ...inB]));
    expect(texts(intersection(a, b))).toEqual(sorted([...inA].filter((text) => inB.has(text))));
    expect(texts(difference(a, b))).toEqual(sorted([...inA].filter((text) => !inB.has(text))));
    expect(texts(recursiveDifference(a, b))).toEqual(
      sorted([...inA].filter((text) => !inB.has(text) && !isBelow(text))),
    );
  });
  it('has one form: equal sets have equal JSON, with members in order', () => {
    const joined = union(difference(a, b), intersection(a, b));
    expect(equals(joined, a)).toBe(true);
    expect(JSON.stringify(joined)).toBe(JSON.stringify(a));
    expect(JSON.stringify(union(a, b))).toBe(JSON.stringify(pathSet(...first, ...second)));
  });
  it('subset', () => {
    expect(includes(union(a, b), a) && includes(union(a, b), b)).toBe(true);
    expect(includes(a, b)).toBe([...inB].every((text) => inA.has(text)));
    expect(union(a, intersection(a, b))).toBe(a);
  });
});
