import type { ApiObject } from '../../meta/object-meta.js';

/** Returns the values under which an object is indexed, such as the node name of a pod; [] leaves the object out of the index. */
export type IndexFunc<T extends ApiObject> = (object: T) => readonly string[];

/** A difference between two states of the cache. */
export type CacheChange<T extends ApiObject> =
  | { readonly type: 'add'; readonly object: T }
  | { readonly type: 'update'; readonly object: T; readonly old: T }
  | { readonly type: 'delete'; readonly object: T; readonly isFinalStateUnknown: boolean };

/** Returns the key of an object: `namespace/name`, or the name alone for a cluster-scoped kind. */
export function cacheKey({ name = '', namespace = '' }: { readonly name?: string; readonly namespace?: string }) {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** The cached objects by key, by namespace and by the indices of the caller. */
export class Indexer<T extends ApiObject> {
  readonly #namespaces: Index<T>;
  readonly #indices: ReadonlyMap<string, Index<T>>;
  readonly #onError: (error: unknown) => void;
  #objects = new Map<string, T>();

  /** @param onError called when an index function throws; the object is then left out of that index. */
  constructor(indexers: Readonly<Record<string, IndexFunc<T>>>, onError: (error: unknown) => void) {
    this.#onError = onError;
    this.#namespaces = new Index(({ metadata }) => [metadata.namespace ?? '']);
    this.#indices = new Map(Object.entries(indexers).map(([name, indexOf]) => [name, new Index(indexOf)]));
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  /** Returns the objects of one namespace, or of all namespaces. */
  list(namespace?: string): T[] {
    return namespace === undefined ? [...this.#objects.values()] : this.#objectsOf(this.#namespaces.keys(namespace));
  }

  /** @throws TypeError for an index that does not exist. */
  byIndex(name: string, value: string): T[] {
    const index = this.#indices.get(name);
    if (!index) throw new TypeError(`the informer has no index ${JSON.stringify(name)}: add it to the option indexers`);
    return this.#objectsOf(index.keys(value));
  }

  /** Stores an object and returns the changes: none if the object is cached with the same resourceVersion. */
  set(object: T): CacheChange<T>[] {
    const key = cacheKey(object.metadata);
    const old = this.#objects.get(key);
    const changes = changesBetween(old, object);
    if (changes.length > 0) this.#store(key, object);
    return changes;
  }

  /** Removes an object whose last state is known. */
  remove(object: T): CacheChange<T>[] {
    const key = cacheKey(object.metadata);
    if (!this.#objects.has(key)) return [];
    this.#store(key, undefined);
    return [{ type: 'delete', object, isFinalStateUnknown: false }];
  }

  /** Replaces all objects by those of a list. Deletions are the first changes, and contain the objects as they were cached. */
  replace(objects: readonly T[]): CacheChange<T>[] {
    const next = new Map(objects.map((object) => [cacheKey(object.metadata), object]));
    const gone = [...this.#objects].filter(([key]) => !next.has(key));
    for (const [key] of gone) this.#store(key, undefined);
    const deletions = gone.map(([, object]) => ({ type: 'delete', object, isFinalStateUnknown: true }) as const);
    return [...deletions, ...[...next.values()].flatMap((object) => this.set(object))];
  }

  #store(key: string, object: T | undefined): void {
    if (object) this.#objects.set(key, object);
    else this.#objects.delete(key);
    for (const index of [this.#namespaces, ...this.#indices.values()]) {
      try {
        index.set(key, object);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  #objectsOf(keys: Iterable<string>): T[] {
    return Array.from(keys, (key) => this.#objects.get(key)).filter((object) => object !== undefined);
  }
}

function changesBetween<T extends ApiObject>(old: T | undefined, object: T): CacheChange<T>[] {
  if (!old) return [{ type: 'add', object }];
  // Another uid means that the object was deleted and created again, but the cache did not receive a separate event for the deletion.
  if (old.metadata.uid !== object.metadata.uid)
    return [
      { type: 'delete', object: old, isFinalStateUnknown: true },
      { type: 'add', object },
    ];
  return old.metadata.resourceVersion === object.metadata.resourceVersion ? [] : [{ type: 'update', object, old }];
}

/** The keys of objects by the values of an index function. */
class Index<T extends ApiObject> {
  readonly #indexOf: IndexFunc<T>;
  readonly #keys = new Map<string, Set<string>>();
  /** The indexed values of each key. They are kept because the index function may return other values for the same object later. */
  readonly #values = new Map<string, ReadonlySet<string>>();

  constructor(indexOf: IndexFunc<T>) {
    this.#indexOf = indexOf;
  }

  keys(value: string): Iterable<string> {
    return this.#keys.get(value) ?? [];
  }

  set(key: string, object: T | undefined): void {
    for (const value of this.#values.get(key) ?? []) this.#removeKey(value, key);
    this.#values.delete(key);
    if (!object) return;
    const values = new Set(this.#indexOf(object));
    if (values.size === 0) return;
    this.#values.set(key, values);
    for (const value of values) {
      const keys = this.#keys.get(value) ?? new Set();
      this.#keys.set(value, keys.add(key));
    }
  }

  #removeKey(value: string, key: string): void {
    const keys = this.#keys.get(value);
    keys?.delete(key);
    if (keys?.size === 0) this.#keys.delete(value);
  }
}
