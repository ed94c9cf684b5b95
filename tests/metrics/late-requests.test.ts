import { expect, it } from 'vitest';
import { anonymous } from '../../src/authentication/anonymous.js';
import type { AdmissionPluginFactory } from '../../src/exports/admission.js';
import { type AuthenticatorFactory, skipped } from '../../src/exports/authentication.js';
import { type ApiServer, configMap } from '../../src/index.js';
import { apiError } from '../../src/meta/api-error.js';
import { headersOf } from '../../src/meta/request-headers.js';
import { createFakeClock } from '../../src/testing/index.js';
import { fetchFrom } from '../support/ask.js';
import { seriesOf } from '../support/metrics.js';
import { openServer } from '../support/servers.js';

const MAPS = '/api/v1/namespaces/default/configmaps';
const inDefault = { namespace: 'default' };

const lateOf = async (server: ApiServer) =>
  (await seriesOf(server, 'apiserver_request_post_timeout_total')).map(
    ({ labels, value }) => `${labels['source']} ${labels['status']} ${value}`,
  );

it('the result of a write that finishes after its timeout is counted', async () => {
  const clock = createFakeClock();
  const ends: (() => void)[] = [];
  let reached = 0;
  const slow: AdmissionPluginFactory = () => ({
    name: 'slow',
    handles: ({ resource, user }) => resource.resource === 'configmaps' && user.username !== 'system:apiserver',
    validate: ({ name }) => {
      reached++;
      return new Promise<void>((resolve, reject) =>
        ends.push(() => {
          if (name === 'broken') reject(new RangeError('out'));
          else if (name === 'refused') reject(apiError.badRequest('no'));
          else if (name !== 'stuck') resolve();
        }),
      );
    },
  });
  await using server = await openServer({ metrics: true, clock, limits: { requestTimeout: 5_000 }, admission: [slow] });
  for (const name of ['kept', 'gone']) await server.client().create(configMap, { metadata: { name } }, inDefault);
  const sendToMaps = (method: string, path: string, body?: object, type = 'application/json') =>
    fetchFrom(server, `${MAPS}${path}`, { method, headers: { 'content-type': type }, body });
  const late = [
    ...['a', 'broken', 'refused', 'stuck'].map((name) => sendToMaps('POST', '', { metadata: { name } })),
    sendToMaps('PATCH', '/kept', { data: { a: 'b' } }, 'application/merge-patch+json'),
    sendToMaps('DELETE', '/gone'),
  ];
  await expect.poll(() => reached).toBe(late.length);
  clock.advance(5_000);
  expect((await Promise.all(late)).map(({ status }) => status)).toEqual(late.map(() => 504));
  const terminated = await seriesOf(server, 'apiserver_request_terminations_total');
  expect(
    terminated.map(({ labels, value }) => `${labels['verb']} ${labels['scope']} ${labels['code']} ${value}`).sort(),
  ).toEqual(['DELETE resource 504 1', 'PATCH resource 504 1', 'POST resource 504 4']);
  for (const end of ends) end();
  // Each of them also ended at the timeout handler, which writes reach at once.
  const ended = ['rest-handler error 1', 'rest-handler ok 3', 'rest-handler panic 1', 'timeout-handler ok 6'];
  await expect.poll(() => lateOf(server)).toEqual(ended);
  clock.advance(300_000);
  expect(await lateOf(server)).toEqual([
    ...ended.slice(0, 2),
    'rest-handler panic 1',
    'rest-handler pending 1',
    'timeout-handler ok 6',
  ]);
});

it('the caller is counted even if it is authenticated after the timeout', async () => {
  const clock = createFakeClock();
  const found: (() => void)[] = [];
  const slow: AuthenticatorFactory = () => ({
    name: 'slow',
    authenticate: ({ headers }) =>
      headers.get('x-slow')
        ? new Promise((resolve) => {
            const user = { username: 'late', groups: [] };
            found.push(() => resolve({ outcome: 'authenticated', authenticator: 'slow', user }));
          })
        : skipped,
  });
  await using server = await openServer({
    metrics: true,
    clock,
    limits: { requestTimeout: 5_000 },
    authentication: [slow, anonymous()],
  });
  const answer = fetchFrom(server, MAPS, { headers: { 'x-slow': 'yes' } });
  await expect.poll(() => found.length).toBe(1);
  clock.advance(5_000);
  expect((await answer).status).toBe(504);
  const [terminated] = await seriesOf(server, 'apiserver_request_terminations_total');
  expect(terminated).toMatchObject({
    labels: { verb: 'LIST', resource: 'configmaps', scope: 'namespace', code: '504' },
  });
  expect(await seriesOf(server, 'apiserver_request_total')).not.toContainEqual(
    expect.objectContaining({ labels: expect.objectContaining({ resource: 'configmaps' }) as unknown }),
  );
  found[0]?.();
  await expect.poll(() => lateOf(server)).toEqual(['timeout-handler ok 1']);
  // Only this request took any time.
  const [took] = await seriesOf(server, 'authentication_duration_seconds_sum');
  expect([took?.labels['result'], took?.value]).toEqual(['success', '5']);
});

it('a large response that breaks off is counted', async () => {
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

it('a request for a future version is not counted as a termination', async () => {
  await using server = await openServer({ metrics: true });
  await server.client().create(configMap, { metadata: { name: 'a' } }, inDefault);
  const answer = await fetchFrom(server, `${MAPS}/a?resourceVersion=99999999`);
  expect(answer.status).toBe(504);
  expect(await seriesOf(server, 'apiserver_request_terminations_total')).toEqual([]);
});
