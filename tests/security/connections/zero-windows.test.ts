import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type http2 from 'node:http2';
import { afterEach, expect, it } from 'vitest';
import { type Listener, listen } from '../../../src/http/index.js';
import type { ApiResponse } from '../../../src/requests/api-request.js';
import { exchange2, session2, until } from '../../http/exchange.js';
import { answering, FakeStream, streaming, text } from '../../http/stub-server.js';

/*
 * Over HTTP/2 a client can open many streams with a window of 0, so that each response waits in memory however small it is. All of these
 * responses count towards `maxPendingBytes`.
 */
const KIB = 1024;
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

const list = (gzip: boolean): ApiResponse => {
  const stream = new FakeStream();
  stream.push(randomBytes(300 * KIB));
  stream.end();
  const { body, ...head } = streaming(stream);
  return { ...head, body: { ...body, finite: true } as ApiResponse['body'], ...(gzip ? { gzip } : {}) };
};
const one = Buffer.alloc(200 * KIB, 'x');
const shared: ApiResponse = { ...text(''), body: { type: 'bytes', chunks: [one], length: one.length } };
const answers: Readonly<Record<string, () => ApiResponse>> = {
  '/own': () => text('x'.repeat(200 * KIB)),
  '/parts': () => text(['x'.repeat(100 * KIB), ...Array.from({ length: 100 }, () => 'x'.repeat(KIB))]),
  '/many-parts': () => text(Array.from({ length: 300 }, () => 'x'.repeat(KIB))),
  '/list': () => list(false),
  '/compressed-list': () => list(true),
  '/compressed': () => ({ ...text('x'.repeat(200 * KIB)), gzip: true }),
  '/shared': () => shared,
  '/small': () => text('x'.repeat(KIB)),
};

async function start(maxPendingBytes: number): Promise<Listener> {
  const server = answering(({ path }) => answers[path]?.() ?? text('ok'));
  const listener = await listen(server, { limits: { maxPendingBytes } });
  open.push({ close: () => listener.close({ graceMilliseconds: 0 }) });
  return listener;
}

/** Sends requests and reads none of their bodies. @returns how many responses have each status. */
async function askWithoutReading(listener: Listener, path: string, count: number, method = 'GET') {
  const session = session2(listener.url, { settings: { initialWindowSize: 0 } });
  open.unshift({ close: () => session.destroy() });
  session.on('error', () => undefined);
  await once(session, 'remoteSettings');
  const statuses: number[] = [];
  let ended = 0;
  for (let i = 0; i < count; i++) {
    const stream: http2.ClientHttp2Stream = session.request({ ':path': path, ':method': method });
    stream.on('response', (headers) => statuses.push(headers[':status'] ?? 0));
    stream.on('error', () => undefined).on('close', () => ended++);
    stream.pause();
  }
  await until(() => statuses.length === count);
  return { served: statuses.filter((status) => status === 200).length, ended: () => ended, statuses };
}

it.each([
  ['/own', 200],
  ['/parts', 200],
  ['/many-parts', 256],
  ['/list', 256],
  ['/compressed', 200 + 320],
  ['/compressed-list', 256 + 320],
])('are limited in total, with responses such as %s', async (path, kibibytes) => {
  const listener = await start(20 * kibibytes * KIB);
  const { served, statuses } = await askWithoutReading(listener, path, 100);
  // The responses that were already being produced when the limit was reached are not refused.
  expect(served).toBeLessThan(40);
  expect(statuses.filter((status) => status === 429).length).toBe(100 - served);
  const reader = session2(listener.url);
  open.unshift({ close: () => reader.destroy() });
  expect((await exchange2(reader)).body).toBe('ok');
  // Clients that do not read are cut off, so that others are served.
  await expect.poll(async () => (await exchange2(reader, { path })).status, { timeout: 30_000 }).toBe(200);
});

it('do not count a shared response more than once', async () => {
  const listener = await start(4 * 200 * KIB + 100 * 16 * KIB);
  expect((await askWithoutReading(listener, '/shared', 100)).served).toBe(100);
});

it.each(['GET', 'POST'])('are limited in total however small they are, without a refusal (%s)', async (method) => {
  const listener = await start(32 * 16 * KIB);
  const unread = await Promise.all(Array.from({ length: 8 }, () => askWithoutReading(listener, '/small', 100, method)));
  expect(unread.map(({ served }) => served)).toEqual(unread.map(() => 100));
  const reader = session2(listener.url);
  open.unshift({ close: () => reader.destroy() });
  const ended = () => unread.reduce((sum, each) => sum + each.ended(), 0);
  const look = async () => {
    expect((await exchange2(reader, { path: '/small' })).status).toBe(200);
    return ended();
  };
  await expect.poll(look, { timeout: 30_000 }).toBeGreaterThan(800 - 32);
});

it('release the memory of responses that were read', async () => {
  const listener = await start(4 * 200 * KIB);
  const reader = session2(listener.url);
  open.unshift({ close: () => reader.destroy() });
  for (let i = 0; i < 40; i++)
    for (const path of Object.keys(answers)) expect((await exchange2(reader, { path })).status).toBe(200);
});
