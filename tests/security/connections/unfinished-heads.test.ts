import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { frame, PREFACE } from '../../../bench/support/http2-frames.mjs';
import { type Listener, listen } from '../../../src/http/listener.js';
import { exchange2, session2, until } from '../../http/exchange.js';
import { answering, text } from '../../http/stub-server.js';

const HEAD = `GET / HTTP/1.1\r\nHost: x\r\n${`a: ${'y'.repeat(60_000)}\r\n`.repeat(10)}`;

let listener: Listener;
const sockets: net.Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listener.close({ graceMilliseconds: 0 });
});

/** A connection that has sent a head of 600 kB except for its end, and its response. */
async function unfinished(secure: boolean) {
  const { port } = listener;
  const to = { port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] };
  const socket = secure ? tls.connect(to) : net.connect(to);
  sockets.push(socket);
  const client = { socket, answer: '', isOpen: true };
  socket.on('data', (chunk) => (client.answer += String(chunk)));
  socket.on('close', () => (client.isOpen = false)).on('error', () => undefined);
  await once(socket, secure ? 'secureConnect' : 'connect');
  socket.write(HEAD);
  return client;
}

describe.each([false, true])('incomplete request heads (TLS: %s)', (secure) => {
  it('are limited in total over all connections, and other connections are served', async () => {
    const limits = { maxHeadBytes: 4 * 1024 * 1024 };
    listener = await listen(
      answering(() => text('here')),
      { ...(secure ? {} : { tls: false }), limits },
    );
    const clients = await Promise.all(Array.from({ length: 20 }, () => unfinished(secure)));
    await until(() => clients.filter(({ isOpen }) => isOpen).length <= 6);
    const ended = clients.filter(({ isOpen }) => !isOpen);
    expect(ended.some(({ answer }) => answer.startsWith('HTTP/1.1 431 '))).toBe(true);
    // Only the largest incomplete heads are ended, so a small one is served meanwhile.
    const small = net.connect(listener.port, '127.0.0.1');
    const other = secure ? tls.connect({ socket: small, rejectUnauthorized: false }) : small;
    sockets.push(other);
    other.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(String((await once(other, 'data'))[0])).toContain('200 OK');
    // A head of the maximum size is still read if there is room.
    const left = clients.find(({ isOpen }) => isOpen);
    left?.socket.write('\r\n');
    await until(() => left?.answer.includes('here') === true);
  });
});

it('counts a head that begins while another request of its connection runs', async () => {
  const waiting = answering(() => new Promise(() => undefined));
  listener = await listen(waiting, { tls: false, limits: { maxHeadBytes: 1024 * 1024 } });
  const clients = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const socket = net.connect(listener.port, '127.0.0.1').on('error', () => undefined);
      sockets.push(socket);
      await once(socket, 'connect');
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      socket.write(HEAD);
      return socket;
    }),
  );
  await until(() => clients.filter((socket) => socket.closed).length >= 2);
});

describe('incomplete heads over HTTP/2', () => {
  const limits = { maxHeadBytes: 4 * 1024 * 1024 };

  async function connected() {
    const to = { port: listener.port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['h2'] };
    const socket = tls.connect(to).on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'secureConnect');
    socket.resume().write(PREFACE);
    return socket;
  }

  it('count by the memory they use, which is far more than was sent', async () => {
    listener = await listen(
      answering(() => text('here')),
      { limits },
    );
    const clients = await Promise.all(Array.from({ length: 20 }, connected));
    // The same header from the static table, 9,000 times: some 600 kB of names and values.
    for (const socket of clients) socket.write(frame(1, 0, 1, Buffer.alloc(9000, 0x90)));
    await until(() => clients.filter((socket) => socket.closed).length >= 15);
    const session = session2(listener.url);
    expect((await exchange2(session)).body).toBe('here');
    session.destroy();
  });

  it('are not confused with frames of clients that send and read much', async () => {
    listener = await listen(
      answering(async ({ body }) => text(body?.type === 'bytes' ? String((await body.read(2 << 20)).length) : 'none')),
      { limits },
    );
    const sessions = Array.from({ length: 10 }, () => session2(listener.url));
    for (let round = 0; round < 3; round++) {
      // Pings are answered, so the frames before them were complete.
      for (const session of sessions) for (let i = 0; i < 9; i++) session.ping(() => undefined);
      const body = 'x'.repeat(1 << 20);
      const answers = sessions.map((session) => exchange2(session, { method: 'POST', body }));
      expect(new Set((await Promise.all(answers)).map((answer) => answer.body))).toEqual(new Set([String(1 << 20)]));
    }
    for (const session of sessions) session.destroy();
  });
});

it('limits incomplete handshakes', async () => {
  listener = await listen(
    answering(() => text('here')),
    { limits: { maxHeadBytes: 64 * 1024 } },
  );
  // This is a first message of 16 kB without an end.
  const hello = Buffer.concat([Buffer.from([22, 3, 1, 0x3f, 0xff, 1, 0, 0x3f, 0xfb, 3, 3]), Buffer.alloc(16_000)]);
  const clients = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const socket = net.connect(listener.port, '127.0.0.1').on('error', () => undefined);
      sockets.push(socket);
      await once(socket, 'connect');
      socket.write(hello);
      return socket;
    }),
  );
  await until(() => clients.filter((socket) => socket.closed).length >= 35);
  const session = session2(listener.url);
  expect((await exchange2(session)).body).toBe('here');
  session.destroy();
});

it('does not parse the rest of a body that was refused early as a head', async () => {
  const refusing = answering(({ method }) => text(method === 'POST' ? 'refused' : 'here'));
  listener = await listen(refusing, { tls: false, limits: { maxHeadBytes: 1024 * 1024 } });
  const clients = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const socket = net.connect(listener.port, '127.0.0.1');
      sockets.push(socket);
      const client = { socket, answer: '' };
      socket.on('data', (chunk) => (client.answer += String(chunk)));
      await once(socket, 'connect');
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${4 << 20}\r\n\r\n`);
      await until(() => client.answer.includes('refused'));
      return client;
    }),
  );
  // The bytes are sent slowly enough that the heads are checked meanwhile.
  for (let sent = 0; sent < 4; sent++) {
    for (const { socket } of clients) socket.write('y'.repeat(1 << 20));
    await new Promise((resolve) => setTimeout(resolve, 120));
  }
  for (const { socket } of clients) socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => clients.every(({ answer }) => answer.includes('here')));
  expect(clients.filter(({ answer }) => answer.includes(' 431 '))).toEqual([]);
});
