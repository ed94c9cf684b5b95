import { apiError, isApiError } from '../../meta/api-error.js';
import { awaitedTimer, type Clock, reading } from '../../meta/clock.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { Status } from '../../meta/status.js';
import { deepFreeze } from '../../store/freeze.js';
import type { Storage, StoreEvent } from '../../store/storage.js';
import { withMetadata } from '../edit.js';
import type { ServedForm } from '../served/served-form.js';
import { interpretStoreError } from '../store-errors.js';
import { ConvertedWatch, type EventSource } from './converted-watch.js';
import type { Selection } from './selection.js';

/** An event as clients receive it. */
export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: ApiObject }
  | { readonly type: 'BOOKMARK'; readonly object: ApiObject }
  | { readonly type: 'ERROR'; readonly object: Status };

/** The events of a watch. The HTTP layer takes them in batches and encodes them, or a client in this process iterates over them. */
export interface EventStream extends AsyncIterable<WatchEvent> {
  /** Whether the watch has ended. No more events arrive then, but the waiting ones can still be taken. */
  readonly ended: boolean;
  /** The reason if the watch was interrupted instead of ending normally. */
  readonly broken?: string | undefined;
  /** Whether an event waits to be taken, or the client that iterates over the events has not finished with the one it has taken. */
  readonly hasUntaken: boolean;
  /** The number of events that the test kit holds back. They do not count as waiting. Absent for watches that hold nothing back. */
  readonly held?: number | undefined;
  /** Called when an event waits, and when the watch has ended. */
  onReadable: (() => void) | undefined;
  /** Takes about `max` of the waiting events; [] when no event waits. */
  take(max?: number): readonly WatchEvent[];
  /** Stops the watch; nothing more can be taken. */
  close(): void;
  /** Calls `callback` once when the watch ends, or immediately if it has ended. */
  whenEnded(callback: () => void): void;
  /**
   * Keeps the process alive while a reader waits for events, if the caller chose the timeout of the watch. Returns a function that lets
   * the process exit again.
   */
  hold(): () => void;
}

/** The options of a watch. */
export interface ResourceWatchOptions {
  readonly storage: Storage<ApiObject>;
  readonly form: ServedForm;
  readonly clock: Clock;
  readonly selection: Selection;
  readonly prefix: string;
  /** Whether the prefix is the key of one object. */
  readonly exact: boolean;
  /** The objects that are sent as ADDED events first. */
  readonly initial: readonly ApiObject[];
  /** The watch sends the events after this revision. */
  readonly fromRevision: number;
  /**
   * Whether the initial events are followed by a bookmark with the annotation `k8s.io/initial-events-end` (`orch.io/…` in the orch
   * dialect).
   */
  readonly initialEventsEnd: boolean;
  readonly bookmarks: boolean;
  /** Returns the object of a bookmark. */
  bookmark(revision: number, initialEventsEnd: boolean): ApiObject;
  /** The milliseconds until the watch ends by itself. */
  readonly timeout: number;
  /** Whether the caller chose the timeout. If so, an in-process watch keeps the process alive until the timeout. */
  readonly hasOwnTimeout: boolean;
  /** Called when the watch has ended. */
  readonly onEnd?: (watch: ResourceWatch) => void;
}

const BOOKMARK_INTERVAL = 60_000;
const BOOKMARK_BEFORE_END = 2_000;
const TAKEN_AT_ONCE = 1_000;

/**
 * A stream of a collection's changes. An object that starts or stops matching the selectors is sent as ADDED or DELETED. Watches that send
 * the same change share one event object, so that it is encoded once.
 *
 * A watch holds only references to stored objects until its events are taken: the initial state and the events of the store's watch. The
 * version of a bookmark is set when the bookmark is taken: the revision of the last change taken before it, or the store's revision when no
 * change waits. So versions never decrease, and a watch that starts from a bookmark neither loses nor repeats events.
 */
export class ResourceWatch implements EventStream {
  onReadable: (() => void) | undefined;
  readonly #options: ResourceWatchOptions;
  #source: EventSource | undefined;
  #initialSent = 0;
  #markInitialEnd: boolean;
  #bookmarkDue = false;
  #failure: Status | undefined;
  #ended = false;
  /** The last revision to send after {@link finish} was called. */
  #last = Number.POSITIVE_INFINITY;
  /** Every event up to this revision was taken or does not match this watch. */
  #revision: number;
  readonly #whenEnded: (() => void)[] = [];
  /** The number of events that the iterator has taken from the buffer but its consumer has not processed yet. */
  #inHand = 0;
  #endsAt = 0;
  #stopEnd: (() => void) | undefined;
  #stopBookmarks: (() => void) | undefined;

