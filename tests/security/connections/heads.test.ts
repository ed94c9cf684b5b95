import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../../src/api-server.js';
import { type Listener, listen } from '../../../src/http/index.js';
import { exchange1, exchange2, exchangeRaw, session2, until } from '../../http/exchange.js';
import { serverEnds } from '../../http/server-ends.js';
import { startServer } from '../../support/servers.js';

/* The heads of requests: hosts and expectations; and clients that disconnect within a request, which is not a fault of the server. */
const said: unknown[] = [];
const ends = serverEnds();
let server: ApiServer;
let plain: Listener;
let secure: Listener;
beforeAll(async () => {
  const anonymous = () => ({
    name: 'anyone',
    authenticate: () => ({ outcome: 'authenticated' as const, user: { username: 'x', groups: ['system:masters'] } }),
  });
  server = await startServer({ dialect: 'k8s', authentication: [anonymous], log: (line) => void said.push(line) });
  const handler = { handle: server.handle.bind(server) };
  const onError = (error: unknown) => void said.push(error);
  plain = await listen(handler, { tls: false, onError });
  secure = await listen(handler, { onError });
});
afterAll(async () => {
  await plain.close({ graceMilliseconds: 0 });
  await secure.close({ graceMilliseconds: 0 });
  await server.close();
});
const get = (head: string, target = '/version') =>
  exchangeRaw(plain.port, `GET ${target} HTTP/1.1\r\n${head}Connection: close\r\n\r\n`);

describe('hosts', () => {
  it.each([
    ['two Host headers', 'Host: a\r\nHost: b\r\n', '/version', 'too many Host headers'],
    ['two equal Host headers', 'Host: a\r\nhost: a\r\n', '/version', 'too many Host headers'],
    [
      'two Host headers beside an absolute target',
      'Host: a\r\nHost: b\r\n',
      'http://a/version',
      'too many Host headers',
    ],
    ['missing Host headers', '', '/version', 'missing required Host header'],
    ['malformed Host headers', 'Host: a b\r\n', '/version', 'malformed Host header'],
  ])('%s are refused with 400', async (_, head, target, why) => {
    const answer = await get(head, target);
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*Connection: close/);
    expect(answer).toMatch(new RegExp(`\r\n\r\n400 Bad Request: ${why}$`));
  });
  it('may occur once, and an absolute target takes precedence', async () => {
    expect(await get('Host: [::1]:6443\r\n')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await get('Host: a\r\n', 'http://other:1/api')).toContain('"serverAddress":"other:1"');
  });
  it('are ignored over HTTP/2 besides the authority', async () => {
    const session = session2(secure.url);
    const { body, status } = await exchange2(session, {
      path: '/api',
      headers: { ':authority': 'first:1', host: 'b' },
    });
    expect([status, body.includes('first:1')]).toEqual([200, true]);
    session.close();
  });
});

describe('versions', () => {
  it.each(['0.9', '2.0'])('%s is not an accepted version', async (version) => {
    const answer = await exchangeRaw(
      plain.port,
      `GET /version HTTP/${version}\r\nHost: x\r\n\r\nGET /version HTTP/1.1\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 505 HTTP Version Not Supported\r\n[\s\S]*Connection: close/);
    expect(answer).toMatch(/\r\n\r\n505 HTTP Version Not Supported: unsupported protocol version$/);
  });
  it('1.0 has no chunked encoding: what follows is not a request', async () => {
    const answer = await exchangeRaw(
      plain.port,
      'POST /version HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /version HTTP/1.1\r\nHost: x\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*Connection: close[\s\S]*transfer encoding in HTTP\/1\.0$/);
  });
});

describe('CONNECT', () => {
  const NOT_FOUND = '404 page not found\n';
  it.each([
    ['a host', 'other:443', 404, NOT_FOUND],
    ['a path', '/version', 405, 'the server does not allow this method on the requested resource'],
    ['a resource', '/api/v1/pods', 405, 'the server does not allow this method on the requested resource'],
    ['a malformed target', 'a/%zz', 404, NOT_FOUND],
  ])('opens no connection: %s', async (_, target, status, text) => {
    const answer = await exchangeRaw(
      plain.port,
      `CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\nGET /version HTTP/1.1\r\nHost: x\r\n\r\n`,
    );
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*Connection: close`));
    expect(answer).toContain(text);
    expect(answer.split('HTTP/1.1 ')).toHaveLength(2);
  });
  it('opens none over HTTP/2 either', async () => {
    const session = session2(secure.url);
    const stream = session.request({ ':method': 'CONNECT', ':authority': 'other:443' });
    const [headers] = await once(stream, 'response');
    expect(headers[':status']).toBe(404);
    session.destroy();
  });
});

