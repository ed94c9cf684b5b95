import type { EventStream, WatchEvent } from '../../registry/reads/resource-watch.js';
import { type Matchable, targetOf } from '../faults/request-target.js';
import { WrappedWatch } from '../wrapped-watch.js';
import type { Arrivals, Gate, Waiting, Watcher, WatcherTarget } from './watcher.js';

/**
 * The maximum number of events that are buffered here. Further events remain in the source, which treats the watch like a client that does
 * not read.
 */
const MAX_KEPT = 1_000;

/** The watch of a client. Its events wait until they are released. */
export class PacedWatch extends WrappedWatch implements Watcher {
  readonly request: Matchable;
  readonly target: WatcherTarget;
  readonly #arrivals: Arrivals;
  readonly #onDone: () => void;
  readonly #events: WatchEvent[] = [];
  /**
   * The descriptions of the last events in {@link #events}, which still wait. The events before them have been released and can be taken.
   */
  #waiting: Waiting[] = [];
  #gate: Gate = 'open';
  #isClosed = false;

  /** @param onDone called when no further event can be taken. */
  constructor(request: Matchable, source: EventStream, arrivals: Arrivals, onDone: () => void) {
    super(source);
    this.request = request;
    const { user, userAgent, resource, namespace, path } = targetOf(request);
    this.target = { controller: '', user, userAgent, resource, namespace, path };
    this.#arrivals = arrivals;
    this.#onDone = onDone;
  }

  get waiting(): readonly Waiting[] {
    return this.#waiting;
  }
  get gate(): Gate {
    return this.#gate;
  }
  set gate(gate: Gate) {
    this.#gate = gate;
    if (gate === 'open') this.#waiting = [];
    else this.#pull();
    this.onReadable?.();
  }

  get ended(): boolean {
    return this.#isClosed || (this.#events.length === 0 && this.source.ended);
  }
  override get held(): number {
    return this.#gate === 'held' ? this.#waiting.length : 0;
  }
  get isBusy(): boolean {
    return this.isInHand || (this.#gate !== 'open' && this.#passing > 0);
  }
  protected get waits(): boolean {
    if (this.#gate === 'open') return this.#events.length > 0 || this.source.hasUntaken;
    return this.#passing > 0 || (this.#gate === 'shuffled' && this.#waiting.length > 0);
  }

  release(): void {
    if (this.#waiting.shift()) this.onReadable?.();
  }

  take(max = MAX_KEPT): readonly WatchEvent[] {
    const taken = this.#events.splice(0, Math.min(max, this.#passing));
    if (this.#gate !== 'open') this.#pull();
    else if (taken.length === 0) return this.source.take(max);
    if (this.ended) this.#onDone();
    return taken;
  }

  override close(): void {
    this.#isClosed = true;
    this.#events.length = 0;
    this.#waiting = [];
    this.#onDone();
    super.close();
  }

  protected override readable(): void {
    if (this.#gate === 'open') this.onReadable?.();
    else this.#pull();
    // If the watch has ended and no event remains to be taken, the reader is notified of the end at once.
    if (this.ended) this.onReadable?.();
  }

  /** The number of events that have been released and not been taken. */
  get #passing(): number {
    return this.#events.length - this.#waiting.length;
  }

  /** Moves the available events from the source into the buffer. */
  #pull(): void {
    let hasArrived = false;
    while (this.#events.length < MAX_KEPT) {
      const events = this.source.take(MAX_KEPT - this.#events.length);
      if (events.length === 0) break;
      hasArrived = true;
      for (const event of events) {
        this.#events.push(event);
        this.#waiting.push({ ...this.#arrivals.stamp(), watcher: this.target, ...describe(event) });
      }
    }
    if (hasArrived) this.#arrivals.arrived(this);
  }
}

function describe({ type, object }: WatchEvent): Pick<Waiting, 'type' | 'namespace' | 'name' | 'resourceVersion'> {
  if (type === 'ERROR') return { type, namespace: '', name: '', resourceVersion: '' };
  const { namespace = '', name = '', resourceVersion = '' } = object.metadata;
  return { type, namespace, name, resourceVersion };
}
