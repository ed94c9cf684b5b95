import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import net from 'node:net';
import { expect, it } from 'vitest';
import { type Listener, listen } from '../../../src/http/index.js';
import { exchange1, exchange2, until } from '../../http/exchange.js';
import { answering, text } from '../../http/stub-server.js';

/* A shutdown does not disturb busy clients: a response tells each that its connection ends, and no connection is reset. */
let asked = 0;
const server = answering(async () => {
  asked++;
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
  return text('done');
});
const CLIENTS = 20;
const REFUSED = /ECONNREFUSED/;

it.each([['http'], ['https']])(
  'does not reset a busy client that keeps its connection, over %s',
  async (scheme) => {
    const listener = await listen(server, scheme === 'https' ? {} : { tls: false });
    const { Agent } = scheme === 'https' ? https : http;
    const failures: string[] = [];
    const lastWords: (string | undefined)[] = [];
    let answered = 0;
    const busy = async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      try {
        for (;;) {
          const answer = await exchange1(listener.url, {}, { agent });
          answered++;
          if (answer.headers.connection === 'close') lastWords.push(answer.headers.connection);
        }
      } catch (error) {
        failures.push(String(error));
      } finally {
        agent.destroy();
      }
    };
    const clients = Array.from({ length: CLIENTS }, busy);
    await until(() => answered >= CLIENTS * 5);
    await listener.close({ graceMilliseconds: 5000 });
    await Promise.all(clients);
    // The next connection is refused, because the port is closed; none was reset.
    expect(failures.filter((failure) => !REFUSED.test(failure))).toEqual([]);
    expect(lastWords.length).toBe(CLIENTS);
  },
  20_000,
);

it('completes responses in flight over HTTP/2, and announces the end to the client', async () => {
  const listener = await listen(server, {});
  const session = http2.connect(listener.url, { ca: listener.certificateAuthority ?? '' });
  const errors: unknown[] = [];
  session.on('error', (error) => errors.push(error));
  const goaway: number[] = [];
  session.on('goaway', (code) => goaway.push(code));
  await exchange2(session);
  asked = 0;
  const inFlight = Array.from({ length: 20 }, () => exchange2(session));
  await until(() => asked === inFlight.length);
  const closed = listener.close({ graceMilliseconds: 5000 });
  expect(new Set((await Promise.all(inFlight)).map(({ body }) => body))).toEqual(new Set(['done']));
  await closed;
  expect(goaway[0]).toBe(0);
  expect(errors).toEqual([]);
});

/** Returns a connection that has received one response and could send another request. */
async function keptConnection({ port }: Listener) {
  const socket = net.connect(port, '127.0.0.1').setEncoding('latin1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  return socket.resume();
}

it('waits for a request that has partly arrived', async () => {
  const listener = await listen(server, { tls: false });
  const socket = await keptConnection(listener);
  const idle = await keptConnection(listener);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
  const closed = listener.close({ graceMilliseconds: 5000 });
  await once(idle, 'close');
  let answer = '';
  socket.on('data', (part) => (answer += part));
  socket.write('\r\n');
  await once(socket, 'close');
  expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*Connection: close/);
  await closed;
});
