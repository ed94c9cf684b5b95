/** The most changes that a map keeps beside its base. With more of them, or with more than its base has, the copy gets a base of its own. */
const MOST_CHANGES = 64;

/** The value of a key of the base that was removed. */
const REMOVED = Symbol('removed');

/**
 * A map that never changes. A changed copy shares the base and copies only the changes, of which there are few, so a change of a large map
 * costs little. Keys are iterated in the order in which they were first set; a key that is removed and set again may keep its place.
 */
export class LayeredMap<K, V extends object> implements ReadonlyMap<K, V> {
  readonly #base: ReadonlyMap<K, V>;
  readonly #changes: ReadonlyMap<K, V | typeof REMOVED>;
  readonly size: number;

  constructor(base: ReadonlyMap<K, V> = new Map(), changes: ReadonlyMap<K, V | typeof REMOVED> = new Map()) {
    let size = base.size;
    for (const [key, value] of changes) {
      if (value === REMOVED) size--;
      else if (!base.has(key)) size++;
    }
    this.#base = base;
    this.#changes = changes;
    this.size = size;
  }

  /** Returns a copy in which these keys have these values; undefined removes a key. */
  with(entries: Iterable<readonly [K, V | undefined]>): LayeredMap<K, V> {
    const changes = new Map(this.#changes);
    for (const [key, value] of entries) {
      if (value !== undefined) changes.set(key, value);
      else if (this.#base.has(key)) changes.set(key, REMOVED);
      else changes.delete(key);
    }
    const changed = new LayeredMap(this.#base, changes);
    return changes.size > Math.min(MOST_CHANGES, this.#base.size) ? new LayeredMap(new Map(changed)) : changed;
  }

  get(key: K): V | undefined {
    const changed = this.#changes.get(key);
    if (changed === undefined) return this.#base.get(key);
    return changed === REMOVED ? undefined : changed;
  }

  has(key: K): boolean {
    return this.get(key) !== undefined;
  }

  *entries(): MapIterator<[K, V]> {
    for (const [key, value] of this.#base) {
      const current = this.#changes.get(key) ?? value;
      if (current !== REMOVED) yield [key, current];
    }
    for (const [key, value] of this.#changes) if (value !== REMOVED && !this.#base.has(key)) yield [key, value];
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
