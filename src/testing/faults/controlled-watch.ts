import { apiError } from '../../meta/api-error.js';
import type { EventStream, WatchEvent } from '../../registry/reads/resource-watch.js';
import { CONNECTION_LOST } from '../../requests/interception.js';
import { utf8Length } from '../../values/utf8.js';
import { WrappedWatch } from '../wrapped-watch.js';
import type { WatchEnd } from './fault-spec.js';
import type { Matchable } from './request-target.js';
import type { Rule } from './rule.js';

/** A planned end of a watch, after some more events, unless its fault ends before that. */
interface Ending {
  left: number;
  readonly how: WatchEnd;
  readonly fault: Pick<Rule, 'ended' | 'fire'>;
}

/** A watch that a test can pause and end, and whose bookmarks it can drop. */
export class ControlledWatch extends WrappedWatch {
  readonly request: Matchable;
  readonly #droppers = new Set<() => boolean>();
  /**
   * The number of bytes of events that an in-process consumer may still receive before its iteration fails. Infinity if no fault cuts the
   * response off.
   */
  #left: number;
  readonly #pauses = new Set<object>();
  /** The planned ends, of which the first one that is reached applies. */
  #endings: readonly Ending[] = [];
  #ended = false;
  /** Whether the client has closed the watch. */
  #isClosed = false;
  #broken: string | undefined;
  #last: readonly WatchEvent[] = [];

  constructor(request: Matchable, source: EventStream, cutAfter?: number) {
    super(source);
    this.request = request;
    this.#left = cutAfter ?? Number.POSITIVE_INFINITY;
  }

  override get ended(): boolean {
    // A paused watch does not report that it has ended, because a client that is cut off does not learn of an end that its server sends. It
    // does learn that its connection was lost, and that it has closed the watch itself.
    if (this.#broken !== undefined || this.#isClosed) return true;
    return this.#pauses.size === 0 && (this.#ended || this.source.ended);
  }
  override get broken(): string | undefined {
    return this.#broken ?? this.source.broken;
  }
  protected get waits(): boolean {
    return this.#last.length > 0 || (!this.#ended && this.source.hasUntaken);
  }

  take(max?: number): readonly WatchEvent[] {
    if (this.#pauses.size > 0 && !this.#isClosed) return [];
    if (this.#ended) {
      const last = this.#last;
      this.#last = [];
      return last;
    }
    for (;;) {
      const events = this.source.take(max);
      const kept = this.#upToEnd(this.#droppers.size === 0 ? events : events.filter((event) => !this.#drops(event)));
      if (kept.length > 0 || events.length === 0) return kept;
      if (this.#ended) return this.take();
    }
  }

  /** Ends the watch after a number of further changes, unless another end comes first; bookmarks do not count. */
  endAfter(events: number, how: WatchEnd, fault: Ending['fault']): void {
    if (events > 0) {
      this.#endings = [...this.#endings, { left: events, how, fault }];
      return;
    }
    this.#end(how, fault);
    this.onReadable?.();
  }

  /**
   * Lets a function decide about each bookmark whether it is dropped.
   * @param drop called for each bookmark; returns whether it is dropped.
   */
  dropBookmarks(drop: () => boolean): void {
    this.#droppers.add(drop);
  }

  /** Holds all events back until the returned function is called. */
  pause(): () => void {
    const pause = {};
    this.#pauses.add(pause);
    return () => {
      if (this.#pauses.delete(pause)) this.onReadable?.();
    };
  }

  override close(): void {
    this.#last = [];
    this.#ended = true;
    this.#isClosed = true;
    super.close();
  }

  protected override passed(event: WatchEvent): WatchEvent {
    if (this.#left < Number.POSITIVE_INFINITY) this.#left -= utf8Length(JSON.stringify(event)) + 1;
    if (this.#left < 0) throw new Error(CONNECTION_LOST);
    return event;
  }

  #drops({ type }: WatchEvent): boolean {
    if (type !== 'BOOKMARK') return false;
    for (const drop of this.#droppers) if (drop()) return true;
    return false;
  }

  /** Returns the events up to the planned end of the watch, and ends the watch if the last of them is reached. */
  #upToEnd(events: readonly WatchEvent[]): readonly WatchEvent[] {
    this.#endings = this.#endings.filter(({ fault }) => !fault.ended);
    for (const [i, { type }] of events.entries()) {
      if (type === 'BOOKMARK') continue;
      for (const ending of this.#endings) ending.left--;
      const reached = this.#endings.find(({ left }) => left <= 0);
      if (reached === undefined) continue;
      this.#end(reached.how, reached.fault);
      return events.slice(0, i + 1);
    }
    return events;
  }

  #end(how: WatchEnd, fault: Ending['fault']): void {
    if (this.#ended) return;
    this.#ended = true;
    if (how === 'lost') this.#broken = CONNECTION_LOST;
    if (how === 'expired') {
      const { status } = apiError.expired('The resourceVersion for the provided watch is too old.');
      this.#last = [{ type: 'ERROR', object: status }];
    }
    this.source.onReadable = undefined;
    this.source.close();
    fault.fire();
  }
}
