import { describe, expect, it } from 'vitest';
import type { ApiServerOptions } from '../../src/api-server-options.js';
import type { AdmissionPluginFactory } from '../../src/exports/admission.js';
import type { AuthenticatorFactory } from '../../src/exports/authentication.js';
import { serviceAccount } from '../../src/exports/kinds.js';
import { type ApiServer, configMap } from '../../src/index.js';
import { createFakeClock } from '../../src/testing/index.js';
import { fetchFrom, send, textOf } from '../support/ask.js';
import { everybodyIs, startServer } from '../support/servers.js';

const MAPS = '/api/v1/namespaces/default/configmaps';
const JSON_TYPE = { 'content-type': 'application/json' };

/** A promise that never resolves; `reached` resolves when it is requested. */
function blackHole() {
  let reach = () => {};
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const ask = () => {
    reach();
    return new Promise<never>(() => {});
  };
  return { reached, ask };
}
const admin = everybodyIs({ username: 'admin', groups: ['system:masters'] });

/** A server whose admission never responds for objects called `stuck`, once there is one. */
async function stuckServer(more: ApiServerOptions = {}) {
  const clock = createFakeClock();
  const hole = blackHole();
  let open = false;
  const stuck: AdmissionPluginFactory = () => ({
    name: 'stuck',
    handles: ({ operation, name, oldObject }) =>
      open && operation !== 'CONNECT' && (name === 'stuck' || oldObject?.metadata.name === 'stuck'),
    validate: () => hole.ask(),
  });
  const admission: ApiServerOptions['admission'] = (defaults) => [...defaults, stuck];
  const server = await startServer({ clock, admission, authentication: [admin], ...more });
  const swallow = () => {
    open = true;
  };
  return { clock, hole, server, swallow };
}

/** Advances to a moment before the limit, when there is no response yet, and then to the limit. */
async function answerAt(
  { clock, server }: Pick<Awaited<ReturnType<typeof stuckServer>>, 'clock' | 'server'>,
  answered: Promise<Response>,
  limit: number,
): Promise<Response> {
  let answer: Response | undefined;
  void answered.then((response) => (answer = response));
  clock.advance(limit - 1);
  // Another request gets the time for a complete response.
  await send(server, { path: '/version' });
  expect(answer).toBeUndefined();
  clock.advance(1);
  return await answered;
}

describe('a write of one object', () => {
  it.each([
    ['', 34_000],
    ['?timeout=5s', 5_000],
    ['?timeout=1h', 34_000],
    ['?timeout=0', 34_000],
    ['?timeout=-1s', 34_000],
  ])('with "%s" ends after %d ms, and changes nothing', async (query, limit) => {
    const stuck = await stuckServer();
    const { server, hole, swallow } = stuck;
    await server.client().create(configMap, { metadata: { name: 'stuck' } }, { namespace: 'default' });
    swallow();
    const request = new Request(`https://server${MAPS}/stuck${query}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: '{"data":{"a":"b"}}',
    });
    const answered = server.fetch(request);
    await hole.reached;
    const answer = await answerAt(stuck, answered, limit);
    expect(answer.status).toBe(504);
    expect(await answer.json()).toMatchObject({
      kind: 'Status',
      reason: 'Timeout',
      message: 'Timeout: request did not complete within requested timeout - context deadline exceeded',
    });
    expect(await (await fetchFrom(server, `${MAPS}/stuck`)).json()).not.toHaveProperty('data');
    await server.close();
  });
  it('ends if it is a creation, and stores nothing', async () => {
    const stuck = await stuckServer();
    stuck.swallow();
    const body = '{"metadata":{"name":"stuck"}}';
    const post = new Request(`https://server${MAPS}?timeout=1s`, { method: 'POST', headers: JSON_TYPE, body });
    const answered = stuck.server.fetch(post);
    await stuck.hole.reached;
    expect((await answerAt(stuck, answered, 1_000)).status).toBe(504);
    expect((await fetchFrom(stuck.server, `${MAPS}/stuck`)).status).toBe(404);
    await stuck.server.close();
  });
});

describe('the timeout of other writes', () => {
  const words = 'Timeout: request did not complete within requested timeout - context deadline exceeded';
  const create = (stuck: Awaited<ReturnType<typeof stuckServer>>, name: string) =>
    stuck.server.client().create(configMap, { metadata: { name } }, { namespace: 'default' });

  it('for a deletion of a collection is that of a read: the remaining objects stay', async () => {
    const stuck = await stuckServer();
    for (const name of ['a', 'stuck', 'z']) await create(stuck, name);
    stuck.swallow();
    const query = '?fieldSelector=metadata.name!%3Dorch-root-ca.crt';
    const answered = fetchFrom(stuck.server, `${MAPS}${query}`, { method: 'DELETE' });
    await stuck.hole.reached;
    const answer = await answerAt(stuck, answered, 60_000);
    expect([answer.status, (await answer.json()).message]).toEqual([504, words]);
    const { items } = await stuck.server.client().list(configMap, { namespace: 'default' });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['orch-root-ca.crt', 'stuck', 'z']);
    await stuck.server.close();
  });
  it('for a deletion of a collection applies when the client disconnects: the remaining objects stay', async () => {
    const stuck = await stuckServer();
    const count = 1000;
    for (let i = 0; i < count; i++) await create(stuck, `c${i}`);
    const gone = new AbortController();
    const answered = send(stuck.server, { method: 'DELETE', path: MAPS, signal: gone.signal });
    const left = async () => (await stuck.server.client().list(configMap, { namespace: 'default' })).items.length;
    // The deletion yields before it is completed.
    while ((await left()) > count) await new Promise((resolve) => setImmediate(resolve));
    gone.abort();
    await answered.catch(() => undefined);
    expect(await left()).toBeGreaterThan(1);
    await stuck.server.close();
  });
  const post = (server: ApiServer, path: string, body: object) =>
    fetchFrom(server, path, { method: 'POST', headers: JSON_TYPE, body });
  it('applies to a subresource', async () => {
    const stuck = await stuckServer({ dialect: 'k8s' });
    await stuck.server.client().create(serviceAccount, { metadata: { name: 'stuck' } }, { namespace: 'default' });
    stuck.swallow();
    const token = post(stuck.server, '/api/v1/namespaces/default/serviceaccounts/stuck/token', {});
    await stuck.hole.reached;
    expect((await (await answerAt(stuck, token, 34_000)).json()).message).toBe(words);
    await stuck.server.close();
  });
  it('applies to a kind that is not stored', async () => {
    const hole = blackHole();
    const stuck = await stuckServer({ authorization: [() => ({ name: 'asks', authorize: () => hole.ask() })] });
    const spec = { user: 'dana', nonResourceAttributes: { path: '/', verb: 'get' } };
    const review = post(stuck.server, '/apis/authorization.orch.io/v1/subjectaccessreviews', { spec });
    await hole.reached;
    expect((await (await answerAt(stuck, review, 34_000)).json()).message).toBe(words);
    await stuck.server.close();
  });
});

