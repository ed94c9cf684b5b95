import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Listener, listen } from '../../src/http/index.js';
import { until } from './exchange.js';
import { answering, FakeStream, makeCertificates, streaming, text } from './stub-server.js';

const certificates = makeCertificates();
const open: Listener[] = [];
afterEach(async () => {
  for (const listener of open.splice(0)) await listener.close({ graceMilliseconds: 0 });
});

describe.skipIf(certificates === undefined).each(['plain', 'tls'])('a %s client that closes its side', (kind) => {
  async function connected({ port }: Listener): Promise<net.Socket> {
    const to = { port, host: '127.0.0.1', allowHalfOpen: true, rejectUnauthorized: false };
    const socket = kind === 'tls' ? tls.connect(to) : net.connect(to);
    await once(socket, kind === 'tls' ? 'secureConnect' : 'connect');
    return socket;
  }

  /** Sends a request and closes the client's side at once. */
  async function halfClosed(handler: Parameters<typeof answering>[0]): Promise<net.Socket> {
    const listener = await listen(answering(handler), {
      tls: certificates && kind === 'tls' ? certificates.serving : false,
    });
    open.push(listener);
    const socket = await connected(listener);
    socket.end('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    return socket;
  }

  it.each([0, 100])('receives its response after %d ms, and the connection ends', async (milliseconds) => {
    const socket = await halfClosed(async () => {
      if (milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds));
      return text('done');
    });
    let received = '';
    socket.on('data', (chunk) => (received += chunk));
    await once(socket, 'close');
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n.*done$/s);
  });

  it('ends its watch at once', async () => {
    const stream = new FakeStream();
    const listener = await listen(
      answering(() => streaming(stream)),
      {
        tls: certificates && kind === 'tls' ? certificates.serving : false,
      },
    );
    open.push(listener);
    const socket = await connected(listener);
    socket.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'data');
    socket.resume();
    // The limit for other responses is a timer, which does not fire now.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      socket.end();
      await once(socket, 'close');
      expect(stream.closed).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not keep a watch open that begins afterwards', async () => {
    const stream = new FakeStream();
    const socket = await halfClosed(() => streaming(stream));
    socket.on('error', () => undefined).resume();
    await until(() => stream.closed === 1);
    if (!socket.destroyed) await once(socket, 'close');
  });
});
