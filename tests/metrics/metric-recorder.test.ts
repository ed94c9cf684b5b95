import parse from 'parse-prometheus-text-format';
import { describe, expect, it } from 'vitest';
import { MetricRecorder, type RecorderOptions } from '../../src/metrics/metric-recorder.js';
import { type MetricFamily, noMetrics } from '../../src/metrics/metrics.js';
import { TextExposition } from '../../src/metrics/text-exposition.js';

const base = { stability: 'ALPHA', help: 'Some help.' } as const;
const requests: MetricFamily = { ...base, name: 'requests_total', type: 'counter', labels: ['verb', 'code'] };
const sizes: MetricFamily = {
  ...base,
  name: 'sizes',
  type: 'histogram',
  labels: ['verb'],
  buckets: [10, 1e6],
  stability: 'STABLE',
};
const latency: MetricFamily = { ...base, name: 'latency', type: 'summary', labels: [] };
const old: MetricFamily = { ...base, name: 'old_total', type: 'counter', labels: [], deprecatedIn: '1.30' };
const leaving: MetricFamily = { ...base, name: 'leaving_total', type: 'counter', labels: [], deprecatedIn: '1.31' };

const HOUR = 3_600_000;
function record(options: Partial<RecorderOptions> = {}) {
  let now = 0;
  const recorder = new MetricRecorder({ release: { major: '1', minor: '31' }, now: () => now, ...options });
  const exposition = new TextExposition(recorder);
  return {
    recorder,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    text: () => exposition.write(),
    family: async (name: string) => parse(await exposition.write()).find((each) => each.name === name),
  };
}

describe('a metric', () => {
  it('is readable by an independent parser', async () => {
    const { recorder, family } = record();
    recorder.add(requests, ['GET', '200']);
    recorder.add(requests, ['GET', '200'], 2);
    recorder.add(requests, ['PUT', 'say "hi"\n\\']);
    expect(await family('requests_total')).toEqual({
      name: 'requests_total',
      help: '[ALPHA] Some help.',
      type: 'COUNTER',
      metrics: [
        { value: '3', labels: { code: '200', verb: 'GET' } },
        { value: '1', labels: { code: 'say "hi"\n\\', verb: 'PUT' } },
      ],
    });
  });

  it('can be incremented through a series or by labels', async () => {
    const { recorder, text } = record();
    const [held, size] = [recorder.series(requests, ['GET', '200']), recorder.series(sizes, ['GET'])];
    expect(await text()).not.toContain('requests_total{');
    held.add();
    recorder.add(requests, ['GET', '200'], 2);
    size.observe(11);
    expect(await text()).toContain('requests_total{code="200",verb="GET"} 3');
    expect(await text()).toContain('sizes_bucket{le="1e+06",verb="GET"} 1');
    recorder.reset();
    held.add(5);
    expect(await text()).toContain('requests_total{code="200",verb="GET"} 5');
  });

  it('is complete whenever it is read, however much is counted', async () => {
    const { recorder, family } = record();
    const held = recorder.series(requests, ['GET', '200']);
    for (let i = 0; i < 1000; i++) held.add();
    expect((await family('requests_total'))?.metrics[0]).toMatchObject({ value: '1000' });
  });

  it('is not added to a value that is set afterwards', async () => {
    const { recorder, text } = record();
    const gauge: MetricFamily = { ...base, name: 'open', type: 'gauge', labels: [] };
    recorder.series(gauge, []).add(5);
    recorder.set(gauge, [], 1);
    recorder.series(gauge, []).add(2);
    expect(await text()).toContain('open 3');
  });

  it('is not recorded if its family is disabled or hidden, or metrics are off', async () => {
    const { recorder, text } = record({ disabled: ['requests_total'] });
    recorder.series(requests, ['GET', '200']).add();
    recorder.series(old, []).add();
    noMetrics.series(sizes, ['GET']).observe(1);
    expect(await text()).not.toContain('requests_total{');
    expect(await text()).not.toContain('old_total');
  });

  it('is restricted to the allowed values of its labels', async () => {
    const allowedLabels = new Map([['requests_total', new Map([['verb', new Set(['PUT'])]])]]);
    const { recorder, text } = record({ allowedLabels });
    const held = recorder.series(requests, ['GET', '200']);
    held.add();
    held.add();
    expect(await text()).toContain('requests_total{code="200",verb="unexpected"} 2');
    expect(await text()).toContain('cardinality_enforcement_unexpected_categorizations_total 2');
  });

  it('is counted in the first bucket that is not below it, and buckets are cumulative', async () => {
    const { recorder, text } = record();
    for (const size of [1, 10, 11, 2e6]) recorder.observe(sizes, ['GET'], size);
    expect((await text()).split('\n').filter((line) => line.startsWith('sizes'))).toEqual([
      'sizes_bucket{le="10",verb="GET"} 2',
      'sizes_bucket{le="1e+06",verb="GET"} 3',
      'sizes_bucket{le="+Inf",verb="GET"} 4',
      'sizes_sum{verb="GET"} 2000022',
      'sizes_count{verb="GET"} 4',
    ]);
  });

  it('has quantiles of the last five hours', async () => {
    const { recorder, family, pass } = record();
    for (let i = 1; i <= 1000; i++) recorder.observe(latency, [], i / 1000);
    const { quantiles = {}, count } = (await family('latency'))?.metrics[0] ?? {};
    expect(count).toBe('1000');
    for (const share of ['0.5', '0.9', '0.99'])
      expect(Math.abs(Number(quantiles[share]) / Number(share) - 1)).toBeLessThan(0.02);
    pass(6 * HOUR);
    const later = (await family('latency'))?.metrics[0];
    expect(later).toMatchObject({ count: '1000', quantiles: { '0.5': 'Nan' } });
  });

  it('exists with the value 0 before the first use if it has no labels, and otherwise does not exist', async () => {
    const { recorder, text } = record();
    recorder.declare(requests, latency, leaving);
    const shown = await text();
    expect(shown).toContain('leaving_total 0');
    expect(shown).toContain('latency_count 0');
    expect(shown).not.toContain('requests_total');
  });

  it('can be computed when it is read', async () => {
    const { recorder, family } = record();
    let open = 1;
    recorder.collect({ ...base, name: 'open', type: 'gauge', labels: [] }, () => [[[], open]]);
    open = 5;
    expect((await family('open'))?.metrics).toEqual([{ value: '5' }]);
  });

  it('is cleared by a reset, except for families without labels', async () => {
    const { recorder, text } = record();
    recorder.add(requests, ['GET', '200']);
    recorder.add(leaving, []);
    recorder.reset();
    expect(await text()).not.toContain('requests_total');
    expect(await text()).toContain('leaving_total 1');
    recorder.add(requests, ['GET', '200']);
    expect(await text()).toContain('requests_total{code="200",verb="GET"} 1');
  });

  it('has a bounded number of series', () => {
    const { recorder } = record();
    for (let i = 0; i < 12_000; i++) recorder.add(requests, [`verb-${i}`, '200']);
    const samples = recorder.snapshot().find(({ name }) => name === 'requests_total')?.samples ?? [];
    expect(samples.length).toBeLessThanOrEqual(10_001);
    expect(samples.reduce((sum, { value }) => sum + value, 0)).toBe(12_000);
    expect(samples.find(({ labels }) => labels['verb'] === 'unexpected')?.value).toBe(2000);
  });
});