describe('the timeout of other waits', () => {
  const late =
    '{"metadata":{},"status":"Failure","message":"Timeout: request did not complete within the allotted timeout","reason":"Timeout","details":{},"code":504}\n';

  it('applies to an authenticator that does not respond, with an error of its own', async () => {
    const hole = blackHole();
    const slow: AuthenticatorFactory = () => ({ name: 'slow', authenticate: () => hole.ask() });
    const stuck = await stuckServer({ authentication: [slow] });
    const headers = { accept: 'application/yaml' };
    const answered = fetchFrom(stuck.server, MAPS, { headers });
    await hole.reached;
    stuck.clock.advance(60_000);
    const answer = await answered;
    expect([answer.status, answer.headers.get('content-type')]).toEqual([504, 'text/plain; charset=utf-8']);
    expect(await answer.text()).toBe(late);
    await stuck.server.close();
  });
  it('is a 504 without the headers that the request has got so far, except those of every response', async () => {
    const browsers = { allowOrigin: () => true, strictTransportSecurity: 'max-age=7' };
    const { clock, server } = await stuckServer({ dialect: 'k8s', browsers, limits: { priorityAndFairness: true } });
    const headers = { origin: 'https://app.example.com' };
    const served = await send(server, { path: MAPS, headers });
    const own = ['Access-Control-Allow-Origin', 'X-Kubernetes-PF-FlowSchema-UID'];
    const others = ['Audit-Id', 'Cache-Control', 'Strict-Transport-Security'];
    expect(Object.keys(served.headers)).toEqual(expect.arrayContaining([...own, ...others]));
    const hole = blackHole();
    const answered = send(server, { method: 'POST', path: MAPS, headers, read: () => hole.ask() });
    await hole.reached;
    clock.advance(34_000);
    const late = await answered;
    expect(late.status).toBe(504);
    expect(Object.keys(late.headers).sort()).toEqual([...others, 'Content-Type'].sort());
    await server.close();
  });
  it('applies to a body that does not arrive', async () => {
    const { clock, server } = await stuckServer();
    const hole = blackHole();
    const answered = send(server, { method: 'POST', path: MAPS, read: () => hole.ask() });
    await hole.reached;
    clock.advance(34_000);
    const { status, body: answer } = await answered;
    expect([status, textOf(answer)]).toEqual([504, late]);
    await server.close();
  });
});

it.each(['log', 'attach', 'exec', 'portforward', 'proxy/x', 'proxy'])(
  '`timeout` of a request of pods/%s is ignored: it lasts as long as its client wants',
  async (subresource) => {
    const { server } = await stuckServer();
    const path = `/api/v1/namespaces/default/pods/a/${subresource}`;
    const statuses = async (query: string) => (await send(server, { path, query })).status;
    expect(await statuses('timeout=soon')).toBe(await statuses(''));
    expect((await send(server, { path: '/api/v1/namespaces/default/pods/a', query: 'timeout=soon' })).status).toBe(400);
    await server.close();
  },
);
