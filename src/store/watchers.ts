import type { MemoryWatch } from './memory-watch.js';
import type { StoreEvent } from './storage.js';

/** The watches of one key or prefix. Most prefixes have one, that of a lister, and a server has sixty of them. */
type Watched<T> = MemoryWatch<T> | Set<MemoryWatch<T>>;
type WatchIndex<T> = Map<string, Watched<T>>;

/**
 * All open watches, indexed so that a write visits only the watches it concerns: by exact key, and by prefixes that end with a slash (found
 * by cutting the written key at its slashes). Watches of other prefixes, such as `''`, are checked one by one.
 */
export class Watchers<T> {
  readonly #byKey: WatchIndex<T> = new Map();
  readonly #byFolder: WatchIndex<T> = new Map();
  readonly #others = new Set<MemoryWatch<T>>();
  /** May include watches that have finished replaying; the next {@link endOvertaken} removes them. */
  readonly #replaying = new Set<MemoryWatch<T>>();
  /** Watches to notify. They are notified only after the event is in all buffers, so that a reader may write synchronously. */
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

  /** Notes that a watch reads from the history again. */
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

  /** Puts an event into the buffers of all watches it concerns; `bytes` is the memory that it keeps alive. */
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

  /** Ends the watches that need every event, because some are lost. */
  endAtGap(error: Error): void {
    for (const watch of this.#all()) if (!watch.crossesGaps) watch.end(error);
  }

  /** Notifies every reader that has events to take. If a reader writes meanwhile, its event only adds to the queue. */
  tell(): void {
    if (this.#isTelling || this.#pending.length === 0) return;
    this.#isTelling = true;
    while (this.#pending.length > 0) {
      const pending = this.#pending;
      this.#pending = [];
      for (const watch of pending) watch.notify();
    }
    this.#isTelling = false;
  }

  /** Ends all cleanly and notifies them. */
  close(): void {
    for (const watch of this.#all()) watch.end(undefined);
    this.tell();
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
    if (watches instanceof Set) for (const watch of watches) this.#deliverOne(watch, event, bytes);
    else this.#deliverOne(watches, event, bytes);
  }

  #deliverOne(watch: MemoryWatch<T>, event: StoreEvent<T>, bytes: number): void {
    if (watch.deliver(event, bytes)) this.#pending.push(watch);
  }
}
