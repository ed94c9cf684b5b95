import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareKeys, EntryTree } from '../../src/store/entry-tree.js';
import type { Entry } from '../../src/store/storage.js';

const entryOf = (key: string, value = 0): Entry<number> => ({ key, value, revision: value, createRevision: value });

/** A tree beside a plain map that has the same entries. */
class Compared {
  readonly tree: EntryTree<number>;
  readonly map: Map<string, Entry<number>>;

  constructor(tree = new EntryTree<number>(), map = new Map<string, Entry<number>>()) {
    this.tree = tree;
    this.map = map;
  }
  set(key: string, value = 0): void {
    const entry = entryOf(key, value);
    this.tree.set(entry);
    this.map.set(key, entry);
  }
  delete(key: string): void {
    this.tree.delete(key);
    this.map.delete(key);
  }
  clone(): Compared {
    return new Compared(this.tree.clone(), new Map(this.map));
  }

  /** Expects that reads, ranges and counts are those of the map. */
  check(keys: readonly string[], limit: number): void {
    const sorted = [...this.map.keys()].sort(compareKeys);
    const entries = sorted.map((key) => this.map.get(key));
    expect(this.tree.collect({ low: '', high: undefined })).toEqual(entries);
    for (const [i, low] of keys.entries()) {
      expect(this.tree.get(low)).toBe(this.map.get(low));
      const high = keys[i + 1];
      const inside = entries.filter((entry) => entry && entry.key >= low && (high === undefined || entry.key < high));
      expect(this.tree.count({ low, high })).toBe(inside.length);
      expect(this.tree.collect({ low, high }, limit)).toEqual(inside.slice(0, limit));
    }
  }
}

const unit = fc.constantFrom('', 'a', 'b', '/', '\u0000', '\uffff', 'é', '\ud83d');
const key = fc.oneof(
  fc.tuple(unit, unit, unit, unit, unit).map((units) => units.join('')),
  fc.tuple(unit, fc.integer({ min: 0, max: 300 })).map(([start, n]) => `/pods/default/${start}-${n}`),
  fc.integer({ min: 0, max: 300 }).map((n) => `/pods/${'long-'.repeat(n % 3)}${n}`),
);
/** A step: one change, many changes in ascending or descending order, or a clone that replaces the tree, which stays unchanged. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('set' as const), key }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('delete' as const), key }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('ascending' as const, 'descending' as const), key }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('delete many' as const, 'clone' as const), key }) },
);
const MANY = 200;
const numbered = (start: string, n: number): string => `${start}${String(n).padStart(4, '0')}`;

function apply(current: Compared, { kind, key: at }: { kind: string; key: string }, value: number): void {
  if (kind === 'set') current.set(at, value);
  else if (kind === 'delete') current.delete(at);
  else if (kind === 'ascending') for (let i = 0; i < MANY; i++) current.set(numbered(at, i), value);
  else if (kind === 'descending') for (let i = MANY; i > 0; i--) current.set(numbered(at, i), value);
  else if (kind === 'delete many') for (const each of [...current.map.keys()].slice(0, MANY)) current.delete(each);
}

describe('EntryTree', () => {
  it('has the entries of a map, in key order, whatever changes and clones came before', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60 }),
        fc.array(key, { maxLength: 8 }),
        fc.integer({ min: 0, max: 9 }),
        (steps, keys, limit) => {
          let current = new Compared();
          const kept: Compared[] = [];
          for (const [i, each] of steps.entries()) {
            if (each.kind === 'clone') {
              kept.push(current);
              current = current.clone();
            } else apply(current, each, i);
            // The tree that was cloned may change as well.
            const other = kept.at(-1);
            if (other !== undefined && i % 3 === 0) apply(other, each, -i);
          }
          for (const each of [current, ...kept]) each.check(keys, limit);
        },
      ),
    );
  });

  it('keeps all entries of large trees through ordered and random insertions and deletions', () => {
    const current = new Compared();
    const random = (n: number) => (n * 7919) % 5000;
    for (let i = 0; i < 5000; i++) current.set(`/configmaps/default/c-${i}`, i);
    for (let i = 0; i < 5000; i++) current.set(numbered('/events/', random(i)), i);
    for (let i = 5000; i > 0; i--) current.set(numbered('/a/', i), i);
    const before = current.clone();
    for (let i = 0; i < 5000; i += 3) current.delete(`/configmaps/default/c-${random(i)}`);
    for (let i = 0; i < 4990; i++) current.delete(numbered('/events/', random(i)));
    const keys = ['', '/a/', '/configmaps/default/c-2', '/configmaps/default/c-3', '/events/', '/f'];
    current.check(keys, 7);
    before.check(keys, 7);
    for (const each of current.map.keys()) current.delete(each);
    current.check(keys, 7);
  });
});
