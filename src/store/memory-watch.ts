import type { History } from './history.js';
import { iterateWatch } from './iterate-watch.js';
import { StoreError, type StoreEvent, type Watch, type WatchOptions } from './storage.js';

/** The members of a `MemoryState` that a watch uses. */
export interface WatchSource<T> {
  readonly history: History<T>;
  /** Called once, when the reader or the store closes the watch. */
  closed(watch: MemoryWatch<T>): void;
  /** Called when a watch dropped its full buffer and reads from the history again. */
  replaying(watch: MemoryWatch<T>): void;
  /** Notifies the readers of all watches that have events or have ended. */
  notifyReaders(): void;
}

const NONE: readonly never[] = [];
const DEFAULT_TAKE = 1000;
const DEFAULT_MAX_BUFFERED = 1000;
const DEFAULT_MAX_BUFFERED_BYTES = 8 * 1024 * 1024;

/**
 * The stream of one reader. While `replaying`, it has only its position in the history, and new events reach it through the history. After
 * the end of the history it becomes `live`, and events go into its own buffer of limited size. When the buffer is full, the watch goes back
 * to `replaying`. Both changes are synchronous, so no event is lost or repeated.
 */
export class MemoryWatch<T> implements Watch<T> {
  onReadable: (() => void) | undefined;
  readonly prefix: string;
  readonly exact: boolean;
  readonly crossesGaps: boolean;
  readonly #source: WatchSource<T>;
  readonly #fromRevision: number;
  readonly #concerns: WatchOptions<T>['concerns'];
  readonly #maxBuffered: number;
  readonly #maxBufferedBytes: number;
  #state: Watch<T>['state'] = 'live';
  #error: Error | undefined;
  /** While replaying, this is the number of the next matching record of the history. */
  #place: number;
  /**
   * The waiting events of a lagging watch; otherwise undefined. Most watches belong to listers, which take each event at once, so they
   * rarely need a buffer.
   */
  #buffer: StoreEvent<T>[] | undefined;
  /** The bytes of versions that the buffer keeps alive even if the history drops them. */
  #bufferedBytes = 0;
  #wakes: (() => void)[] | undefined;

  constructor(source: WatchSource<T>, prefix: string, fromRevision: number, options: WatchOptions<T>) {
    this.#source = source;
    this.prefix = prefix;
    this.exact = options.exact === true;
    this.crossesGaps = options.crossesGaps === true;
    this.#fromRevision = fromRevision;
    this.#concerns = options.concerns;
    this.#maxBuffered = options.maxBuffered ?? DEFAULT_MAX_BUFFERED;
    this.#maxBufferedBytes = options.maxBufferedBytes ?? DEFAULT_MAX_BUFFERED_BYTES;
    this.#place = source.history.firstAfter(fromRevision);
    this.#seek();
  }

  get state(): Watch<T>['state'] {
    return this.#state;
  }
  get error(): Error | undefined {
    return this.#error;
  }

