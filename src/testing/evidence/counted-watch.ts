import type { EventStream, WatchEvent } from '../../registry/reads/resource-watch.js';
import type { RecordedWatch } from './recorded-request.js';

/** An object that the caller of a watch has received. */
export interface Delivery {
  /** The position in the log's sequence of requests, responses and deliveries. */
  readonly at: number;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** The maximum number of deliveries that one watch remembers. Older ones are dropped. */
const MAX_DELIVERIES = 1000;
/** The estimated size of a delivery, in bytes. */
const DELIVERY_WEIGHT = 64;

/** The events that a watch has delivered to its caller. */
export class DeliveredEvents implements RecordedWatch {
  events = 0;
  ended: RecordedWatch['ended'];
  /** Whether the oldest of {@link objects} were dropped. */
  hasDropped = false;
  /** The objects that were delivered, in order. */
  objects: Delivery[] = [];
}

/** A watch that records which events its caller receives, and why it ends. */
export class CountedWatch implements EventStream {
  readonly delivered = new DeliveredEvents();
  readonly #source: EventStream;
  readonly #now: () => number;
  readonly #onWeight: (bytes: number) => void;

  /**
   * @param now returns the next position in the log.
   * @param onWeight called with the change, in bytes, of the estimated size of the recorded deliveries.
   */
  constructor(source: EventStream, now: () => number, onWeight: (bytes: number) => void) {
    this.#source = source;
    this.#now = now;
    this.#onWeight = onWeight;
    source.whenEnded(() => this.#end(source.broken === undefined ? 'server' : 'lost'));
  }

  get ended(): boolean {
    return this.#source.ended;
  }
  get broken(): string | undefined {
    return this.#source.broken;
  }
  get hasUntaken(): boolean {
    return this.#source.hasUntaken;
  }
  get held(): number | undefined {
    return this.#source.held;
  }
  get onReadable(): (() => void) | undefined {
    return this.#source.onReadable;
  }
  set onReadable(callback: (() => void) | undefined) {
    this.#source.onReadable = callback;
  }
  take(max?: number): readonly WatchEvent[] {
    const events = this.#source.take(max);
    for (const event of events) this.#note(event);
    return events;
  }
  close(): void {
    this.#end('client');
    this.#source.close();
  }
  whenEnded(callback: () => void): void {
    this.#source.whenEnded(callback);
  }
  hold(): () => void {
    return this.#source.hold();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WatchEvent> {
    const source = this.#source[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await source.next();
        if (done) return;
        this.#note(value);
        yield value;
      }
    } finally {
      // The reason is recorded before the source is closed, because closing the source would record the reason `server`.
      this.#end(this.#source.broken === undefined ? 'client' : 'lost');
      await source.return?.();
    }
  }

  #note({ type, object }: WatchEvent): void {
    const { delivered } = this;
    delivered.events++;
    if (type === 'ERROR') {
      delivered.ended = 'error';
      return;
    }
    const { uid, resourceVersion } = object.metadata;
    if (type === 'BOOKMARK' || uid === undefined || resourceVersion === undefined) return;
    this.#onWeight(DELIVERY_WEIGHT);
    if (delivered.objects.push({ at: this.#now(), uid, resourceVersion }) < 2 * MAX_DELIVERIES) return;
    delivered.objects = delivered.objects.slice(MAX_DELIVERIES);
    delivered.hasDropped = true;
    this.#onWeight(-DELIVERY_WEIGHT * MAX_DELIVERIES);
  }

  #end(why: RecordedWatch['ended']): void {
    this.delivered.ended ??= why;
  }
}
