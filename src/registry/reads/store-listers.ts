import type { Lister } from '../../meta/host.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { Entry, Storage, Watch } from '../../store/storage.js';
import type { RegistryChange, ResourceRegistry } from '../resource-registry.js';
import { readNow, type ServedForm, servedForm } from '../served/served-form.js';
import { collectionPrefix, objectKey, type ServedResource } from '../served/served-resource.js';

/** The listers of a server's plug-ins. They read objects directly from the store's memory. */
export class StoreListers {
  readonly #storage: Storage<ApiObject>;
  /**
   * The listers by the name of their resource without its group, so that a lookup does not build a combined key. Resources of several
   * groups that have the same name share an array.
   */
  readonly #listers = new Map<string, StoreLister[]>();
  readonly #registry: ResourceRegistry;
  readonly #stopFollowing: () => void;

  constructor(storage: Storage<ApiObject>, registry: ResourceRegistry) {
    this.#storage = storage;
    this.#registry = registry;
    this.#stopFollowing = registry.onChange((change) => this.#refresh(change));
  }

  /** Returns the lister of a resource. An arrow function, because the server's host calls it without this object. */
  readonly lister = <T extends ApiObject>(group: string, resource: string): Lister<T> => {
    const named = this.#listers.get(resource);
    let lister: StoreLister | undefined;
    for (const each of named ?? []) if (each.group === group) lister = each;
    if (!lister) {
      lister = new StoreLister(this.#registry, this.#storage, group, resource);
      if (named) named.push(lister);
      else this.#listers.set(resource, [lister]);
    }
    // The caller names the resource and the type of its objects, so the cast is as safe as the caller's `T`.
    return lister as unknown as Lister<T>;
  };

  /** Ends the watches of all listers. */
  close(): void {
    this.#stopFollowing();
    for (const named of this.#listers.values()) for (const lister of named) lister.close();
  }

  #refresh({ installed, uninstalled }: RegistryChange): void {
    const changed = [...installed, ...uninstalled].flatMap(
      ({ resource: { gvr } }) => this.#listers.get(gvr.resource)?.find(({ group }) => group === gvr.group) ?? [],
    );
    for (const lister of new Set(changed)) lister.refresh();
  }
}

const NONE: readonly ApiObject[] = [];

type Change = (next: ApiObject | undefined, previous: ApiObject | undefined) => void;

class StoreLister implements Lister {
  readonly group: string;
  readonly resource: string;
  readonly #registry: ResourceRegistry;
  readonly #storage: Storage<ApiObject>;
  // Arrays take less memory than a Set and a Map: a server has some sixty listers, and most have one callback and no index.
  #callbacks: readonly Change[] = [];
  #indices: readonly Index[] = [];
  #served: { readonly resource: ServedResource; readonly read: ServedForm['fromStorage'] } | undefined;
  #watch: Watch<ApiObject> | undefined;

  constructor(registry: ResourceRegistry, storage: Storage<ApiObject>, group: string, resource: string) {
    this.#registry = registry;
    this.#storage = storage;
    this.group = group;
    this.resource = resource;
  }

  get(namespace: string, name: string): ApiObject | undefined {
    const served = this.#served ?? this.#resolve();
    const entry = served && this.#storage.get(objectKey(served.resource, namespace, name));
    return entry && served.read(entry.value);
  }

  list(namespace = '', unreadable: 'refuse' | 'skip' = 'refuse'): readonly ApiObject[] {
    const served = this.#served ?? this.#resolve();
    if (!served) return [];
    const { entries } = this.#storage.list(collectionPrefix(served.resource, namespace));
    if (entries.length === 0) return NONE;
    const objects: ApiObject[] = [];
    for (const entry of entries) {
      const value = unreadable === 'skip' ? readable(entry) : entry.value;
      if (value) objects.push(served.read(value));
    }
    return objects;
  }

