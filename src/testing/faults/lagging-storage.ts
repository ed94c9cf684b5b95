import { awaitedTimer, type Clock } from '../../meta/clock.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { iterateWatch } from '../../store/iterate-watch.js';
import {
  type Entry,
  type ListOptions,
  type Page,
  type RevisionWaitOptions,
  type Storage,
  StoreError,
  type StoreEvent,
  type Watch,
  type WatchOptions,
} from '../../store/storage.js';
import { StorageView } from '../../store/storage-view.js';

/** The lag of a server behind its storage. */
export interface Lag {
  /** Returns the newest revision that the server knows. */
  limit(): number;
  /** Calls `callback` once, when the server has caught up. */
  onCaughtUp(callback: () => void): void;
}

const WAIT_TIMEOUT = 3000;
/** The maximum number of events that a watch holds back. A watch that exceeds it fails. */
const MAX_HELD = 100_000;

/**
 * The storage as a lagging server sees it. Every read and watch is served from one past state of the history. Writes go to the newest
 * state, because all servers commit to the same storage.
 */
export class LaggingStorage extends StorageView<ApiObject> {
  readonly #lag: Lag;
  readonly #clock: Clock;

  constructor(storage: Storage<ApiObject>, lag: Lag, clock: Clock) {
    super(storage);
    this.#lag = lag;
    this.#clock = clock;
  }

  /** The newest revision that the server knows, but at least the oldest one in the history. */
  override get revision(): number {
    const { revision, compactRevision } = this.storage;
    return Math.min(revision, Math.max(compactRevision, this.#lag.limit()));
  }

  override get(key: string): Entry<ApiObject> | undefined {
    const { revision } = this;
    if (revision === this.storage.revision) return this.storage.get(key);
    // If the key exists, it sorts before all other keys that begin with it. The first entry of this list is therefore the entry of the key.
    const [entry] = this.storage.list(key, { revision, limit: 1 }).entries;
    return entry?.key === key ? entry : undefined;
  }

  override list(prefix: string, options: ListOptions = {}): Page<ApiObject> {
    const current = this.revision;
    const { revision = current } = options;
    if (revision <= current) return this.storage.list(prefix, { ...options, revision });
    const message = `revision ${revision} is in the future, the newest is ${current}`;
    throw new StoreError('futureRevision', message, { requested: revision, current });
  }

  override count(prefix: string): number {
    return this.list(prefix).entries.length;
  }

  override watch(prefix: string, fromRevision: number, options: WatchOptions<ApiObject> = {}): Watch<ApiObject> {
    const { exact = false, concerns: _all, ...others } = options;
    // The source delivers the events of all keys, because a write to any key can advance the revision that the lagging server knows. Held
    // events may then be sent.
    const source = this.storage.watch('', fromRevision, others);
    const watch = new LaggingWatch(source, (key) => (exact ? key === prefix : key.startsWith(prefix)), this);
    this.#lag.onCaughtUp(() => watch.notice());
    return watch;
  }

  override waitFor(revision = this.revision, options: RevisionWaitOptions = {}): Promise<void> {
    if (revision <= this.revision) return Promise.resolve();
    const { timeoutMilliseconds = WAIT_TIMEOUT, signal } = options;
    return new Promise((resolve, reject) => {
      const writes = this.storage.watch('', this.storage.revision);
      const settle = (error?: StoreError) => {
        cancel();
        signal?.removeEventListener('abort', abort);
        writes.close();
        if (error) reject(error);
        else resolve();
      };
      const check = () => {
        while (writes.take().length > 0);
        if (revision <= this.revision) settle();
      };
      const abort = () => settle(new StoreError('aborted', 'the wait was aborted'));
      const cancel = awaitedTimer(
        this.#clock,
        () => settle(new StoreError('futureRevision', 'too late', { requested: revision, current: this.revision })),
        timeoutMilliseconds,
        `wait for revision ${revision}`,
      );
      writes.onReadable = check;
      this.#lag.onCaughtUp(check);
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    });
  }
}

type ObjectEvent = StoreEvent<ApiObject>;

/** Holds each event of a watch back until the lagging server has reached its revision. */
class LaggingWatch implements Watch<ApiObject> {
  onReadable: (() => void) | undefined;
  readonly #source: Watch<ApiObject>;
  readonly #matches: (key: string) => boolean;
  readonly #server: { readonly revision: number };
  readonly #wakes: (() => void)[] = [];
  #held: ObjectEvent[] = [];
  #error: Error | undefined;

  constructor(source: Watch<ApiObject>, matches: (key: string) => boolean, server: { readonly revision: number }) {
    this.#source = source;
    this.#matches = matches;
    this.#server = server;
    this.#pull();
    source.onReadable = () => this.notice();
  }

  get state(): Watch<ApiObject>['state'] {
    if (this.#source.state === 'closed') return 'closed';
    return this.#known() > 0 ? 'lagging' : 'live';
  }
  get error(): Error | undefined {
    return this.#error ?? this.#source.error;
  }

  take(max = 1000): readonly ObjectEvent[] {
    return this.#held.splice(0, Math.min(this.#known(), max));
  }

  /** Wakes the reader if the lagging server has reached the revision of a held event, or if the watch has ended. */
  notice(): void {
    this.#pull();
    if (this.state === 'live') return;
    for (const wake of this.#wakes.splice(0)) wake();
    this.onReadable?.();
  }

  close(): void {
    this.#held = [];
    this.#source.close();
  }
  [Symbol.asyncIterator](): AsyncIterator<ObjectEvent> {
    return iterateWatch(this, () => new Promise((resolve) => this.#wakes.push(resolve)));
  }

  /** Returns the number of held events whose revision the lagging server has reached. */
  #known(): number {
    const { revision } = this.#server;
    const unknown = this.#held.findIndex((event) => event.revision > revision);
    return unknown === -1 ? this.#held.length : unknown;
  }

  #pull(): void {
    for (let events = this.#source.take(); events.length > 0; events = this.#source.take())
      for (const event of events) if (this.#matches(event.key)) this.#held.push(event);
    if (this.#held.length <= MAX_HELD) return;
    this.#held = [];
    this.#error = new StoreError('lagging', `a watch holds no more than ${MAX_HELD} events back`);
    this.#source.close();
  }
}
