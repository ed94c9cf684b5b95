import { afterEach, expect, it } from 'vitest';
import { tokenFile } from '../../src/authentication/tokens/token-file.js';
import { alwaysAllow } from '../../src/authorization/always-allow.js';
import { ApiServer, type ApiServerOptions } from '../../src/index.js';
import { send, textOf } from '../support/ask.js';
import { heldBody, named } from '../support/held-body.js';
import { startServer } from '../support/servers.js';

let server: ApiServer;
afterEach(() => server.close());
async function start(options: ApiServerOptions) {
  server = await startServer({
    dialect: 'k8s',
    authentication: [tokenFile('admintok,admin,1,system:masters\nbobtok,bob,2')],
    authorization: [alwaysAllow()],
    ...options,
  });
}
function ask(method: string, path: string, token = 'bobtok', read?: () => Promise<Uint8Array>) {
  return send(server, { method, path, headers: { authorization: `Bearer ${token}` }, ...(read ? { read } : {}) });
}
const MAPS = '/api/v1/namespaces/default/configmaps';

it('writes beyond the limit are refused until one completes; reads, watches and administrators are not', async () => {
  await start({ limits: { maxMutatingRequestsInFlight: 2, maxRequestsInFlight: 1 } });
  const [a, b] = [heldBody('a'), heldBody('b')];
  const waiting = [ask('POST', MAPS, 'bobtok', a.read), ask('POST', MAPS, 'bobtok', b.read)];
  await Promise.all([a.begun, b.begun]);
  const refused = await ask('POST', MAPS, 'bobtok', named('c'));
  expect(refused.status).toBe(429);
  expect(refused.headers).toMatchObject({
    'Retry-After': '1',
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
  });
  expect(textOf(refused.body)).toBe('Too many requests, please try again later.\n');
  expect((await ask('DELETE', `${MAPS}/a`)).status).toBe(429);
  expect((await ask('GET', MAPS)).status).toBe(200);
  expect((await ask('POST', MAPS, 'admintok', named('d'))).status).toBe(201);
  a.release();
  expect((await waiting[0])?.status).toBe(201);
  expect((await ask('POST', MAPS, 'bobtok', named('c'))).status).toBe(201);
  b.release();
  await Promise.all(waiting);
});

it('failures and refusals release their slot; 0 is no limit', async () => {
  await start({ limits: { maxMutatingRequestsInFlight: 1, maxRequestsInFlight: 0 } });
  for (let i = 0; i < 5; i++) {
    expect((await ask('POST', MAPS, 'bobtok', () => Promise.reject(new Error('broken')))).status).toBe(500);
    expect((await ask('POST', MAPS, 'none', named('x'))).status).toBe(401);
    expect((await ask('DELETE', `${MAPS}/none`)).status).toBe(404);
  }
  const answers = await Promise.all(Array.from({ length: 500 }, () => ask('GET', MAPS)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await ask('POST', MAPS, 'bobtok', named('y'))).status).toBe(201);
});

it('callers whose authentication is pending are limited as well', async () => {
  let release = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  await start({
    limits: { maxMutatingRequestsInFlight: 1, maxRequestsInFlight: 2 },
    authentication: [
      () => ({
        name: 'slow',
        authenticate: () => gate.then(() => ({ outcome: 'authenticated' as const, user: { username: 'late' } })),
      }),
    ],
  });
  const waiting = Array.from({ length: 3 }, () => ask('GET', MAPS));
  expect((await ask('GET', MAPS)).status).toBe(429);
  release();
  await Promise.all(waiting);
  expect((await ask('GET', MAPS)).status).toBe(200);
});

it('limits are numbers within their range', () => {
  expect(() => new ApiServer({ limits: { maxRequestsInFlight: -1 } })).toThrow(TypeError);
});

it('a full storage refuses new data, and accepts it again when there is room', async () => {
  let full = false;
  await start({ limits: { storageFull: () => full } });
  expect((await ask('POST', MAPS, 'bobtok', named('a'))).status).toBe(201);
  full = true;
  const refused = await ask('POST', MAPS, 'bobtok', named('b'));
  expect(refused.status).toBe(500);
  expect(JSON.parse(textOf(refused.body)).message).toBe('etcdserver: mvcc: database space exceeded');
  expect((await ask('GET', `${MAPS}/a`)).status).toBe(200);
  expect((await ask('DELETE', `${MAPS}/a`)).status).toBe(200);
  full = false;
  expect((await ask('POST', MAPS, 'bobtok', named('b'))).status).toBe(201);
});
