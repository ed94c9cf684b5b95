import parse from 'parse-prometheus-text-format';
import type { ApiServer } from '../../src/index.js';

interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: string;
}

/**
 * Returns all metrics of a server as an independent parser reads them: the series by their name. Those of histograms and summaries are
 * `x_bucket`, `x_sum` and `x_count`, because the parser keeps their labels only for plain series.
 */
export async function scrape(
  server: ApiServer,
  headers: Readonly<Record<string, string>> = {},
): Promise<ReadonlyMap<string, readonly Series[]>> {
  const answer = await server.fetch(new Request('https://server/metrics', { headers: { ...headers } }));
  const families = parse((await answer.text()).replace(/^(# TYPE \S+) (?:histogram|summary)$/gm, '$1 untyped'));
  const all = new Map<string, Series[]>();
  for (const { name, metrics } of families) {
    const series = metrics.map(({ labels = {}, value = '' }) => ({ labels, value }));
    all.set(name, [...(all.get(name) ?? []), ...series]);
  }
  return all;
}

/** Returns the series with a name. */
export async function seriesOf(server: ApiServer, name: string): Promise<readonly Series[]> {
  return (await scrape(server)).get(name) ?? [];
}
