import { type Clock, reading } from '../meta/clock.js';
import type { MetricFamily, Metrics } from '../metrics/metrics.js';

/** Tenfold from ten nanoseconds, with the rounding of upstream's multiplication. */
const BUCKETS = [1e-8, 1e-7, 1e-6, 9.999999999999999e-6, 9.999999999999999e-5, 0.001, 0.01, 0.1, 1, 10];
const named = { labels: ['name'], stability: 'ALPHA' } as const;

const depth: MetricFamily = { ...named, name: 'workqueue_depth', type: 'gauge', help: 'Current depth of workqueue' };
const adds: MetricFamily = {
  ...named,
  name: 'workqueue_adds_total',
  type: 'counter',
  help: 'Total number of adds handled by workqueue',
};
const retries: MetricFamily = {
  ...named,
  name: 'workqueue_retries_total',
  type: 'counter',
  help: 'Total number of retries handled by workqueue',
};
const waited: MetricFamily = {
  ...named,
  name: 'workqueue_queue_duration_seconds',
  type: 'histogram',
  help: 'How long in seconds an item stays in workqueue before being requested.',
  buckets: BUCKETS,
};
const worked: MetricFamily = {
  ...named,
  name: 'workqueue_work_duration_seconds',
  type: 'histogram',
  help: 'How long in seconds processing an item from workqueue takes.',
  buckets: BUCKETS,
};
const unfinished: MetricFamily = {
  ...named,
  name: 'workqueue_unfinished_work_seconds',
  type: 'gauge',
  help: "How many seconds of work has done that is in progress and hasn't been observed by work_duration. Large values indicate stuck threads. One can deduce the number of stuck threads by observing the rate at which this increases.",
};
const longest: MetricFamily = {
  ...named,
  name: 'workqueue_longest_running_processor_seconds',
  type: 'gauge',
  help: 'How many seconds has the longest running processor for workqueue been running.',
};

/** Counts and measures the work of one queue. */
export class QueueMeter {
  readonly #metrics: Metrics;
  readonly #clock: Clock;
  readonly #labels: readonly [string];
  readonly #added = new Map<string, number>();
  /** When the work began that is under way: of a queue it is done one by one. */
  #began: number | undefined;

  constructor(name: string, { metrics, clock }: { readonly metrics: Metrics; readonly clock: Clock }) {
    this.#metrics = metrics;
    this.#clock = clock;
    this.#labels = [name];
    metrics.collect(depth, () => [[this.#labels, this.#added.size]]);
    for (const family of [unfinished, longest]) metrics.collect(family, () => [[this.#labels, this.#underWay()]]);
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
    this.#began = now;
    this.#metrics.observe(waited, this.#labels, (now - since) / 1000);
  }

  done(): void {
    this.#metrics.observe(worked, this.#labels, this.#underWay());
    this.#began = undefined;
  }

  #underWay(): number {
    return this.#began === undefined ? 0 : (reading(this.#clock) - this.#began) / 1000;
  }
}
