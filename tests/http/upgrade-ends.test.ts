import { IncomingMessage, ServerResponse } from 'node:http';
import net from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Http1Connection } from '../../src/http/http1-connection.js';
import { type Listener, listen } from '../../src/http/index.js';
import type { ApiResponse } from '../../src/requests/api-request.js';
import { reachableBytes } from '../support/collect-garbage.js';
import { until } from './exchange.js';
import { serverEnds } from './server-ends.js';
import { answering, FakeStream } from './stub-server.js';

const ends = serverEnds();
const streams: FakeStream[] = [];
const server = answering((): ApiResponse => {
  const stream = new FakeStream();
  streams.push(stream);
  return { status: 200, headers: {}, body: { type: 'stream', stream, events: { lengthBytes: 0 } } };
});
let listener: Listener;
beforeAll(async () => {
  listener = await listen(server, { tls: false, limits: { answerTimeout: 200 } });
});
afterAll(() => listener.close({ graceMilliseconds: 300 }));

const UPGRADE = 'Connection: Upgrade\r\nUpgrade: other\r\n';
const HANDSHAKE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nOrigin: http://a\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
const CLOSE = '\x88\x80abcd';
const get = (headers: string) => `GET / HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;

const ports = new WeakMap<net.Socket, number>();

/** Opens a connection whose client does not close its side by itself, and sends bytes. */
function open(bytes: string) {
  const socket = net.connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined).resume();
  // A closed socket has no port any more.
  socket.once('connect', () => ports.set(socket, socket.localPort ?? 0));
  socket.write(bytes, 'latin1');
  return socket;
}
const isGone = (socket: net.Socket) => ends.of({ localPort: ports.get(socket) ?? 0 })?.destroyed === true;
const begun = async (count: number) => {
  await until(() => streams.length === count);
  await new Promise((resolve) => setTimeout(resolve, 20));
};

it.each([
  ['that asks for another protocol', get(UPGRADE), 1],
  ['that asks for another protocol, with bytes behind it', `${get(UPGRADE)}bytes`, 1],
  ['before one that asks for another protocol', get('') + get(UPGRADE), 1],
  ['over a WebSocket', get(HANDSHAKE), 1],
])('closes a watch %s when the client ends the connection', async (_, bytes, count) => {
  streams.length = 0;
  const socket = open(bytes);
  await begun(count);
  socket.end();
  await until(() => isGone(socket) && streams.every(({ closed }) => closed > 0));
});

it('closes a watch over a WebSocket whose client closed the connection before the response', async () => {
  streams.length = 0;
  const socket = open(get(HANDSHAKE));
  socket.end();
  await until(() => isGone(socket) && streams.every(({ closed }) => closed > 0));
});

it.each([
  ['a close frame', CLOSE],
  ['a close frame and further frames', `${CLOSE}\x89\x80abcd${CLOSE}`],
])('closes a WebSocket after %s from a client that keeps the connection open', async (_, frames) => {
  streams.length = 0;
  const socket = open(get(HANDSHAKE));
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString('latin1')));
  await begun(1);
  socket.write(frames, 'latin1');
  await until(() => isGone(socket) && streams.every(({ closed }) => closed > 0));
  expect(received.slice(received.indexOf('\r\n\r\n') + 4)).toBe('\x88\x02\x03\xe8');
  socket.destroy();
});

it.each([
  ['with a WebSocket', HANDSHAKE],
  ['with another protocol', UPGRADE],
])('closes a connection %s some time after the end of a watch if the client keeps it open', async (_, headers) => {
  streams.length = 0;
  const socket = open(get(headers));
  await begun(1);
  streams[0]?.end();
  await until(() => isGone(socket));
  socket.destroy();
});

it('closes a connection after a refused upgrade request with a chunked body if the client keeps it open', async () => {
  const socket = open(get(`${UPGRADE}Transfer-Encoding: chunked\r\n`));
  await until(() => ends.of(socket) !== undefined);
  socket.write('5\r\nhello\r\n');
  await until(() => isGone(socket));
  socket.destroy();
});

it.each([
  ['without bytes after the request', ''],
  ['with bytes after the request', 'bytes'],
])('aborts an upgrade request that is not answered when the client ends the connection, %s', async (_, early) => {
  const waiting: (AbortSignal | undefined)[] = [];
  const silent = await listen(
    answering(({ signal }) => {
      waiting.push(signal);
      return new Promise(() => {});
    }),
    { tls: false },
  );
  const socket = net.connect(silent.port, '127.0.0.1').on('error', () => undefined);
  socket.write(get(UPGRADE) + early, 'latin1');
  await until(() => waiting.length === 1);
  socket.write(early, 'latin1');
  socket.end();
  await until(() => waiting[0]?.aborted === true);
  await silent.close({ graceMilliseconds: 0 });
});

it('ends a connection on which more than 64 KiB follow an upgrade request that is not answered', async () => {
  const silent = await listen(
    answering(() => new Promise(() => {})),
    { tls: false },
  );
  const socket = net.connect(silent.port, '127.0.0.1').on('error', () => undefined);
  socket.write(get(UPGRADE) + 'x'.repeat(70 * 1024), 'latin1');
  await until(() => socket.destroyed);
  await silent.close({ graceMilliseconds: 0 });
});

it('does not count bytes of an upgraded protocol as a head', () => {
  const socket = new net.Socket();
  let bytesRead = 100;
  Object.defineProperty(socket, 'bytesRead', { get: () => bytesRead });
  const connection = Http1Connection.of(socket);
  connection.listener = { closing: false };
  const incoming = new IncomingMessage(socket);
  connection.upgrade = { incoming, takeBytes: () => new Uint8Array() };
  connection.add(new ServerResponse(incoming));
  bytesRead = 1_000_000;
  expect(connection.incompleteBytes()).toBe(0);
});

it('keeps little memory for single bytes behind an upgrade request that is not answered', async () => {
  let begun = false;
  const silent = await listen(
    answering(() => {
      begun = true;
      return new Promise(() => {});
    }),
    { tls: false },
  );
  const socket = net.connect({ port: silent.port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  socket.write(get(UPGRADE));
  await until(() => begun);
  const end = ends.of(socket);
  const before = reachableBytes();
  for (let i = 0; i < 60_000; i++) end?.emit('data', Buffer.from('x'));
  expect(reachableBytes() - before).toBeLessThan(1_000_000);
  socket.destroy();
  await silent.close({ graceMilliseconds: 0 });
});
