import { afterEach, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../../src/api-server.js';
import { listen } from '../../../src/http/index.js';
import type { ApiResponse } from '../../../src/requests/api-request.js';
import { exchange2, session2 } from '../../http/exchange.js';
import { requestOf } from '../../support/ask.js';
import { everybodyIs, openServer } from '../../support/servers.js';

let server: ApiServer;
afterEach(() => server.close());

const WATCH = { path: '/api/v1/namespaces/default/configmaps', query: 'watch=true' };
const user = (username: string, ...groups: string[]) => ({ username, groups: ['system:authenticated', ...groups] });

async function opened(longRunning: object, storageFull = () => false) {
  server = await openServer({ limits: { longRunning, storageFull } });
  const answers: ApiResponse[] = [];
  const watch = async (caller: ReturnType<typeof user>, headBytes = 0) => {
    const answer = await server.handle({ ...requestOf(WATCH), headBytes }, { user: caller });
    answers.push(answer);
    return answer.status;
  };
  const close = (i: number) => {
    const body = answers[i]?.body;
    if (body?.type === 'stream') body.stream.close();
  };
  return { watch, close, answers };
}

describe('long-running requests', () => {
  it('are refused beyond a number per user, until one of them ends', async () => {
    const { watch, close, answers } = await opened({ requestsPerUser: 2 });
    expect([await watch(user('a')), await watch(user('a')), await watch(user('a'))]).toEqual([200, 200, 429]);
    expect(answers[2]?.headers).toMatchObject({ 'Retry-After': '1' });
    expect(await watch(user('b'))).toBe(200);
    close(0);
    expect([await watch(user('a')), await watch(user('a'))]).toEqual([200, 429]);
  });
  it('are refused beyond a total number, except for administrators', async () => {
    const { watch } = await opened({ requests: 2 });
    expect([await watch(user('a')), await watch(user('b')), await watch(user('c'))]).toEqual([200, 200, 429]);
    expect(await watch(user('admin', 'system:masters'))).toBe(200);
  });
  it('are refused beyond a total size of their heads', async () => {
    const { watch, close } = await opened({ bytesPerUser: 1000, bytes: 1500 });
    expect([await watch(user('a'), 600), await watch(user('a'), 600), await watch(user('a'), 400)]).toEqual([
      200, 429, 200,
    ]);
    expect([await watch(user('b'), 600), await watch(user('b'), 500)]).toEqual([429, 200]);
    close(0);
    expect(await watch(user('b'), 500)).toBe(200);
  });
  it('are refused to the users with most of them while memory is short', async () => {
    let isShort = false;
    const { watch } = await opened({ requestsPerUser: 32 }, () => isShort);
    for (let i = 0; i < 3; i++) expect(await watch(user('a'))).toBe(200);
    isShort = true;
    expect([await watch(user('a')), await watch(user('b')), await watch(user('b'))]).toEqual([429, 200, 200]);
    expect(await watch(user('b'))).toBe(429);
    isShort = false;
    expect([await watch(user('a')), await watch(user('b'))]).toEqual([200, 200]);
  });
  it('do not occupy a slot once they are refused for another reason', async () => {
    const { watch } = await opened({ requestsPerUser: 1 });
    const bad = { ...WATCH, query: 'watch=true&labelSelector=%28' };
    expect((await server.handle(requestOf(bad), { user: user('a') })).status).toBe(400);
    expect(await watch(user('a'))).toBe(200);
  });
  it.each([{ requests: -1 }, { bytes: 'x' }, { users: 1 }])('refuses the limits %j', async (limits) => {
    server = await openServer();
    await expect(openServer({ limits: { longRunning: limits as object } })).rejects.toThrow(
      'option limits: longRunning ',
    );
  });
});

it('counts targets and headers that arrived over HTTP, and releases them when the client disconnects', async () => {
  server = await openServer({
    authentication: [everybodyIs(user('a'))],
    limits: { longRunning: { bytesPerUser: 100_000 } },
  });
  const listener = await listen(server);
  const session = session2(listener.url);
  const path = `${WATCH.path}?watch=true&x=${'y'.repeat(60_000)}`;
  const status = async () => {
    const stream = session.request({ ':path': path }).on('error', () => undefined);
    return { stream, status: await new Promise((resolve) => stream.once('response', (h) => resolve(h[':status']))) };
  };
  const first = await status();
  expect([first.status, (await exchange2(session, { path })).status]).toEqual([200, 429]);
  first.stream.close();
  await expect.poll(async () => (await status()).status).toBe(200);
  session.close();
  await listener.close({ graceMilliseconds: 0 });
});
