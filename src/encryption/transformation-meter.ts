import { type Clock, reading } from '../meta/clock.js';
import { counter, histogram } from '../metrics/families.js';
import { isCounted, type Metrics } from '../metrics/metrics.js';

/** The upper bounds of the buckets, in seconds: 5 microseconds, and each next bound is twice as large. */
const BUCKETS = Array.from({ length: 25 }, (_, i) => 5e-6 * 2 ** i);

const durations = histogram(
  'apiserver_storage_transformation_duration_seconds',
  'Latencies in seconds of value transformation operations.',
  ['transformation_type', 'transformer_prefix'],
  BUCKETS,
);
const operations = counter('apiserver_storage_transformation_operations_total', 'Total number of transformations.', [
  'transformation_type',
  'transformer_prefix',
  'status',
]);

/** The direction of a transformation, as metrics name it. */
export type Direction = 'to_storage' | 'from_storage';

/** Measures transformations: each provider and, within it, each key that is tried. */
export class TransformationMeter {
  readonly #metrics: Metrics;
  readonly #clock: Clock;
  readonly #isOn: boolean;

  constructor(metrics: Metrics, clock: Clock) {
    this.#metrics = metrics;
    this.#clock = clock;
    this.#isOn = isCounted(metrics);
  }

  /** Runs a transformation. Its error is counted and thrown again. */
  measure<R>(direction: Direction, prefix: string, transform: () => R): R {
    if (!this.#isOn) return transform();
    const began = reading(this.#clock);
    let status = 'unknown-non-grpc';
    try {
      const result = transform();
      status = 'OK';
      this.#metrics.observe(durations, [direction, prefix], Math.max(0, reading(this.#clock) - began) / 1000);
      return result;
    } finally {
      this.#metrics.add(operations, [direction, prefix, status]);
    }
  }
}
