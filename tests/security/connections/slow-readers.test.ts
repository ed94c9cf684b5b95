import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { afterEach, expect, it } from 'vitest';
import { frame, PREFACE } from '../../../bench/support/http2-frames.mjs';
import { type ConnectionLimits, type Listener, listen } from '../../../src/http/index.js';
import { exchange1, exchange2, session2, until } from '../../http/exchange.js';
import { serverEnds } from '../../http/server-ends.js';
import { answering, FakeStream, streaming, text } from '../../http/stub-server.js';

/*
 * Clients that send requests and do not read the responses: their waiting data is limited, and they are disconnected. The sizes are far
 * above what kernels buffer for a connection.
 */
const MIB = 1024 * 1024;
const open: Listener[] = [];
const ends = serverEnds();
afterEach(async () => {
  for (const listener of open.splice(0)) await listener.close({ graceMilliseconds: 0 });
});
const shared = Buffer.alloc(12 * MIB, 'x');
let stream = new FakeStream();
const server = answering(({ path }) => {
  if (path === '/watch') return streaming(stream);
  if (path === '/shared') return { ...text(''), body: { type: 'bytes', chunks: [shared], length: shared.length } };
  if (path === '/last') return text('bye', 200, { Connection: 'close' });
  return text(path === '/own' ? 'x'.repeat(12 * MIB) : 'ok');
});
async function start(limits: ConnectionLimits, secure = false) {
  stream = new FakeStream();
  const listener = await listen(server, { limits, ...(secure ? {} : { tls: false }) });
  open.push(listener);
  return listener;
}

