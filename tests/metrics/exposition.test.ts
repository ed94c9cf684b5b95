import { expect, it } from 'vitest';
import { configMap } from '../../src/index.js';
import { fetchFrom } from '../support/ask.js';
import { openServer } from '../support/servers.js';

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (NaN|[+-]Inf|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/g;
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};

interface Family {
  readonly name: string;
  readonly type: string;
  readonly samples: { readonly name: string; readonly labels: ReadonlyMap<string, string>; readonly value: number }[];
}

/** Parses an exposition strictly by the format: a family consists of HELP, TYPE, and its samples. */
function familiesOf(text: string): Family[] {
  const families: Family[] = [];
  let helped = '';
  expect(text.endsWith('\n')).toBe(true);
  for (const line of text.slice(0, -1).split('\n')) {
    const [, help] = /^# HELP (\S+) /.exec(`${line} `) ?? [];
    const [, typed, type = ''] = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line) ?? [];
    if (help !== undefined) helped = help;
    else if (typed !== undefined) {
      expect(typed).toBe(helped);
      families.push({ name: typed, type, samples: [] });
    } else if (line !== '') {
      // Neither a time nor an exemplar may follow.
      const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
      const family = families.at(-1);
      expect(family, line).toBeDefined();
      expect(
        SUFFIXES[family?.type ?? '']?.map((suffix) => family?.name + suffix),
        line,
      ).toContain(name);
      const read = [...labels.matchAll(LABEL)].map(([whole, key = '', said = '']) => ({ whole, key, said }));
      expect(read.map(({ whole }) => whole).join(''), line).toBe(labels);
      const byName = new Map(read.map(({ key, said }) => [key, said]));
      expect(byName.size, line).toBe(read.length);
      family?.samples.push({
        name,
        labels: byName,
        value: value.endsWith('Inf') ? Number.POSITIVE_INFINITY : Number(value),
      });
    }
  }
  return families;
}

it('the exposition of all metrics has the Prometheus format', async () => {
  await using server = await openServer({ metrics: true, limits: { priorityAndFairness: true } });
  await server.client().create(configMap, { metadata: { name: 'a' } }, { namespace: 'default' });
  for (const path of ['/api/v1/configmaps', '/api/v1/namespaces/default/configmaps/none', '/nowhere', '/livez?verbose'])
    await (await fetchFrom(server, path, { headers: { 'user-agent': 'a"b\\c' } })).text();
  await (await fetchFrom(server, '/api/v1/configmaps?watch=1&timeoutSeconds=0')).body?.cancel();

  for (const path of ['/metrics', '/metrics/slis']) {
    const families = familiesOf(await (await fetchFrom(server, path)).text());
    const names = families.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)].sort());
    for (const { name, type, samples } of families) {
      expect(samples.length, name).toBeGreaterThan(0);
      const keys = samples.map((sample) => JSON.stringify([sample.name, ...sample.labels]));
      expect(new Set(keys).size, name).toBe(keys.length);
      if (type === 'counter') for (const { value } of samples) expect(value, name).toBeGreaterThanOrEqual(0);
      if (type !== 'histogram') continue;
      const series = new Map<string, { bounds: number[]; counts: number[]; count?: number }>();
      for (const sample of samples) {
        const { le, ...labels } = Object.fromEntries(sample.labels);
        const key = JSON.stringify(labels);
        const one = series.get(key) ?? { bounds: [], counts: [] };
        series.set(key, one);
        if (sample.name === `${name}_bucket`) {
          one.bounds.push(le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le));
          one.counts.push(sample.value);
        } else if (sample.name === `${name}_count`) one.count = sample.value;
      }
      for (const { bounds, counts, count } of series.values()) {
        expect(bounds, name).toEqual([...new Set(bounds)].sort((a, b) => a - b));
        expect(bounds.at(-1), name).toBe(Number.POSITIVE_INFINITY);
        expect(counts, name).toEqual([...counts].sort((a, b) => a - b));
        expect(counts.at(-1), name).toBe(count);
      }
    }
    if (path === '/metrics') expect(names.length).toBeGreaterThan(60);
  }
});
