import { type Clock, reading } from '../meta/clock.js';
import { counter, gauge, histogram } from '../metrics/families.js';
import type { Metrics } from '../metrics/metrics.js';

const FIRST_RETRY = 5;
const LAST_RETRY = 60_000;
const NO_DELAYS: ReadonlyMap<string, number> = new Map();

/** A key that is added again after a delay. */
interface Delay {
  readonly cancel: () => void;
  /** The reading of the clock at which the key is added. */
  readonly until: number;
}

/**
 * A queue of keys to reconcile, without duplicates. A failed key is added again after a delay that grows with each failure, on the injected
 * clock.
 */
export class WorkQueue {
  /** Called when a key is added that is not in the queue yet. */
  onWork: ((key: string) => void) | undefined;
  readonly #clock: Clock;
  readonly #meter: QueueMeter | undefined;
  readonly #name: string;
  readonly #waiting = new Set<string>();
  // Both maps are created on first use, because a server has thirty queues and most of them never contain a failed or delayed key.
  #failures: Map<string, number> | undefined;
  #delays: Map<string, Delay> | undefined;
  #isClosed = false;

  /** @param name the prefix of the names of the queue's timers. */
  constructor(clock: Clock, meter?: QueueMeter, name = 'work queue') {
    this.#clock = clock;
    this.#name = name;
    this.#meter = meter;
  }

  /** The number of keys that wait. */
  get size(): number {
    return this.#waiting.size;
  }

  /** The keys that can be taken, in order. */
  get queued(): readonly string[] {
    return [...this.#waiting];
  }

  /** The delayed keys with the times at which they are added, in milliseconds since the epoch. */
  get delayed(): ReadonlyMap<string, number> {
    if (this.#delays === undefined || this.#delays.size === 0) return NO_DELAYS;
    const offset = this.#clock.now() - reading(this.#clock);
    return new Map(Array.from(this.#delays, ([key, { until }]) => [key, until + offset]));
  }

  /** Returns how often the work for a key has failed since it last succeeded. */
  failuresOf(key: string): number {
    return this.#failures?.get(key) ?? 0;
  }

  /** Ends the delay of a key, so that it can be taken at once. */
  hurry(key: string): void {
    if (this.#endDelay(key)) this.add(key);
  }

  #endDelay(key: string): boolean {
    this.#delays?.get(key)?.cancel();
    return this.#delays?.delete(key) ?? false;
  }

  /** Queues a key. A key that already waits is queued once. */
  add(key: string): void {
    if (this.#isClosed || this.#waiting.has(key)) return;
    this.#waiting.add(key);
    this.#meter?.added(key);
    this.onWork?.(key);
  }

  /** Adds a key after a delay. If another delay of the same key is pending, only the one that ends first counts. */
  addAfter(key: string, milliseconds: number): void {
    if (this.#isClosed) return;
    const until = reading(this.#clock) + milliseconds;
    const pending = this.#delays?.get(key);
    if (pending && pending.until <= until) return;
    pending?.cancel();
    const endDelay = () => this.hurry(key);
    const cancel = this.#clock.setTimer(endDelay, milliseconds, false, `${this.#name}: ${key}`);
    (this.#delays ??= new Map()).set(key, { cancel, until });
  }

  /**
   * Removes and returns the next key, or the key `wanted`; undefined if it is not in the queue.
   * @param wanted default: the key that has waited longest.
   */
  take(wanted?: string): string | undefined {
    const [first] = this.#waiting;
    const key = wanted ?? first;
    if (key === undefined || !this.#waiting.delete(key)) return undefined;
    this.#meter?.taken(key);
    return key;
  }

  /** Records a failure, and adds the key again after a delay that doubles with each failure, up to `LAST_RETRY`. */
  retry(key: string): void {
    const failures = this.failuresOf(key);
    (this.#failures ??= new Map()).set(key, failures + 1);
    this.#meter?.done();
    this.#meter?.retried();
    this.addAfter(key, Math.min(FIRST_RETRY * 2 ** failures, LAST_RETRY));
  }

  /** Records a success, which resets the delay of the key. */
  forget(key: string): void {
    this.#failures?.delete(key);
    this.#meter?.done();
  }

  /** Removes all keys. Keys that are added afterwards are ignored. */
  close(): void {
    for (const { cancel } of this.#delays?.values() ?? []) cancel();
    this.#delays = undefined;
    this.#waiting.clear();
    this.#isClosed = true;
    this.#meter?.cleared();
    this.onWork = undefined;
  }
}

/** The histogram buckets in seconds. They are powers of ten with the rounding errors of upstream's repeated multiplication. */
const BUCKETS = [1e-8, 1e-7, 1e-6, 9.999999999999999e-6, 9.999999999999999e-5, 0.001, 0.01, 0.1, 1, 10];
const NAME = ['name'];

const depth = gauge('workqueue_depth', 'Current depth of workqueue', NAME);
const adds = counter('workqueue_adds_total', 'Total number of adds handled by workqueue', NAME);
const retries = counter('workqueue_retries_total', 'Total number of retries handled by workqueue', NAME);
const waited = histogram(
  'workqueue_queue_duration_seconds',
  'How long in seconds an item stays in workqueue before being requested.',
  NAME,
  BUCKETS,
);
const worked = histogram(
  'workqueue_work_duration_seconds',
  'How long in seconds processing an item from workqueue takes.',
  NAME,
  BUCKETS,
);
const unfinished = gauge(
  'workqueue_unfinished_work_seconds',
  "How many seconds of work has done that is in progress and hasn't been observed by work_duration. Large values indicate stuck threads. One can deduce the number of stuck threads by observing the rate at which this increases.",
  NAME,
);
const longest = gauge(
  'workqueue_longest_running_processor_seconds',
  'How many seconds has the longest running processor for workqueue been running.',
  NAME,
);

/** Counts and measures the work of one queue. */
export class QueueMeter {
  readonly #metrics: Metrics;
  readonly #clock: Clock;
  readonly #labels: readonly [string];
  readonly #added = new Map<string, number>();
  /** The reading of the clock at which the current work began; undefined between two keys, because a queue works on one key at a time. */
  #workBegan: number | undefined;

  constructor(name: string, { metrics, clock }: { readonly metrics: Metrics; readonly clock: Clock }) {
    this.#metrics = metrics;
    this.#clock = clock;
    this.#labels = [name];
    metrics.collect(depth, () => [[this.#labels, this.#added.size]]);
    for (const family of [unfinished, longest])
      metrics.collect(family, () => [[this.#labels, this.#secondsOfCurrentWork()]]);
    for (const family of [adds, retries, waited, worked]) metrics.add(family, this.#labels, 0);
  }

  added(key: string): void {
    this.#added.set(key, reading(this.#clock));
    this.#metrics.add(adds, this.#labels);
  }

  retried(): void {
    this.#metrics.add(retries, this.#labels);
  }

  taken(key: string): void {
    const now = reading(this.#clock);
    const since = this.#added.get(key) ?? now;
    this.#added.delete(key);
    this.#workBegan = now;
    this.#metrics.observe(waited, this.#labels, (now - since) / 1000);
  }

  /** Removes the records of the waiting keys and of the current work, because the queue has been closed. */
  cleared(): void {
    this.#added.clear();
    this.#workBegan = undefined;
  }

  done(): void {
    this.#metrics.observe(worked, this.#labels, this.#secondsOfCurrentWork());
    this.#workBegan = undefined;
  }

  #secondsOfCurrentWork(): number {
    return this.#workBegan === undefined ? 0 : (reading(this.#clock) - this.#workBegan) / 1000;
  }
}
