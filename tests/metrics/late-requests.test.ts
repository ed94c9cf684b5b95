import { expect, it } from 'vitest';
import type { AdmissionPluginFactory } from '../../src/exports/admission.js';
import { configMap } from '../../src/index.js';
import { headersOf } from '../../src/meta/request-headers.js';
import { createFakeClock } from '../../src/testing/index.js';
import { seriesOf } from '../support/metrics.js';
import { openServer } from '../support/servers.js';

const MAPS = '/api/v1/namespaces/default/configmaps';
const inDefault = { namespace: 'default' };

it('what a handler comes to after its time was up is counted', async () => {
  const clock = createFakeClock();
  const ends: (() => void)[] = [];
  let reached = 0;
  const slow: AdmissionPluginFactory = () => ({
    name: 'slow',
    handles: ({ operation, resource }) => operation === 'CREATE' && resource.resource === 'configmaps',
    validate: ({ name }) => {
      reached++;
      return new Promise<void>((resolve, reject) =>
        ends.push(name === 'broken' ? () => reject(new RangeError('out')) : resolve),
      );
    },
  });
  await using server = await openServer({ metrics: true, clock, requestTimeout: 5_000, admission: [slow] });
  const late = ['a', 'broken'].map((name) =>
    server.fetch(
      new Request(`https://server${MAPS}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ metadata: { name } }),
      }),
    ),
  );
  await expect.poll(() => reached).toBe(2);
  clock.advance(5_000);
  expect((await Promise.all(late)).map(({ status }) => status)).toEqual([504, 504]);
  for (const end of ends) end();
  const counted = async () =>
    (await seriesOf(server, 'apiserver_request_post_timeout_total')).map(
      ({ labels, value }) => `${labels['source']} ${labels['status']} ${value}`,
    );
  await expect.poll(counted).toEqual(['timeout-handler ok 1', 'timeout-handler panic 1']);
});

it('a large answer that breaks off is counted', async () => {
  await using server = await openServer({ metrics: true });
  const data = { text: 'x'.repeat(10_000) };
  for (let i = 0; i < 400; i++)
    await server.client().create(configMap, { metadata: { name: `c-${i}` }, data }, inDefault);
  const list = (signal: AbortSignal) =>
    server.handle({ method: 'GET', path: MAPS, query: '', headers: headersOf(), signal });
  const gone = new AbortController();
  const { body } = await list(gone.signal);
  expect(body.type).toBe('stream');
  if (body.type === 'stream') body.stream.take();
  gone.abort();
  const whole = await list(new AbortController().signal);
  if (whole.body.type === 'stream') while (!whole.body.stream.ended) if (whole.body.stream.take().length === 0) break;
  const aborts = await seriesOf(server, 'apiserver_request_aborts_total');
  expect(
    aborts.map(({ labels, value }) => `${labels['verb']} ${labels['resource']} ${labels['scope']} ${value}`),
  ).toEqual(['LIST configmaps namespace 1']);
});
