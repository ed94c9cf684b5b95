import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Listener, listen, toNodeHandler } from '../../src/http/index.js';
import { exchangeRaw, until } from './exchange.js';
import { answering, text } from './stub-server.js';

const executed: string[] = [];
const server = answering(async ({ method, path, body }) => {
  if (path === '/slow') await new Promise((resolve) => setTimeout(resolve, 50));
  if (body?.type === 'bytes') await body.read(1000);
  executed.push(`${method} ${path}`);
  return text(path);
});
let listener: Listener;
let mounted: http.Server;
beforeAll(async () => {
  listener = await listen(server, { tls: false });
  mounted = http.createServer(toNodeHandler(server)).listen(0, '127.0.0.1');
  await until(() => mounted.listening);
});
afterAll(async () => {
  mounted.close();
  await listener.close({ graceMilliseconds: 300 });
});
beforeEach(() => void (executed.length = 0));

const port = (where: string) => (where === 'a listener' ? listener.port : (mounted.address() as AddressInfo).port);
const post = (path: string, headers = '') =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\n${headers}Content-Length: 5\r\n\r\nhello`;
const last = 'GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const statuses = (received: string) => received.match(/(?<=HTTP\/1\.1 )\d+/g);

describe.each(['a listener', 'a mounted handler'])('pipelined requests to %s', (where) => {
  it('are executed one after the other if they may change something', async () => {
    const remove = 'DELETE /removed HTTP/1.1\r\nHost: a\r\n\r\n';
    expect(statuses(await exchangeRaw(port(where), post('/slow') + remove + post('/slow'), last))).toHaveLength(4);
    expect(executed).toEqual(['POST /slow', 'DELETE /removed', 'POST /slow', 'GET /last']);
  });

  it.each([
    ['no Host', 'GET / HTTP/1.1\r\n\r\n', '400'],
    ['several Hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', '400'],
    [
      'the chunked coding in HTTP/1.0',
      'POST / HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
      '400',
    ],
    [
      'an unknown coding',
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
      '501',
    ],
  ])('are not executed after one that is refused for %s', async (_, refused, status) => {
    expect(statuses(await exchangeRaw(port(where), refused + post('/after')))).toEqual([status]);
    expect(executed).toEqual([]);
  });

  it('are read only a few ahead of the responses, and all get a response', async () => {
    const received = await exchangeRaw(
      port(where),
      post('/slow'),
      ...Array.from({ length: 300 }, () => post('/x')),
      last,
    );
    expect(statuses(received)).toHaveLength(302);
  });
});

it('does not execute a request that follows one with an unknown expectation', async () => {
  expect(statuses(await exchangeRaw(listener.port, post('/', 'Expect: tea\r\n') + post('/after')))).toEqual(['417']);
  expect(executed).toEqual([]);
});

it('sends a complete refusal while the client still sends the body', async () => {
  const socket = net.connect(listener.port, '127.0.0.1');
  let received = '';
  let failed = false;
  socket.on('data', (chunk) => (received += chunk)).on('error', () => (failed = true));
  socket.write('POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n');
  for (let i = 0; i < 10; i++) {
    socket.write('x'.repeat(10_000));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(statuses(received)).toEqual(['400']);
  expect(failed).toBe(false);
  socket.destroy();
});
