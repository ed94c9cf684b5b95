import type {
  CommittedWrite,
  Storage,
  StorageFactory,
  StorageWiring,
  TryUpdate,
  UpdateOptions,
} from '../../src/exports/storage.js';
import { MemoryState, StoreError } from '../../src/exports/storage.js';

/** A storage for several servers: one order of writes, of which each server's view has received the beginning. */
export class SharedBackend {
  readonly log: CommittedWrite<object>[] = [];
  readonly views: SharedView<object>[] = [];
  readonly #revisions = new Map<string, number>();

  /** The value of the option `storage`; servers get their views in the order in which they open them. */
  readonly storage: StorageFactory = <T extends object>(wiring: StorageWiring<T>) => {
    const view = new SharedView<T>(this, wiring);
    this.views.push(view as unknown as SharedView<object>);
    return view;
  };

  get revision(): number {
    return 1 + this.log.length;
  }
  revisionOf(key: string): number {
    return this.#revisions.get(key) ?? 0;
  }
  /** Returns whether a key with one of the prefixes was written after a revision. */
  wroteSince(revision: number, prefixes: readonly string[]): boolean {
    return this.log.slice(revision - 1).some(({ key }) => prefixes.some((prefix) => key.startsWith(prefix)));
  }
  append(write: CommittedWrite<object>): void {
    this.log.push(write);
    if (write.type === 'put') this.#revisions.set(write.key, write.revision);
    else this.#revisions.delete(write.key);
    for (const view of this.views) view.hear();
  }
  /** Delivers all writes to every view. */
  catchUp(): void {
    for (const view of this.views) view.catchUp();
  }
}

/** The view of one server: it receives writes a turn later, or, while it is held, when it must. */
export class SharedView<T extends object> implements Storage<T> {
  /** While it is true, the view receives only the writes that it requests from the backend. */
  held = false;
  /** While it is true, the view receives no responses to its requests either. */
  deaf = false;
  /** While it is true, the view cannot write either. */
  cut = false;
  readonly #backend: SharedBackend;
  readonly #wiring: StorageWiring<T>;
  readonly #state: MemoryState<T>;
  #heard = false;

  constructor(backend: SharedBackend, wiring: StorageWiring<T>) {
    this.#backend = backend;
    this.#wiring = wiring;
    this.#state = new MemoryState<T>({ clock: wiring.clock });
    this.catchUp();
  }

  get revision() {
    return this.#state.revision;
  }
  get compactRevision() {
    return this.#state.compactRevision;
  }
  get: Storage<T>['get'] = (key) => this.#state.get(key);
  list: Storage<T>['list'] = (prefix, options) => this.#state.list(prefix, options);
  count: Storage<T>['count'] = (prefix) => this.#state.count(prefix);
  watch: Storage<T>['watch'] = (prefix, from, options) => this.#state.watch(prefix, from, options);

  waitFor: Storage<T>['waitFor'] = async (revision = this.#backend.revision, options) => {
    await Promise.resolve();
    if (!this.deaf) this.catchUp(Math.min(revision, this.#backend.revision));
    await this.#state.waitFor(revision, options);
  };

  async guaranteedUpdate(key: string, tryUpdate: TryUpdate<T>, options: UpdateOptions = {}) {
    for (;;) {
      if (this.#state.isClosed) throw new StoreError('closed', 'the store was closed');
      if (this.cut) throw new StoreError('unavailable', 'the backend cannot be reached');
      const { revision } = this.#state;
      const old = this.#state.get(key);
      const update = await tryUpdate(old);
      if (this.#state.isClosed) throw new StoreError('closed', 'the store was closed');
      const isCurrent =
        this.#backend.revisionOf(key) === (old?.revision ?? 0) &&
        !this.#backend.wroteSince(revision, options.dependsOn ?? []);
      if (!isCurrent) {
        this.catchUp();
        continue;
      }
      if (update.action === 'put') {
        if (old && this.#wiring.equals(old.value, update.value)) return { entry: old, outcome: 'unchanged' as const };
        return {
          entry: this.#write('put', key, update.value),
          outcome: old ? ('updated' as const) : ('created' as const),
        };
      }
      if (update.action === 'keep' || !old) return { entry: old, outcome: 'unchanged' as const };
      return { entry: this.#write('delete', key, update.value ?? old.value), outcome: 'deleted' as const };
    }
  }

  async close(): Promise<void> {
    this.#state.close();
  }

  /** Receives the writes up to a revision. */
  catchUp(revision = this.#backend.revision): void {
    while (!this.#state.isClosed && this.#state.revision < revision) {
      const write = this.#backend.log[this.#state.revision - 1] as CommittedWrite<T>;
      this.#state.apply({ ...write, value: structuredClone(write.value) });
    }
  }

  hear(): void {
    if (this.#heard || this.held || this.deaf) return;
    this.#heard = true;
    setImmediate(() => {
      this.#heard = false;
      if (!this.held && !this.deaf) this.catchUp();
    });
  }

  #write(type: 'put' | 'delete', key: string, value: T) {
    const revision = this.#backend.revision + 1;
    this.#backend.append({ type, key, value: structuredClone(this.#wiring.stamp(value, revision)), revision });
    const before = this.#state.get(key);
    this.catchUp();
    return type === 'put' || !before
      ? this.#state.get(key)
      : { ...before, value: this.#wiring.stamp(value, revision), revision };
  }
}