  byIndex(
    indexOf: (object: ApiObject) => readonly string[],
    key: string,
    unreadable: 'refuse' | 'skip' = 'refuse',
  ): Iterable<ApiObject> {
    let index: Index | undefined;
    for (const each of this.#indices) if (each.indexOf === indexOf) index = each;
    if (!index) {
      const objects = this.list('', unreadable);
      // If objects that cannot be decrypted or decoded were skipped, the index is not cached, because other callers may need all objects.
      if (unreadable === 'skip' && objects.length < this.#count()) return new Index(indexOf, objects).get(key);
      index = new Index(indexOf, objects);
      this.#indices = [...this.#indices, index];
      this.#follow();
    }
    this.#catchUp();
    return index.get(key);
  }

  #count(): number {
    const served = this.#served ?? this.#resolve();
    return served ? this.#storage.count(collectionPrefix(served.resource, '')) : 0;
  }

  onChange(callback: Change): () => void {
    this.#callbacks = [...this.#callbacks, callback];
    this.#follow();
    return () => {
      const at = this.#callbacks.indexOf(callback);
      if (at >= 0) this.#callbacks = this.#callbacks.toSpliced(at, 1);
    };
  }

  close(): void {
    // The lister does not wait for the end of its watch.
    if (this.#watch) this.#watch.onReadable = undefined;
    this.#watch?.close();
    this.#callbacks = [];
  }

  /** Looks up the lister's kind again after a change of the registry, and reports the objects that appear or disappear with the kind. */
  refresh(): void {
    this.#catchUp();
    const before = this.#served;
    const resource = this.#registry.current.preferred(this.group, this.resource);
    if (before?.resource.definition === resource?.definition) return;
    const sameObjects = before?.resource.keyPrefix === resource?.keyPrefix;
    const followed = this.#callbacks.length > 0 || this.#indices.length > 0;
    const gone = followed && before ? this.list('', 'skip') : [];
    this.#served = resource && { resource, read: readNow(servedForm(resource)) };
    if (!followed) return;
    const come = resource ? this.list('', 'skip') : [];
    for (const index of this.#indices) {
      for (const object of gone) index.change(undefined, object);
      for (const object of come) index.change(object, undefined);
    }
    if (sameObjects) return;
    this.#watch?.close();
    this.#watch = undefined;
    this.#follow();
    for (const callback of this.#callbacks) {
      for (const object of gone) callback(undefined, object);
      for (const object of come) callback(object, undefined);
    }
  }

  /** Looks up the lister's kind, which is not known until it is read first. */
  #resolve() {
    const resource = this.#registry.current.preferred(this.group, this.resource);
    if (resource) this.#served = { resource, read: readNow(servedForm(resource)) };
    return this.#served;
  }

  #follow(): void {
    const served = this.#served ?? this.#resolve();
    if (this.#watch || !served) return;
    // Every event is taken as soon as it arrives, so the watch never lags.
    const watch = this.#storage.watch(collectionPrefix(served.resource, ''), this.#storage.revision, {
      crossesGaps: true,
    });
    watch.onReadable = () => this.#catchUp();
    this.#watch = watch;
  }

  #catchUp(): void {
    const served = this.#served;
    if (!served || !this.#watch) return;
    for (let events = this.#watch.take(); events.length > 0; events = this.#watch.take()) {
      for (const event of events) {
        let next: ApiObject | undefined;
        let previous: ApiObject | undefined;
        try {
          if (event.type === 'put') next = event.value;
          previous = event.previous;
        } catch {
          continue; // A version cannot be decrypted or decoded. The storage has already logged the error.
        }
        next = next && served.read(next);
        previous = previous && served.read(previous);
        for (const index of this.#indices) index.change(next, previous);
        for (const callback of this.#callbacks) callback(next, previous);
      }
    }
  }
}

/** Returns the object of a storage entry; undefined when it cannot be decrypted or decoded. */
function readable(entry: Entry<ApiObject>): ApiObject | undefined {
  try {
    return entry.value;
  } catch {
    return undefined;
  }
}

/** An index of objects by the keys that a function returns for them. */
class Index {
  readonly indexOf: (object: ApiObject) => readonly string[];
  readonly #byKey = new Map<string, Map<string, ApiObject>>();

  constructor(indexOf: (object: ApiObject) => readonly string[], objects: readonly ApiObject[]) {
    this.indexOf = indexOf;
    for (const object of objects) this.change(object, undefined);
  }

  get(key: string): Iterable<ApiObject> {
    return this.#byKey.get(key)?.values() ?? [];
  }

  change(next: ApiObject | undefined, previous: ApiObject | undefined): void {
    if (previous) {
      for (const key of this.indexOf(previous)) {
        const group = this.#byKey.get(key);
        group?.delete(identity(previous));
        if (group?.size === 0) this.#byKey.delete(key);
      }
    }
    if (!next) return;
    for (const key of this.indexOf(next)) {
      let group = this.#byKey.get(key);
      if (!group) this.#byKey.set(key, (group = new Map()));
      group.set(identity(next), next);
    }
  }
}

const identity = ({ metadata }: ApiObject) => `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
