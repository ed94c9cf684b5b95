import parse from 'parse-prometheus-text-format';
import { afterAll, describe, expect, it } from 'vitest';
import { ApiServer } from '../../src/index.js';
import { fetchFrom } from '../support/ask.js';
import { openServer, startServer } from '../support/servers.js';

const server = await openServer({ metrics: true });
afterAll(() => server.close());

const scrape = async (of: ApiServer = server) => parse(await (await fetchFrom(of, '/metrics')).text());

describe('/metrics', () => {
  it('is text for any method and any text media type', async () => {
    for (const method of ['GET', 'PUT', 'POST'])
      for (const accept of ['', 'application/json', 'text/plain;version=0.0.4', 'application/openmetrics-text'])
        expect((await fetchFrom(server, '/metrics', { method, headers: { accept } })).headers.get('content-type')).toBe(
          'text/plain; version=0.0.4; charset=utf-8; escaping=values',
        );
    expect((await fetchFrom(server, '/metrics', { method: 'HEAD' })).status).toBe(200);
    expect((await scrape()).find(({ name }) => name === 'kubernetes_build_info')?.metrics[0]).toMatchObject({
      value: '1',
      labels: { major: '1', minor: '31' },
    });
  });

  it('reports the version that the options name, as /version does', async () => {
    const reportedVersion = 'v1.31.0-custom.1+build';
    await using custom = await openServer({ metrics: true, reportedVersion });
    const version = await (await fetchFrom(custom, '/version')).json();
    expect(version).toMatchObject({ major: '1', minor: '31', gitVersion: reportedVersion });
    expect((await scrape(custom)).find(({ name }) => name === 'kubernetes_build_info')?.metrics[0]).toMatchObject({
      labels: { git_version: reportedVersion },
    });
  });

  it('is delimited protobuf for those who ask for it', async () => {
    const accept =
      'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.7,text/plain;version=0.0.4;q=0.3';
    const answer = await fetchFrom(server, '/metrics', { headers: { accept } });
    expect(answer.headers.get('content-type')).toBe(
      'application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited; escaping=values',
    );
    const names = delimited(new Uint8Array(await answer.arrayBuffer())).map(
      (message) => new TextDecoder().decode(message.subarray(2, 2 + (message[1] ?? 0))), // skips the tag and length of field 1
    );
    expect(names).toEqual((await scrape()).map(({ name }) => name));
  });

  it('has a header with the start time of the process, unless metrics are reset', async () => {
    await using counted = await openServer({ metrics: true });
    for (const path of ['/metrics', '/metrics/slis']) {
      const answer = await fetchFrom(counted, path);
      const [started] = parse(await answer.text()).filter(({ name }) => name === 'process_start_time_seconds');
      const seconds = Math.floor(Number(started?.metrics[0]?.value));
      expect(answer.headers.get('process-start-time-unix')).toBe(String(seconds));
      const reset = await fetchFrom(counted, path, { method: 'DELETE' });
      expect(reset.headers.get('process-start-time-unix')).toBeNull();
    }
  });

  it('is served only at its path', async () => {
    for (const path of ['/metrics/', '/metrics/nope', '/metrics/slis/', '/metricsx'])
      expect((await fetchFrom(server, path)).status).toBe(404);
    expect((await fetchFrom(server, '/metrics?name[]=x')).status).toBe(200);
    expect(await (await fetchFrom(server, '/')).json()).toMatchObject({
      paths: expect.arrayContaining(['/metrics', '/metrics/slis']),
    });
  });

  it('requires the permission for its path', async () => {
    await using guarded = await startServer({ metrics: true });
    const of = (groups: string[]) => ({ user: { username: 'm', groups } });
    const answer = (user: ReturnType<typeof of>) => fetchFrom(guarded, '/metrics', user);
    expect((await answer(of([]))).status).toBe(403);
    expect((await answer(of(['system:monitoring']))).status).toBe(200);
  });

  it('does not exist if metrics are off', async () => {
    await using uncounted = await openServer();
    expect((await fetchFrom(uncounted, '/metrics')).status).toBe(404);
    expect(await (await fetchFrom(uncounted, '/')).text()).not.toContain('/metrics');
  });

  it('has the names of the dialect', async () => {
    await using orch = await openServer({ metrics: true, dialect: 'orch' });
    const names = (await scrape(orch)).map(({ name }) => name);
    expect(names).toContain('orch_build_info');
    expect(names.filter((name) => /kube|k8s/.test(name))).toEqual([]);
  });
});

describe('the option `metrics`', () => {
  it.each([
    [{ showHiddenForVersion: '1.29' }, "showHiddenForVersion must be '1.30', the release before this one"],
    [{ disabled: 'all' }, 'disabled must be a list of names'],
    [{ allowedLabels: { verb: ['GET'] } }, 'allowedLabels must name a family and a label, family,label, not verb'],
    [{ hidden: true }, 'has no member hidden'],
    [7, 'must be true, false or an object'],
  ])('refuses %j', (metrics, why) => {
    expect(() => new ApiServer({ metrics: metrics as never })).toThrow(`ApiServer: option metrics: ${why}`);
  });
});

/** Splits a body into its messages, each of which is preceded by its length. */
function delimited(bytes: Uint8Array): Uint8Array[] {
  const messages: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    let length = 0;
    for (let shift = 0, more = true; more; shift += 7) {
      const byte = bytes[at++] ?? 0;
      length += (byte & 0x7f) << shift;
      more = byte >= 0x80;
    }
    messages.push(bytes.subarray(at, at + length));
    at += length;
  }
  return messages;
}
