import { apiError, isApiError } from '../meta/api-error.js';
import type { Clock } from '../meta/clock.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { Status } from '../meta/status.js';
import type { Storage, StoreEvent, Watch } from '../store/storage.js';
import { withMetadata } from './edit.js';
import type { Selection } from './selection.js';
import type { ServedForm } from './served-form.js';

/** One event as clients see it (document 2, section 6). */
export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: ApiObject }
  | { readonly type: 'BOOKMARK'; readonly object: ApiObject }
  | { readonly type: 'ERROR'; readonly object: Status };

/** What a watch is opened with. */
export interface ResourceWatchOptions {
  readonly storage: Storage<ApiObject>;
  readonly form: ServedForm;
  readonly clock: Clock;
  readonly selection: Selection;
  readonly prefix: string;
  /** The prefix is the key of one object. */
  readonly exact: boolean;
  /** Told as ADDED before anything else. */
  readonly initial: readonly ApiObject[];
  /** Events after this revision follow. */
  readonly fromRevision: number;
  /** Ends the initial events with a marked bookmark. */
  readonly initialEventsEnd: boolean;
  readonly bookmarks: boolean;
  /** Makes the object of a bookmark. */
  bookmark(revision: number, initialEventsEnd: boolean): ApiObject;
  /** Milliseconds until the stream ends by itself. */
  readonly timeout: number;
}

const BOOKMARK_INTERVAL = 60_000;
const BOOKMARK_BEFORE_END = 2_000;
const TAKEN_AT_ONCE = 1_000;

/**
 * A stream of a collection's changes (document 2, section 4.7). Selectors turn changes into arrivals and departures;
 * every watch that tells a change the same way tells the same object, so that its encoding is made once.
 */
export class ResourceWatch implements AsyncIterable<WatchEvent> {
  onReadable: (() => void) | undefined;
  readonly #options: ResourceWatchOptions;
  readonly #waiting: WatchEvent[] = [];
  #source: Watch<ApiObject> | undefined;
  #initialSent = 0;
  #markInitialEnd: boolean;
  #ended = false;
  #revision: number;
  #stopTimers: (() => void)[] = [];