describe('a hidden metric', () => {
  it('is one that an earlier release deprecated, unless it is shown by option', async () => {
    const { recorder, text } = record();
    recorder.declare(old, leaving);
    recorder.add(old, []);
    expect(await text()).not.toContain('old_total');
    expect(await text()).toContain('hidden_metrics_total 1');
    expect(await text()).toContain('# HELP leaving_total [ALPHA] (Deprecated since 1.31.0) Some help.');

    const shown = record({ showHidden: true });
    shown.recorder.add(old, []);
    expect(await shown.text()).toContain('old_total 1');
    expect(await shown.text()).toContain('hidden_metrics_total 0');
  });

  it('can be a disabled one', async () => {
    const { recorder, text } = record({ disabled: ['requests_total', 'old_total'], showHidden: true });
    recorder.add(requests, ['GET', '200']);
    recorder.add(old, []);
    expect(await text()).not.toMatch(/^(requests|old)_total/m);
    expect(await text()).toContain('disabled_metrics_total 2');
  });

  it('can be a label value that is not allowed', async () => {
    const allowedLabels = new Map([['requests_total', new Map([['verb', new Set(['GET'])]])]]);
    const { recorder, text } = record({ allowedLabels });
    for (const verb of ['GET', 'PUT', 'POST']) recorder.add(requests, [verb, '200']);
    expect(await text()).toContain('requests_total{code="200",verb="GET"} 1');
    expect(await text()).toContain('requests_total{code="200",verb="unexpected"} 2');
    expect(await text()).toContain('cardinality_enforcement_unexpected_categorizations_total 2');
  });
});

it('the metric families are counted by stability and release of deprecation', async () => {
  const { recorder, family } = record({ showHidden: true });
  recorder.declare(old, requests, sizes);
  expect((await family('registered_metrics_total'))?.metrics).toEqual(
    expect.arrayContaining([
      { value: '1', labels: { deprecated_version: '1.30.0', stability_level: 'ALPHA' } },
      { value: '2', labels: { deprecated_version: '', stability_level: 'ALPHA' } },
      { value: '1', labels: { deprecated_version: '', stability_level: 'STABLE' } },
    ]),
  );
});

it('the registry of the process is not changed', async () => {
  const { recorder, text } = record();
  recorder.add(requests, ['GET', '200']);
  await text();
  // The file is imported by its path, which has no types, because the rest of the package is not used.
  const file: string = 'prom-client/lib/registry.js';
  const { default: Registry } = (await import(file)) as { default: { globalRegistry: { metrics(): Promise<string> } } };
  expect(await Registry.globalRegistry.metrics()).toBe('\n');
});
