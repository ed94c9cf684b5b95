import BTreeModule from 'sorted-btree';
import type { Entry } from './storage.js';

/** Compares keys by UTF-16 code unit, so that their order is the same in every locale. */
export function compareKeys(a: string, b: string): number {
  // Keys begin alike, so a second comparison by order would again read most of both. A test for equality mostly reads their lengths only.
  return a < b ? -1 : a === b ? 0 : 1;
}

/** The keys from `low` (inclusive) to `high` (exclusive); without `high`, to the end. */
interface KeyRange {
  readonly low: string;
  readonly high: string | undefined;
}

/** Returns the range of all keys that begin with `prefix`; with `after`, only those greater than it. */
export function prefixRange(prefix: string, after?: string): KeyRange {
  const high = prefixEnd(prefix);
  // The next string after `after` is `after` with the character U+0000 appended, so no key lies between the two.
  const low = after === undefined || after < prefix ? prefix : `${after}\u0000`;
  return { low, high };
}

/** Returns the smallest string greater than every string that begins with `prefix`; undefined when there is no such string. */
export function prefixEnd(prefix: string): string | undefined {
  for (let last = prefix.length - 1; last >= 0; last--) {
    const unit = prefix.charCodeAt(last);
    if (unit < 0xffff) return prefix.slice(0, last) + String.fromCharCode(unit + 1);
  }
  return undefined;
}

// `sorted-btree` is a CommonJS package. The loader decides whether its default import is the class or the module object that contains it.
const BTree = ('default' in BTreeModule ? BTreeModule.default : BTreeModule) as typeof BTreeModule;

/** The internals of a tree node: every node counts the keys below it; the `keys` of an inner node are the last keys of its children. */
interface CountedNode {
  readonly keys: readonly string[];
  readonly children?: readonly CountedNode[];
  size(): number;
}

/** The maximum number of keys of a node. In a large tree, lookups take less time than with the default of 32. */
const NODE_SIZE = 64;

/**
 * Entries in key order. Reads, writes and positions cost O(log n); a clone is O(1) and shares all nodes until one side
 * changes them, so a clone without writes is a snapshot.
 */
export class EntryTree<T> {
  // The constructor does not accept a tree, because the package's type declarations would then import `sorted-btree`, which is bundled.
  #tree = new BTree<string, Entry<T>>(undefined, compareKeys, NODE_SIZE);

  get(key: string): Entry<T> | undefined {
    return this.#tree.get(key);
  }
  set(entry: Entry<T>): void {
    this.#tree.set(entry.key, entry);
  }
  delete(key: string): void {
    this.#tree.delete(key);
  }
  clone(): EntryTree<T> {
    const copy = new EntryTree<T>();
    copy.#tree = this.#tree.clone();
    return copy;
  }

  /** Returns the first `limit` entries of a range. */
  collect({ low, high }: KeyRange, limit = Number.POSITIVE_INFINITY): Entry<T>[] {
    const entries: Entry<T>[] = [];
    const end = high ?? this.#tree.maxKey();
    if (limit <= 0 || end === undefined || low > end) return entries;
    this.#tree.forRange(low, end, high === undefined, (_key, entry) => {
      entries.push(entry);
      return entries.length < limit ? undefined : STOP;
    });
    return entries;
  }

  /** Counts the keys of a range. */
  count({ low, high }: KeyRange): number {
    return Math.max(0, (high === undefined ? this.#tree.size : this.#position(high)) - this.#position(low));
  }

  /** Counts the keys that are less than `key`, using the counts that the tree nodes contain. */
  #position(key: string): number {
    // `sorted-btree` counts the keys below each node, but has no function that returns the position of a key.
    let node = (this.#tree as unknown as { readonly _root: CountedNode })._root;
    let before = 0;
    for (;;) {
      const index = lowerBound(node.keys, key);
      if (node.children === undefined) return before + index;
      for (let left = 0; left < index; left++) before += node.children[left]?.size() ?? 0;
      const child = node.children[index];
      if (child === undefined) return before;
      node = child;
    }
  }
}

const STOP = { break: 0 };

/** Returns the index of the first key that is not less than `key`. */
function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