  take(max = DEFAULT_TAKE): readonly StoreEvent<T>[] {
    if (!(max > 0)) return NONE;
    if (this.#state === 'replaying') return this.#replay(max);
    const all = this.#buffer;
    if (this.#state !== 'lagging' || all === undefined) return NONE;
    if (all.length > max) return all.splice(0, max);
    this.#buffer = undefined;
    this.#bufferedBytes = 0;
    this.#state = 'live';
    return all;
  }

  close(): void {
    this.end(undefined);
    this.#source.notifyReaders();
  }
  [Symbol.asyncIterator](): AsyncIterator<StoreEvent<T>> {
    return iterateWatch(this, () => new Promise((resolve) => (this.#wakes ??= []).push(resolve)));
  }

  /** Returns whether the watch includes this key. */
  matches(key: string): boolean {
    return this.exact ? key === this.prefix : key.startsWith(this.prefix);
  }

  /**
   * Accepts a new matching event; returns true when the reader must be notified.
   * @param bytes the memory that the event keeps alive
   */
  deliver(event: StoreEvent<T>, bytes: number): boolean {
    const isNew = event.revision > this.#fromRevision;
    if (!isNew || this.#state === 'replaying' || this.#state === 'closed') return false;
    if (this.#concerns?.(event) === false) return false;
    const buffer = (this.#buffer ??= []);
    const [oldest] = buffer;
    this.#bufferedBytes += bytes;
    const isFull = buffer.length >= this.#maxBuffered || this.#bufferedBytes > this.#maxBufferedBytes;
    if (oldest !== undefined && isFull) {
      this.#fallBack(oldest);
      return false;
    }
    buffer.push(event);
    if (this.#state === 'lagging') return false;
    this.#state = 'lagging';
    return true;
  }

  /** Drops a full buffer and goes back to replaying. The history contains all dropped events, including the newest one. */
  #fallBack(oldest: StoreEvent<T>): void {
    this.#buffer = undefined;
    this.#bufferedBytes = 0;
    const { history } = this.#source;
    this.#place = history.firstAfter(oldest.revision - 1);
    // The reader may have taken some events of this revision already, so the position moves on to the oldest event of the buffer.
    const { records } = history;
    while (records.at(this.#place)?.event.revision === oldest.revision && records.at(this.#place)?.event !== oldest)
      this.#place++;
    this.#state = 'replaying';
    this.#source.replaying(this);
    this.endIfOvertaken();
  }

  /** Ends a replay whose next event the history has dropped. */
  endIfOvertaken(): void {
    if (this.#state !== 'replaying' || this.#place >= this.#source.history.records.start) return;
    this.end(new StoreError('lagging', 'the history dropped events that the reader had not read yet'));
  }

  /**
   * Closes the watch, with an error or cleanly, and drops the waiting events. The reader is notified by the next {@link WatchSource.notifyReaders}.
   */
  end(error: Error | undefined): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#error = error;
    this.#buffer = undefined;
    this.#source.closed(this);
  }

  /** Notifies the reader of events or of the end. If the reader throws, the watch is closed with that error. */
  notify(): void {
    for (const wake of this.#wakes?.splice(0) ?? NONE) wake();
    try {
      this.onReadable?.();
    } catch (error) {
      this.onReadable = undefined;
      this.end(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #replay(max: number): readonly StoreEvent<T>[] {
    const taken: StoreEvent<T>[] = [];
    while (this.#state === 'replaying' && taken.length < max) {
      const record = this.#source.history.records.at(this.#place);
      if (record !== undefined) taken.push(record.event);
      this.#place++;
      this.#seek();
    }
    return taken;
  }

  /** Moves to the next matching event of the history; becomes live when there is none. */
  #seek(): void {
    const { records } = this.#source.history;
    for (; this.#place < records.end; this.#place++) {
      const record = records.at(this.#place);
      if (record !== undefined && this.matches(record.event.key)) {
        this.#state = 'replaying';
        return;
      }
    }
    this.#state = 'live';
  }
}

/** The watches of one key or prefix. Most prefixes have only the watch of one lister, so a set is created only for a second watch. */
type Watched<T> = MemoryWatch<T> | Set<MemoryWatch<T>>;
type WatchIndex<T> = Map<string, Watched<T>>;

/**
 * All open watches, indexed so that a write visits only the watches that it concerns. Watches of an exact key are found by the key. Watches
 * of a prefix that ends with a slash are found by cutting the written key at its slashes. Watches of other prefixes, such as `''`, are
 * checked one by one.
 */
export class Watchers<T> {
  readonly #byKey: WatchIndex<T> = new Map();
  readonly #byFolder: WatchIndex<T> = new Map();
  readonly #others = new Set<MemoryWatch<T>>();
  /**
   * The watches that read from the history. The set may also contain watches that have reached its end; the next {@link endOvertaken}
   * removes them.
   */
  readonly #replaying = new Set<MemoryWatch<T>>();
  /** The watches to notify. They are notified only after the event is in all buffers, because a reader may write synchronously. */
  #pending: MemoryWatch<T>[] = [];
  #isTelling = false;

  add(watch: MemoryWatch<T>): void {
    if (watch.state === 'replaying') this.#replaying.add(watch);
    const index = this.#indexOf(watch);
    if (index === undefined) {
      this.#others.add(watch);
      return;
    }
    const same = index.get(watch.prefix);
    if (same === undefined) index.set(watch.prefix, watch);
    else if (same instanceof Set) same.add(watch);
    else index.set(watch.prefix, new Set([same, watch]));
  }

  /** Registers a watch that reads from the history again. */
  replaying(watch: MemoryWatch<T>): void {
    this.#replaying.add(watch);
  }

  /** Removes a closed watch and schedules its notification. */
  remove(watch: MemoryWatch<T>): void {
    this.#replaying.delete(watch);
    const index = this.#indexOf(watch);
    if (index === undefined) {
      this.#others.delete(watch);
    } else {
      const same = index.get(watch.prefix);
      if (same instanceof Set) same.delete(watch);
      if (same === watch || (same instanceof Set && same.size === 0)) index.delete(watch.prefix);
    }
    this.#pending.push(watch);
  }

  /** Puts an event into the buffers of all watches that it concerns; `bytes` is the memory that the event holds. */
  deliver(event: StoreEvent<T>, bytes: number): void {
    const { key } = event;
    if (this.#byKey.size > 0) this.#deliverTo(this.#byKey.get(key), event, bytes);
    if (this.#byFolder.size > 0) {
      for (let slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', slash + 1)) {
        this.#deliverTo(this.#byFolder.get(key.slice(0, slash + 1)), event, bytes);
      }
    }
    for (const watch of this.#others) {
      if (watch.matches(key) && watch.deliver(event, bytes)) this.#pending.push(watch);
    }
  }

  /** Ends the watches whose next event the history has dropped; must be called after the history dropped events. */
  endOvertaken(): void {
    for (const watch of this.#replaying) {
      if (watch.state === 'replaying') watch.endIfOvertaken();
      else this.#replaying.delete(watch);
    }
  }

  /** Ends the watches that need every event, because some events are lost. */
  endAtGap(error: Error): void {
    for (const watch of this.#all()) if (!watch.crossesGaps) watch.end(error);
  }

  /**
   * Notifies every reader that can take events. If a reader writes while it is notified, the readers of the new event are notified after
   * the current ones.
   */
  notifyReaders(): void {
    if (this.#isTelling || this.#pending.length === 0) return;
    this.#isTelling = true;
    while (this.#pending.length > 0) {
      const pending = this.#pending;
      this.#pending = [];
      for (const watch of pending) watch.notify();
    }
    this.#isTelling = false;
  }

  /** Ends all watches without an error and notifies their readers. */
  close(): void {
    for (const watch of this.#all()) watch.end(undefined);
    this.notifyReaders();
  }

  #all(): MemoryWatch<T>[] {
    const open = [...this.#others];
    for (const index of [this.#byKey, this.#byFolder])
      for (const same of index.values()) for (const watch of same instanceof Set ? same : [same]) open.push(watch);
    return open;
  }

  #indexOf(watch: MemoryWatch<T>): WatchIndex<T> | undefined {
    if (watch.exact) return this.#byKey;
    return watch.prefix.endsWith('/') ? this.#byFolder : undefined;
  }

  #deliverTo(watches: Watched<T> | undefined, event: StoreEvent<T>, bytes: number): void {
    if (watches === undefined) return;
    // Most keys have one watch. It is not wrapped in a list, because this code runs for every write.
    if (!(watches instanceof Set)) {
      if (watches.deliver(event, bytes)) this.#pending.push(watches);
      return;
    }
    for (const watch of watches) if (watch.deliver(event, bytes)) this.#pending.push(watch);
  }
}