  constructor(options: ResourceWatchOptions) {
    this.#options = options;
    this.#markInitialEnd = options.initialEventsEnd;
    this.#revision = options.fromRevision;
    try {
      this.#source = options.storage.watch(options.prefix, options.fromRevision, { exact: options.exact });
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#source.onReadable = () => this.#wake();
    const now = options.clock.now();
    const deadline = now + options.timeout;
    this.#stopTimers.push(options.clock.setTimer(() => this.#end(), Math.max(options.timeout, 0)));
    if (options.bookmarks) this.#scheduleBookmark(deadline);
  }

  /** A watch that says why it cannot be, and ends. */
  static failed(options: ResourceWatchOptions, error: unknown): ResourceWatch {
    const watch = new ResourceWatch({ ...options, initial: [], initialEventsEnd: false, timeout: 0 });
    watch.#fail(error);
    return watch;
  }

  /** No more events will come; those waiting can still be taken. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Up to some events that wait now; [] when none do. */
  take(): readonly WatchEvent[] {
    const out: WatchEvent[] = [];
    const { initial } = this.#options;
    while (this.#initialSent < initial.length && out.length < TAKEN_AT_ONCE) {
      const object = initial[this.#initialSent++];
      if (object) out.push({ type: 'ADDED', object });
    }
    if (this.#initialSent < initial.length) return out;
    if (this.#markInitialEnd) {
      this.#markInitialEnd = false;
      out.push({ type: 'BOOKMARK', object: this.#options.bookmark(this.#options.fromRevision, true) });
    }
    this.#takeChanges(out);
    if (this.#waiting.length > 0) out.push(...this.#waiting.splice(0));
    if (this.#source?.state === 'closed' && out.length === 0) this.#end();
    return out;
  }

  /** Takes until something is told or nothing waits: the source does not call again for what was left. */
  #takeChanges(out: WatchEvent[]): void {
    for (;;) {
      const events = this.#source?.take(TAKEN_AT_ONCE) ?? [];
      for (const event of events) {
        this.#revision = event.revision;
        const told = this.#tell(event);
        if (told) out.push(told);
      }
      if (events.length === 0 || out.length > 0) return;
    }
  }

  /** Stops it; nothing more can be taken. */
  close(): void {
    this.#initialSent = this.#options.initial.length;
    this.#markInitialEnd = false;
    this.#waiting.length = 0;
    this.#end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WatchEvent> {
    try {
      for (;;) {
        const events = this.take();
        if (events.length > 0) yield* events;
        else if (this.#ended) return;
        else await new Promise<void>((resolve) => (this.onReadable = resolve));
      }
    } finally {
      this.close();
    }
  }

  #tell(event: StoreEvent<ApiObject>): WatchEvent | undefined {
    const { selection, form } = this.#options;
    const object = form.fromStorage(event.value);
    if (selection.everything) return plainEvent(event, object);
    const previous = event.previous && form.fromStorage(event.previous);
    const was = previous !== undefined && selection.matches(previous);
    if (event.type === 'delete') return was ? plainEvent(event, object) : undefined;
    const is = selection.matches(object);
    if (is) return was ? plainEvent(event, object) : { type: 'ADDED', object };
    return was && previous ? departure(event, previous) : undefined;
  }

  #wake(): void {
    this.onReadable?.();
  }

  #scheduleBookmark(deadline: number): void {
    const { clock } = this.#options;
    const now = clock.now();
    const beforeEnd = deadline - BOOKMARK_BEFORE_END;
    const at = beforeEnd > now ? Math.min(now + BOOKMARK_INTERVAL, beforeEnd) : now + BOOKMARK_INTERVAL;
    this.#stopTimers.push(
      clock.setTimer(() => {
        if (this.#ended) return;
        this.#stopTimers.splice(1);
        // Everything up to the store's revision was told or does not concern this watch, once nothing waits.
        const idle = this.#source?.state === 'live';
        if (idle) this.#revision = Math.max(this.#revision, this.#options.storage.revision);
        this.#waiting.push({ type: 'BOOKMARK', object: this.#options.bookmark(this.#revision, false) });
        this.#scheduleBookmark(deadline);
        this.#wake();
      }, at - now),
    );
  }

  #fail(error: unknown): void {
    const status = isApiError(error) ? error.status : this.#tooOld().status;
    this.#waiting.push({ type: 'ERROR', object: status });
    this.#end();
  }

  #tooOld() {
    const { storage, fromRevision } = this.#options;
    return apiError.expired(`too old resource version: ${fromRevision} (${storage.compactRevision})`);
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const stop of this.#stopTimers) stop();
    this.#source?.close();
    this.#wake();
  }
}

type ChangeEvent = Extract<WatchEvent, { type: 'ADDED' | 'MODIFIED' | 'DELETED' }>;

/** A change as it is told to whom nothing arrives or departs by it. */
function plainEvent(event: StoreEvent<ApiObject>, object: ApiObject): ChangeEvent {
  return { type: event.type === 'delete' ? 'DELETED' : event.previous === undefined ? 'ADDED' : 'MODIFIED', object };
}

// One object for all watches, so that its encoding is made once.
const departures = new WeakMap<StoreEvent<ApiObject>, ChangeEvent>();

/** The object as it was when it still matched, with the version of the change that made it leave. */
function departure(event: StoreEvent<ApiObject>, previous: ApiObject): ChangeEvent {
  let told = departures.get(event);
  if (!told || told.object.kind !== previous.kind || told.object.apiVersion !== previous.apiVersion) {
    const object = withMetadata(previous, { resourceVersion: String(event.revision) });
    departures.set(event, (told = { type: 'DELETED', object }));
  }
  return told;
}
