import type { EventStream, WatchEvent } from '../registry/reads/resource-watch.js';

/** A watch whose events are changed on their way to the client. */
export abstract class WrappedWatch implements EventStream {
  onReadable: (() => void) | undefined;
  protected readonly source: EventStream;
  /** The number of events that the iterator has taken but its consumer has not processed yet. */
  #inHand = 0;

  constructor(source: EventStream) {
    this.source = source;
    source.onReadable = () => this.readable();
  }

  abstract take(max?: number): readonly WatchEvent[];
  abstract readonly ended: boolean;
  /** Whether the consumer could take an event with `take` at this moment. */
  protected abstract readonly waits: boolean;

  get broken(): string | undefined {
    return this.source.broken;
  }
  get held(): number | undefined {
    return this.source.held;
  }
  get hasUntaken(): boolean {
    return this.#inHand > 0 || this.waits;
  }

  /** Whether the consumer of an in-process watch is still processing an event. */
  protected get isInHand(): boolean {
    return this.#inHand > 0;
  }

  close(): void {
    this.source.close();
    // A consumer in this process may wait for an event that is held back. This call notifies the consumer that the watch has ended.
    this.onReadable?.();
  }
  whenEnded(callback: () => void): void {
    this.source.whenEnded(callback);
  }
  hold(): () => void {
    return this.source.hold();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WatchEvent> {
    try {
      for (;;) {
        const events = this.take();
        this.#inHand = events.length;
        for (const event of events) {
          yield this.passed(event);
          this.#inHand--;
        }
        if (events.length > 0) continue;
        if (this.broken !== undefined) throw new Error(this.broken);
        if (this.ended) return;
        const release = this.hold();
        await new Promise<void>((resolve) => (this.onReadable = resolve));
        release();
      }
    } finally {
      this.#inHand = 0;
      this.close();
    }
  }

  /** Called when events of the source can be taken, or when the source has ended. */
  protected readable(): void {
    this.onReadable?.();
  }

  /**
   * Called before each event is delivered to an in-process watch (not over HTTP). Returns the event to deliver.
   * @throws Error to simulate a lost connection before this event.
   */
  protected passed(event: WatchEvent): WatchEvent {
    return event;
  }
}
