/** The most changes that a map keeps beside its base. With more of them, or with more than its base has, the copy gets a base of its own. */
const MOST_CHANGES = 64;

/** The value of a key of the base that was removed. */
const REMOVED = Symbol('removed');

/**
 * Returns a copy of a map that never changes, in which these keys have these values; undefined removes a key. The copy shares the base of
 * the map and copies only the changes, of which there are few, so a change of a large map costs little. Keys are iterated in the order in
 * which they were first set; a key that is removed and set again may keep its place.
 */
export function withChanges<K, V extends object>(
  map: ReadonlyMap<K, V>,
  entries: Iterable<readonly [K, V | undefined]>,
): ReadonlyMap<K, V> {
  const { base, changes: before }: Layers<K, V> = map instanceof LayeredMap ? map : { base: map, changes: [] };
  const changes = new Map(before);
  for (const [key, value] of entries) {
    if (value !== undefined) changes.set(key, value);
    else if (base.has(key)) changes.set(key, REMOVED);
    else changes.delete(key);
  }
  if (changes.size <= Math.min(MOST_CHANGES, base.size)) return new LayeredMap(base, changes);
  const copy = new Map(base);
  for (const [key, value] of changes) {
    if (value === REMOVED) copy.delete(key);
    else copy.set(key, value);
  }
  return copy;
}

interface Layers<K, V> {
  readonly base: ReadonlyMap<K, V>;
  readonly changes: Iterable<readonly [K, V | typeof REMOVED]>;
}

/** A map with its changes beside its base. */
class LayeredMap<K, V extends object> implements ReadonlyMap<K, V> {
  readonly base: ReadonlyMap<K, V>;
  readonly changes: ReadonlyMap<K, V | typeof REMOVED>;
  readonly size: number;

  constructor(base: ReadonlyMap<K, V>, changes: ReadonlyMap<K, V | typeof REMOVED>) {
    let size = base.size;
    for (const [key, value] of changes) {
      if (value === REMOVED) size--;
      else if (!base.has(key)) size++;
    }
    this.base = base;
    this.changes = changes;
    this.size = size;
  }

  get(key: K): V | undefined {
    const changed = this.changes.get(key);
    if (changed === undefined) return this.base.get(key);
    return changed === REMOVED ? undefined : changed;
  }

  has(key: K): boolean {
    return this.get(key) !== undefined;
  }

  *entries(): MapIterator<[K, V]> {
    for (const [key, value] of this.base) {
      const current = this.changes.get(key) ?? value;
      if (current !== REMOVED) yield [key, current];
    }
    for (const [key, value] of this.changes) if (value !== REMOVED && !this.base.has(key)) yield [key, value];
  }

  *keys(): MapIterator<K> {
    for (const [key] of this.entries()) yield key;
  }

  *values(): MapIterator<V> {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }

  forEach(callback: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this) callback(value, key, this);
  }
}
