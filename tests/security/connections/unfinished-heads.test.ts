import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { type Listener, listen } from '../../../src/http/listener.js';
import { until } from '../../http/exchange.js';
import { answering, text } from '../../http/stub-server.js';

const HEAD = `GET / HTTP/1.1\r\nHost: x\r\n${`a: ${'y'.repeat(60_000)}\r\n`.repeat(10)}`;

let listener: Listener;
const sockets: net.Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listener.close({ graceMilliseconds: 0 });
});

/** A connection that has sent a head of 600 kB but for its end, and what it has been answered. */
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

describe.each([false, true])('heads that are not complete (TLS: %s)', (secure) => {
  it('keep no more than a total for all connections, and the others are served', async () => {
    const limits = { maxHeadBytes: 4 * 1024 * 1024 };
    listener = await listen(
      answering(() => text('here')),
      { ...(secure ? {} : { tls: false }), limits },
    );
    const clients = await Promise.all(Array.from({ length: 20 }, () => unfinished(secure)));
    await until(() => clients.filter(({ isOpen }) => isOpen).length <= 6);
    const ended = clients.filter(({ isOpen }) => !isOpen);
    expect(ended.some(({ answer }) => answer.startsWith('HTTP/1.1 431 '))).toBe(true);
    // The largest heads are those that end, so a small one is served meanwhile.
    const small = net.connect(listener.port, '127.0.0.1');
    const other = secure ? tls.connect({ socket: small, rejectUnauthorized: false }) : small;
    sockets.push(other);
    other.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(String((await once(other, 'data'))[0])).toContain('200 OK');
    // A head as large as any is still read where there is room.
    const left = clients.find(({ isOpen }) => isOpen);
    left?.socket.write('\r\n');
    await until(() => left?.answer.includes('here') === true);
  });
});

it('does not take the rest of a body that was refused early for a head', async () => {
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
  // Slowly enough that the heads are looked at meanwhile.
  for (let sent = 0; sent < 4; sent++) {
    for (const { socket } of clients) socket.write('y'.repeat(1 << 20));
    await new Promise((resolve) => setTimeout(resolve, 120));
  }
  for (const { socket } of clients) socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => clients.every(({ answer }) => answer.includes('here')));
  expect(clients.filter(({ answer }) => answer.includes(' 431 '))).toEqual([]);
});