  constructor(options: ResourceWatchOptions) {
    this.#options = options;
    this.#markInitialEnd = options.initialEventsEnd;
    this.#revision = options.fromRevision;
    try {
      const { storage, form, selection, prefix, fromRevision, exact } = options;
      // Objects that are converted asynchronously can only be matched after their conversion.
      const matchesNow = !selection.everything && !form.ready;
      const source = storage.watch(prefix, fromRevision, {
        exact,
        ...(matchesNow && { concerns: (event) => this.#concerns(event) }),
      });
      this.#source = form.ready ? new ConvertedWatch(source, form.ready, !selection.everything) : source;
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#source.onReadable = () => {
      // When the store has closed the source, no events follow. The timers are stopped at once, because a watch without a reader would keep
      // them until its timeout. The waiting events can still be taken.
      if (this.#source?.state === 'closed') this.#stopTimers();
      this.#wake();
    };
    const timeout = Math.max(options.timeout, 0);
    this.#endsAt = reading(options.clock) + timeout;
    this.#stopEnd = options.clock.setTimer(() => this.#end(), timeout, false, `end of the watch of ${options.prefix}`);
    if (options.bookmarks) this.#scheduleBookmark(timeout);
  }

  /** Returns a watch that sends the error as its only event and ends. */
  static failed(options: ResourceWatchOptions, error: unknown): ResourceWatch {
    const watch = new ResourceWatch({ ...options, initial: [], initialEventsEnd: false, timeout: 0 });
    watch.#fail(error);
    return watch;
  }

  /** Whether the watch has ended. No more events arrive then, but the waiting ones can still be taken. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Calls `callback` once when the watch ends, or immediately if it has ended. */
  whenEnded(callback: () => void): void {
    if (this.#ended) callback();
    else this.#whenEnded.push(callback);
  }

  /** Takes about `max` of the waiting events; [] when no event waits. */
  take(max: number = TAKEN_AT_ONCE): readonly WatchEvent[] {
    const out: WatchEvent[] = [];
    if (!this.#takeInitial(out, max)) return out;
    if (out.length < max) this.#takeChanges(out, max - out.length);
    this.#takeBookmark(out);
    if (this.#failure) out.push({ type: 'ERROR', object: this.#failure });
    this.#failure = undefined;
    // A watch that has ended may still be asked for events, and its error is sent only once.
    if (!this.#ended && this.#source?.state === 'closed' && out.length === 0) {
      const { error } = this.#source;
      if (isApiError(error)) out.push({ type: 'ERROR', object: error.status });
      this.#end();
    }
    if (this.#last < Number.POSITIVE_INFINITY && !this.#waits()) this.#end();
    return out;
  }

  /** Takes initial events; returns true when all of them are taken. */
  #takeInitial(out: WatchEvent[], max: number): boolean {
    const { initial, bookmark, fromRevision } = this.#options;
    while (this.#initialSent < initial.length && out.length < max) {
      const object = initial[this.#initialSent++];
      if (object) out.push({ type: 'ADDED', object });
    }
    if (this.#initialSent < initial.length) return false;
    if (this.#markInitialEnd) out.push({ type: 'BOOKMARK', object: bookmark(fromRevision, true) });
    this.#markInitialEnd = false;
    return true;
  }

  /**
   * Takes changes until one can be sent or none waits, because the source does not call `onReadable` again for events that are left in it.
   */
  #takeChanges(out: WatchEvent[], max: number): void {
    for (;;) {
      const events = this.#source?.take(max) ?? [];
      for (const event of events) {
        if (event.revision > this.#last) {
          this.#end();
          return;
        }
        this.#revision = event.revision;
        let watchEvent: WatchEvent | undefined;
        try {
          watchEvent = this.#watchEventFor(event);
        } catch (error) {
          const known = interpretStoreError(error, 'exact');
          if (!isApiError(known)) throw error;
          // The client has to list again, because the change cannot be sent.
          this.#fail(known);
          return;
        }
        if (watchEvent) out.push(watchEvent);
      }
      if (events.length === 0 || out.length > 0) return;
    }
  }

  /** Adds a due bookmark after the events that were just taken, so that it is sent even if changes never pause. */
  #takeBookmark(out: WatchEvent[]): void {
    if (!this.#bookmarkDue) return;
    this.#bookmarkDue = false;
    // No bookmark is sent before the store has reached the version that the watch was opened at, because the bookmark's version would be in
    // the future.
    if (this.#options.storage.revision < this.#options.fromRevision) return;
    // The source has delivered all its events, so every change up to the store's revision was delivered or does not match this watch.
    if (this.#source?.state === 'live') this.#revision = Math.max(this.#revision, this.#options.storage.revision);
    out.push({ type: 'BOOKMARK', object: this.#options.bookmark(this.#revision, false) });
  }

  /** Stops the watch; nothing more can be taken. */
  close(): void {
    this.#initialSent = this.#options.initial.length;
    this.#markInitialEnd = false;
    this.#bookmarkDue = false;
    this.#failure = undefined;
    this.#inHand = 0;
    this.#end();
  }

  /** Ends the watch after the waiting events are taken. */
  finish(): void {
    this.#last = this.#options.storage.revision;
    if (!this.#waits()) this.#end();
  }

  #waits(): boolean {
    if (this.#initialSent < this.#options.initial.length || this.#markInitialEnd) return true;
    return this.#source?.state === 'lagging' || this.#source?.state === 'replaying';
  }

  /**
   * Whether an event waits to be taken, or the consumer of the iterator has not processed all taken events yet. A waiting change may turn
   * out not to match the watch.
   */
  get hasUntaken(): boolean {
    return this.#inHand > 0 || this.#bookmarkDue || this.#failure !== undefined || this.#waits();
  }

  /** Iterates over taken events. An event counts as processed when the consumer requests the next one. */
  *#handOver(events: readonly WatchEvent[]): Generator<WatchEvent> {
    this.#inHand = events.length;
    for (const event of events) {
      yield event;
      this.#inHand--;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WatchEvent> {
    try {
      for (;;) {
        const events = this.take();
        if (events.length > 0) yield* this.#handOver(events);
        else if (this.#ended) return;
        else await this.#untilReadable();
      }
    } finally {
      this.close();
    }
  }

  /**
   * Keeps the process alive while a reader waits for events, if the caller chose the timeout of the watch. Returns a function that lets
   * the process exit again. Without a chosen timeout the reader may be background work, which must not keep a finished script alive for an
   * hour.
   */
  hold(): () => void {
    const { clock, hasOwnTimeout, prefix } = this.#options;
    if (!hasOwnTimeout || this.#ended) return () => {};
    return awaitedTimer(clock, () => this.#end(), this.#endsAt - reading(clock), `end of the watch of ${prefix}`);
  }

  async #untilReadable(): Promise<void> {
    const release = this.hold();
    await new Promise<void>((resolve) => (this.onReadable = resolve));
    release();
  }

  /** Returns whether the selectors match an object before or after a change. */
  #concerns(event: StoreEvent<ApiObject>): boolean {
    const { form, selection } = this.#options;
    try {
      if (selection.matches(form.fromStorage(event.value))) return true;
      return event.previous !== undefined && selection.matches(form.fromStorage(event.previous));
    } catch {
      return true; // The reader reports an object that cannot be read, so its event must not be filtered out here.
    }
  }

  #watchEventFor(event: StoreEvent<ApiObject>): WatchEvent | undefined {
    const { selection, form } = this.#options;
    const object = form.fromStorage(event.value);
    if (selection.everything) return plainEvent(event, object);
    const previous = event.previous && form.fromStorage(event.previous);
    const was = previous !== undefined && selection.matches(previous);
    if (event.type === 'delete') return was ? plainEvent(event, object) : undefined;
    const is = selection.matches(object);
    if (is) return was ? plainEvent(event, object) : { type: 'ADDED', object };
    return was && previous ? deletedEventOf(event, previous) : undefined;
  }

  #wake(): void {
    this.onReadable?.();
  }

  /**
   * Schedules a bookmark every minute and one shortly before the watch ends. Timers measure the intervals, so a change of the wall clock
   * does not affect them.
   */
  #scheduleBookmark(left: number): void {
    const beforeEnd = left - BOOKMARK_BEFORE_END;
    const wait = beforeEnd > 0 ? Math.min(BOOKMARK_INTERVAL, beforeEnd) : BOOKMARK_INTERVAL;
    const { clock, prefix } = this.#options;
    const fall = () => {
      this.#bookmarkDue = true;
      this.#scheduleBookmark(left - wait);
      this.#wake();
    };
    this.#stopBookmarks = clock.setTimer(fall, wait, false, `bookmark of the watch of ${prefix}`);
  }

  #fail(error: unknown): void {
    this.#failure = isApiError(error) ? error.status : this.#tooOld().status;
    this.#end();
  }

  #tooOld() {
    const { storage, fromRevision } = this.#options;
    return apiError.expired(`too old resource version: ${fromRevision} (${storage.compactRevision})`);
  }

  #stopTimers(): void {
    this.#stopEnd?.();
    this.#stopBookmarks?.();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#stopTimers();
    this.#source?.close();
    this.#options.onEnd?.(this);
    for (const callback of this.#whenEnded) callback();
    this.#wake();
  }
}

type ChangeEvent = Extract<WatchEvent, { type: 'ADDED' | 'MODIFIED' | 'DELETED' }>;

/**
 * Returns the event with the type of the change itself. It is for changes of objects that the selectors match both before and after the
 * change.
 */
function plainEvent(event: StoreEvent<ApiObject>, object: ApiObject): ChangeEvent {
  return { type: event.type === 'delete' ? 'DELETED' : event.previous === undefined ? 'ADDED' : 'MODIFIED', object };
}

// The DELETED events of objects that stopped matching. All watches share one event object per change, so that it is encoded once.
const departures = new WeakMap<StoreEvent<ApiObject>, ChangeEvent>();

/** Returns the DELETED event of an object that stopped matching: its last matching state with the version of the change. */
function deletedEventOf(event: StoreEvent<ApiObject>, previous: ApiObject): ChangeEvent {
  let deletedEvent = departures.get(event);
  if (
    !deletedEvent ||
    deletedEvent.object.kind !== previous.kind ||
    deletedEvent.object.apiVersion !== previous.apiVersion
  ) {
    const object = withMetadata(previous, { resourceVersion: String(event.revision) });
    departures.set(event, (deletedEvent = deepFreeze<ChangeEvent>({ type: 'DELETED', object })));
  }
  return deletedEvent;
}
