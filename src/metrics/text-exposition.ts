import type Registry from 'prom-client/lib/registry.js';
import type { FamilySnapshot, MetricRecorder, Sample } from './metric-recorder.js';

type Value = ReturnType<Parameters<Registry['registerMetric']>[0]['get']>['values'][number];

/** Writes the families of a recorder in the Prometheus text format, version 0.0.4. */
export class TextExposition {
  readonly #recorder: MetricRecorder;
  readonly #families = new Map<string, FamilySnapshot>();
  #registry: Promise<Registry> | undefined;

  constructor(recorder: MetricRecorder) {
    this.#recorder = recorder;
  }

  /** Returns all families in the text format, sorted by name, with their help and type. */
  async write(): Promise<string> {
    this.#registry ??= load();
    const registry = await this.#registry;
    const families = this.#recorder.snapshot();
    for (const family of families) {
      const { name } = family;
      if (!this.#families.has(name)) registry.registerMetric({ name, get: () => this.#writeFamily(name) });
      this.#families.set(name, family);
    }
    const texts = await Promise.all(families.map(({ name }) => registry.getSingleMetricAsString(name)));
    return texts.map((text) => `${text}\n`).join('');
  }

  #writeFamily(name: string) {
    const family = this.#families.get(name);
    const { help = '', type = 'gauge', samples = [] } = family ?? {};
    return { name, help, type, values: samples.flatMap((sample) => valuesOf(name, type, sample)) };
  }
}

async function load(): Promise<Registry> {
  const { default: OwnRegistry } = await import('prom-client/lib/registry.js');
  return new OwnRegistry();
}

function valuesOf(name: string, type: FamilySnapshot['type'], sample: Sample): Value[] {
  const { labels: sharedLabels, points, value, sum, count } = sample;
  if (type === 'counter' || type === 'gauge') return [{ labels: {}, sharedLabels, value }];
  const totals = [
    { metricName: `${name}_sum`, labels: {}, sharedLabels, value: sum },
    { metricName: `${name}_count`, labels: {}, sharedLabels, value: count },
  ];
  if (type === 'summary')
    return [...points.map(([share, at]) => ({ labels: { quantile: `${share}` }, sharedLabels, value: at })), ...totals];
  const bucket = (le: string, below: number) => ({
    metricName: `${name}_bucket`,
    labels: { le },
    sharedLabels,
    value: below,
  });
  return [...points.map(([bound, below]) => bucket(numberText(bound), below)), bucket('+Inf', count), ...totals];
}

const EXPONENT_FROM = 1e6;

/** Formats a bound as Go does: `0.005`, `150000`, `1e+06`, `1.05e+06`, `1e-08`. */
function numberText(value: number): string {
  if (value !== 0 && (Math.abs(value) >= EXPONENT_FROM || Math.abs(value) < 1e-4))
    return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
  return String(value);
}