/** Opens a connection that sends a request and does not read. */
async function ask(listener: Listener, path: string) {
  const socket = net.connect(listener.port, '127.0.0.1');
  const state = { socket, closed: false };
  socket.on('error', () => undefined).on('close', () => (state.closed = true));
  socket.pause();
  await new Promise((resolve) => socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`, resolve));
  return state;
}
/** Waits until the server has finished with a connection: the rest of its data arrives, and then the end. */
async function drained({ socket, ...state }: Awaited<ReturnType<typeof ask>>): Promise<number> {
  let bytes = 0;
  if (state.closed) return 0;
  await new Promise((resolve) => {
    socket.on('close', resolve).on('data', ({ length }) => (bytes += length));
    socket.resume();
  });
  return bytes;
}
const connections = (listener: Listener, path: string, count: number) =>
  Promise.all(Array.from({ length: count }, () => ask(listener, path)));

it('are disconnected if a response is not read in time, and others are not', async () => {
  // This is long enough for clients that read, on any machine.
  const listener = await start({ answerTimeout: 3_000 });
  const unread = await connections(listener, '/shared', 20);
  expect((await exchange1(listener.url, { path: '/shared' })).body.length).toBe(shared.length);
  await until(() => unread.every(({ socket }) => ends.of(socket)?.destroyed));
  for (const one of unread) expect(await drained(one)).toBeLessThan(shared.length);
  expect((await exchange1(listener.url)).body).toBe('ok');
});

it('occupy no more than a slice each of a shared response', async () => {
  const listener = await start({});
  await exchange1(listener.url, { path: '/shared' });
  const before = process.memoryUsage().rss;
  const unread = await connections(listener, '/shared', 60);
  expect((await exchange1(listener.url)).body).toBe('ok');
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * MIB);
  for (const { socket } of unread) socket.destroy();
});

it('do not occupy room for large responses of their own: others are refused until the stalled ones are disconnected', async () => {
  const listener = await start({ maxPendingBytes: 20 * MIB });
  const unread = await ask(listener, '/own');
  await exchange1(listener.url);
  const refused = await exchange1(listener.url, { path: '/own' });
  expect([refused.status, refused.body, refused.headers['retry-after']]).toEqual([
    429,
    'Too many requests, please try again later.\n',
    '1',
  ]);
  // The write gets its response, however large.
  expect((await exchange1(listener.url, { method: 'POST', path: '/own', body: 'x' })).status).toBe(200);
  expect((await exchange1(listener.url)).body).toBe('ok');
  await expect.poll(async () => (await exchange1(listener.url, { path: '/own' })).status).toBe(200);
  expect(await drained(unread)).toBeLessThan(12 * MIB);
});

it('end with their watch when it is stalled; an idle watch continues', async () => {
  const listener = await start({ watchStallTimeout: 400 });
  const quiet = await ask(listener, '/watch');
  await until(() => stream.onReadable !== undefined);
  const quietStream = stream;
  stream = new FakeStream();
  const stuck = await ask(listener, '/watch');
  await until(() => stream.onReadable !== undefined);
  stream.push(...Array.from({ length: 20 }, () => Buffer.alloc(MIB, 'y')));
  await until(() => stream.closed > 0);
  expect(await drained(stuck)).toBeLessThan(20 * MIB);
  expect(quietStream.closed).toBe(0);
  quiet.socket.destroy();
});

it('over HTTP/2 lose the stream, and keep a working session', async () => {
  const listener = await start({ answerTimeout: 400 }, true);
  const session = session2(listener.url);
  session.on('error', () => undefined);
  const unread = session.request({ ':path': '/shared' });
  let code: number | undefined;
  unread.on('error', () => undefined).on('close', () => (code = unread.rstCode));
  unread.pause();
  await until(() => code !== undefined);
  expect(code).not.toBe(0);
  expect((await exchange2(session)).body).toBe('ok');
  session.destroy();
});

it.each([
  ['reads nothing', '/shared'],
  ['does not close its side', '/last'],
])('over HTTP/2 lose their connection after the end of their session: one that %s', async (how, path) => {
  const listener = await start({ answerTimeout: 400 }, true);
  const to = { port: listener.port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['h2'] };
  const raw = net.connect({ ...to, allowHalfOpen: true });
  const socket = tls.connect({ ...to, socket: raw }).on('error', () => undefined);
  await once(socket, 'secureConnect');
  if (how === 'reads nothing') socket.pause();
  else socket.resume();
  // The connection and its streams have the largest window, so that only the connection itself limits the server.
  const window = Buffer.from([0x7f, 0xff, 0, 0]);
  const head = Buffer.concat([Buffer.from([0x82, 0x87, 0x04, path.length]), Buffer.from(path)]);
  const get = Buffer.concat([head, Buffer.from([0x41, 1, 'x'.charCodeAt(0)])]);
  const widest = frame(4, 0, 0, Buffer.concat([Buffer.from([0, 4]), window]));
  socket.write(Buffer.concat([PREFACE, widest, frame(8, 0, 0, window), frame(1, 5, 1, get)]));
  await until(() => ends.of(raw) !== undefined);
  await until(() => ends.of(raw)?.destroyed === true);
  raw.destroy();
});

it('with small responses accumulate nothing, even with thousands of requests on a connection', async () => {
  const listener = await start({ answerTimeout: 400 });
  const socket = net.connect(listener.port, '127.0.0.1');
  let closed = false;
  socket.on('error', () => undefined).on('close', () => (closed = true));
  socket.pause();
  const before = process.memoryUsage().rss;
  for (let i = 0; i < 40; i++) socket.write('GET /shared HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50));
  let most = 0;
  await until(() => {
    most = Math.max(most, process.memoryUsage().rss - before);
    return ends.of(socket)?.destroyed === true;
  });
  expect(most).toBeLessThan(300 * MIB);
  socket.resume();
  await until(() => closed);
});

it('are refused beyond the maximum number of connections', async () => {
  const listener = await start({ maxConnections: 3 });
  const idle = await connections(listener, '/', 3);
  const more = await ask(listener, '/');
  more.socket.resume();
  await until(() => more.closed);
  expect(idle.some(({ closed }) => closed)).toBe(false);
  for (const { socket } of idle) socket.destroy();
});

it('have limits that are numbers within their range', async () => {
  await expect(listen(server, { tls: false, limits: { answerTimeout: 0 } })).rejects.toThrow(TypeError);
  await expect(listen(server, { tls: false, limits: { maxConnections: -1 } })).rejects.toThrow(TypeError);
});