// A proxy in front of the server that reads such lines differently would send headers that it has not checked.
it.each([
  ['end in a line feed alone', 'Host: x\nX: y\r\n'],
  ['continue on the next line', 'Host: x\r\nX: y\r\n z\r\n'],
])('header lines that %s are refused with 400', async (_, head) => {
  expect(await get(head)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
});

describe('bytes that are not a request', () => {
  it('do not truncate a response that has begun', async () => {
    const socket = net.connect(plain.port, '127.0.0.1');
    socket.write('GET /openapi/v2 HTTP/1.1\r\nHost: x\r\n\r\n');
    const received: Buffer[] = [(await once(socket, 'data'))[0]];
    socket.pause().write('{"body": "without a length"}');
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.on('data', (chunk) => received.push(chunk)).resume();
    await once(socket, 'end');
    socket.destroy();
    const [head = '', body = ''] = Buffer.concat(received).toString('latin1').split('\r\n\r\n');
    const length = Number(/Content-Length: (\d+)/.exec(head)?.[1]);
    expect(body.length).toBeGreaterThanOrEqual(length);
    // If the response has already been written, the invalid bytes get a response of their own.
    expect(body.slice(length)).toMatch(/^(?:$|HTTP\/1\.1 400 )/);
  });
  it('are refused after the responses to the requests before them, the last of which announces the end', async () => {
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const answer = await exchangeRaw(plain.port, `${get('/version')}${get('/nothing')}{"body": "without a length"}`);
    const [first = '', second = '', ...more] = answer.split('HTTP/1.1 ').slice(1);
    expect(first).toMatch(/^200 /);
    expect(first).not.toContain('Connection: close');
    expect(second).toMatch(/^404 [\s\S]*Connection: close/);
    expect(more).toEqual([]);
  });
  it('are refused with 400 after those responses if they are the body of a request', async () => {
    const answer = await exchangeRaw(
      plain.port,
      'GET /version HTTP/1.1\r\nHost: x\r\n\r\nPOST /api/v1/namespaces HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    );
    expect(answer.split('HTTP/1.1 ').map((each) => each.slice(0, 3))).toEqual(['', '200', '400']);
  });
  it('are refused with 400 at once if they are the body of a request', async () => {
    const answer = await exchangeRaw(
      plain.port,
      'POST /api/v1/namespaces HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });
});

// Node 20 drops such a header.
describe.skipIf(process.version.startsWith('v20.'))('header names that end with a space', () => {
  it('are impersonated over HTTP/2 and not ignored', async () => {
    const session = session2(secure.url);
    const { body } = await exchange2(session, {
      method: 'POST',
      path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      headers: { 'impersonate-user': 'alice ', 'content-type': 'application/json' },
      body: '{}',
    });
    session.close();
    expect(JSON.parse(body).status.userInfo.username).toBe('alice ');
  });
});

describe('expectations', () => {
  it.each(['1.0', '1.1'])('that are unknown are 417 without a body in %s, and end the connection', async (version) => {
    const answer = await exchangeRaw(plain.port, `GET /version HTTP/${version}\r\nHost: x\r\nExpect: x\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 417 [\s\S]*Connection: close[\s\S]*\r\n\r\n/);
  });
  it('are ignored over HTTP/2', async () => {
    const session = session2(secure.url);
    expect((await exchange2(session, { path: '/version', headers: { expect: 'x' } })).status).toBe(200);
    session.close();
  });
});

describe('clients that disconnect', () => {
  const POST = 'POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  it('within a body, a response or a watch cause no log line', async () => {
    const parts = [
      `${POST}Content-Length: 100\r\n\r\n{"meta`,
      `${POST}Transfer-Encoding: chunked\r\n\r\n5\r\n{"met\r\n`,
      'GET /openapi/v2 HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET /api/v1/configmaps?watch=1 HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET / HT',
      `${POST}Content-Length: zz\r\n\r\n`,
    ];
    for (const port of [plain.port, secure.port]) {
      for (const part of parts) {
        const socket = net
          .connect(port, '127.0.0.1')
          .on('error', () => undefined)
          .resume();
        await once(socket, 'connect');
        socket.write(part);
        // Bytes that are not TLS end the connection.
        await until(() => (ends.of(socket)?.bytesRead ?? 0) > 0 || socket.destroyed);
        socket.resetAndDestroy();
      }
    }
    const session = session2(secure.url);
    session.on('error', () => undefined);
    const stream = session.request({ ':path': '/api/v1/namespaces/default/configmaps', ':method': 'POST' });
    stream.on('error', () => undefined);
    stream.write('{"meta');
    // The response follows on the same connection, because the server sees both ends.
    await exchange2(session, { path: '/version' });
    session.destroy();
    const outgoing = http.request(plain.url, {
      method: 'POST',
      path: '/api/v1/namespaces',
      headers: { 'content-length': 9 },
    });
    outgoing.on('error', () => undefined).write('{');
    await until(() => outgoing.socket !== null && ends.of(outgoing.socket) !== undefined);
    const end = outgoing.socket && ends.of(outgoing.socket);
    outgoing.destroy();
    await until(() => end?.destroyed === true);
    expect((await exchange1(plain.url, { path: '/version' })).status).toBe(200);
    expect(said).toEqual([]);
  });
});
