import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../src/api-server.js';
import { type Listener, listen } from '../../src/http/listener.js';
import { openServer } from '../support/servers.js';
import { NS, podFetch, withPod } from './pods.js';

/* The client, this server and the backend must agree where each request and response ends, whatever bytes they are sent. */

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const PROXY = `${NS}/services/a:web/proxy`;

async function opened(server: ApiServer): Promise<Listener> {
  const listener = await listen(server, { tls: false });
  ends.push(() => server[Symbol.asyncDispose]());
  ends.push(() => listener.close({ graceMilliseconds: 100 }));
  return listener;
}

/** A backend in front of a pod that sends arbitrary bytes. `seen` contains the bytes that it received, by connection. */
async function front(say: (socket: Socket, request: string) => void) {
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const backend = createServer((socket) => {
    const at = seen.push('') - 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      seen[at] += text;
      if (/^[A-Z]+ \//.test(text)) say(socket, text);
    });
  });
  await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => backend.close(resolve));
  });
  return { listener: await opened(await withPod(podFetch((backend.address() as AddressInfo).port))), seen };
}

/** Returns the received bytes once the connection ends, or once they end with `last`. */
const talk = ({ port }: Listener, text: string, last?: RegExp) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let got = '';
    socket.on('error', reject).on('close', () => resolve(got));
    socket.on('data', (bytes) => {
      got += bytes.toString('latin1');
      if (last?.test(got)) socket.destroy();
    });
    socket.write(Buffer.from(text, 'latin1'));
  });
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const answerOk = (socket: Socket) => void socket.write(OK);
const request = (head: string, body = '', method = 'POST', path = '/a') =>
  `${method} ${PROXY}${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${head}\r\n${body}`;
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const BODY = '1\r\na\r\n0\r\n\r\n';

describe('requests that can be parsed in two ways are not passed on', () => {
  it.each<[string, string, number]>([
    ['a length with chunked encoding', request(`Content-Length: 4\r\n${CHUNKED}`, BODY), 400],
    ['a coding before chunked', request('Transfer-Encoding: gzip, chunked\r\n', BODY), 501],
    ['an unknown coding', request('Transfer-Encoding: xchunked\r\n', BODY), 501],
    ['two codings', request(`${CHUNKED}Transfer-Encoding: identity\r\n`, BODY), 400],
    ['chunked twice', request(CHUNKED + CHUNKED, BODY), 400],
    ['two lengths', request('Content-Length: 1\r\nContent-Length: 1\r\n', 'a'), 400],
    ['a length with a sign', request('Content-Length: +1\r\n', 'a'), 400],
    ['a line feed in a chunk’s extension', request(CHUNKED, '1;x\ny\r\na\r\n0\r\n\r\n'), 400],
    ['a folded line', request('X-A: b\r\n X-Remote-User: root\r\n'), 400],
    ['a space before the colon', request('X-Remote-User : root\r\n'), 400],
    ['a bare line feed', request('X-A: b\nX-Remote-User: root\r\n'), 400],
    ['a bare carriage return', request('X-A: b\rX-Remote-User: root\r\n'), 400],
    ['a NUL', request('X-A: b\0c\r\n'), 400],
  ])('%s', async (_, text, status) => {
    const { listener, seen } = await front(answerOk);
    expect(await talk(listener, text)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    // The connection may have been opened before the error was found, but no byte was sent on it.
    expect(seen.join('')).toBe('');
  });
});

describe('a request that is passed on arrives as one request, in one form', () => {
  it.each<[string, string, RegExp, string?]>([
    [
      'without chunk extensions and trailers',
      request(CHUNKED, '1;x=y\r\na\r\n0\r\nX-Remote-User: root\r\n\r\n'),
      /\r\n\r\n1\r\na\r\n0\r\n\r\n$/,
    ],
    [
      'with escaped line breaks in its path',
      request('', '', 'GET', '/a%0d%0aX-Remote-User:%20root'),
      /^GET \/a%0D%0AX-Remote-User:%20root HTTP/,
    ],
    [
      'with escaped line breaks in its query',
      request('', '', 'GET', '/a?x=%0d%0aX-Remote-User:%20root'),
      /^GET \/a\?x=%0d%0aX-Remote-User:%20root HTTP/,
    ],
    [
      'with an unchanged query',
      request('', '', 'GET', `/a?x="#<\\>^{|}'&&=;%ff%zz`),
      /^GET \/a\?x="#<\\>\^\{\|\}'&&=;%ff%zz HTTP/,
    ],
    [
      'with an escaped path that is not UTF-8',
      request('', '', 'GET', '/%ff%C3%a9%80!*'),
      /^GET \/%FF%C3%A9%80%21%2A HTTP/,
    ],
    ['with a path in which escaped dots are resolved', request('', '', 'GET', '/a%2f..%2f%2e%2e%2fb'), /^GET \/b HTTP/],
    [
      'with a path in which doubly escaped dots are kept',
      request('', '', 'GET', '/a/%252e%252e/b'),
      /^GET \/a\/%252e%252e\/b HTTP/,
    ],
    [
      'with its body, even if that looks like a second request',
      request('Content-Length: 22\r\n', 'GET /secret HTTP/1.1\r\n', 'GET'),
      /content-length: 22\r\n[\s\S]*\r\n\r\nGET \/secret HTTP\/1.1\r\n$/,
    ],
    [
      'without the X-Remote headers of the client',
      request('X-Remote-User: root\r\nX-Remote-Group: g\r\nX-Remote-Extra-a: b\r\nX-Remote-Uid: 1\r\nX-Kept: 1\r\n'),
      /x-kept: 1/,
      'x-remote',
    ],
    [
      'without the headers that Connection lists',
      request('Connection: X-Forwarded-For, X-Hop, Host\r\nX-Hop: 1\r\n'),
      /host: x\r\n[\s\S]*x-forwarded-for: 127.0.0.1/,
      'x-hop',
    ],
  ])('%s', async (_, text, wanted, unwanted = '\0') => {
    const { listener, seen } = await front(answerOk);
    expect(await talk(listener, text)).toMatch(/^HTTP\/1.1 200 /);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatch(wanted);
    expect(seen[0]?.toLowerCase()).not.toContain(unwanted);
  });
});

/** Two requests on one connection: one for the backend, and one for the server itself. */
const two = `GET ${PROXY}/a HTTP/1.1\r\nHost: x\r\n\r\nGET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;

describe('the body of a relayed response is as long as its headers say', () => {
  it.each([
    ['204', 'HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n', ''],
    ['304', 'HTTP/1.1 304 Not Modified\r\ncontent-length: 5\r\n\r\n', ''],
  ])('%s has no body', async (_, text, length) => {
    const { listener } = await front((socket) => void socket.write(text));
    const [first = '', second = ''] = (await talk(listener, two)).split('\r\n\r\n');
    expect(/content-length.*/i.exec(first)?.[0] ?? '').toBe(length);
    expect(second).toMatch(/^HTTP\/1.1 200 OK/);
  });

  it.each(['205 Reset Content', '599 Odd'])('%s has a body', async (status) => {
    const { listener } = await front(
      (socket) => void socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 5\r\n\r\nhello`),
    );
    const got = await talk(listener, two);
    expect(got).toMatch(
      new RegExp(`^HTTP/1.1 ${status.slice(0, 3)} [\\s\\S]*Content-Length: 5[\\s\\S]*\r\n\r\nhelloHTTP/1.1 200 OK`),
    );
  });

  it.each([
    ['more', 'hello', '2', 'Content-Length: 2\r\n'],
    ['fewer', 'hello', '9', 'Content-Length: 9\r\n'],
    ['no', null, '9', 'Content-Length: 0\r\n'],
  ])('even if a handler in this process sends %s bytes', async (_, body, length, said) => {
    const server = await openServer({ dialect: 'k8s' });
    server.services.set('default/a', { fetch: () => new Response(body, { headers: { 'content-length': length } }) });
    const got = await talk(await opened(server), two.replace('a:web', 'a:80'));
    expect(got).toContain(said);
    const [, after = ''] = got.split('\r\n\r\n');
    // A response that breaks off ends the connection, so nothing else is sent on it.
    expect(after.replace(/^(hello|he)?/, '')).toMatch(body === null ? /^HTTP\/1.1 200 OK/ : /^$/);
  });
});

describe('backends that cannot be reached', () => {
  it.each([
    [
      'send Early Hints without end',
      'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(6) + OK,
      'too many 1xx informational responses',
    ],
    [
      'send 100 Continue without end',
      'HTTP/1.1 100 Continue\r\n\r\n'.repeat(6) + OK,
      'too many 1xx informational responses',
    ],
    [
      'use a transfer coding',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\n\r\nok',
      'unsupported transfer encoding: \\\\"gzip\\\\"',
    ],
    [
      'use a transfer coding before chunked',
      `HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n${BODY}`,
      'unsupported transfer encoding: \\\\"gzip, chunked\\\\"',
    ],
  ])('%s', async (_, text, why) => {
    const { listener } = await front((socket) => void socket.write(text));
    const got = await talk(listener, request('', '', 'GET'));
    expect(got).toMatch(/^HTTP\/1.1 503 /);
    expect(got).toMatch(
      new RegExp(`error trying to reach service: net/http: HTTP/1.x transport connection broken: .*${why}`),
    );
  });

  it('a backend may send informational responses before the final one', async () => {
    const { listener } = await front((socket) => void socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(5) + OK));
    expect(await talk(listener, request('', '', 'GET'))).toMatch(/^HTTP\/1.1 200 [\s\S]*ok$/);
  });

  it('a request that may have had an effect is not sent a second time', async () => {
    const asked: string[] = [];
    const { listener } = await front((socket, text) => {
      const [method = ''] = text.split(' ', 1);
      const isFirst = asked.push(method) === 1;
      // The connection was kept, and breaks with the next request on it.
      if (isFirst || asked.length > 2) socket.write(OK);
      else socket.resetAndDestroy();
    });
    const ask = (method: string) => talk(listener, request('', '', method));
    await ask('GET');
    expect(await ask('DELETE')).toMatch(/^HTTP\/1.1 503 /);
    expect(asked).toEqual(['GET', 'DELETE']);
    asked.length = 0;
    await ask('GET');
    expect(await ask('GET')).toMatch(/^HTTP\/1.1 200 /);
    expect(asked).toEqual(['GET', 'GET', 'GET']);
  });
});

it('headers of a response keep their bytes', async () => {
  const { listener } = await front(
    (socket) =>
      void socket.write(Buffer.from('HTTP/1.1 200 OK\r\nx-a: caf\xc3\xa9\r\ncontent-length: 0\r\n\r\n', 'latin1')),
  );
  expect(await talk(listener, request('', '', 'GET'))).toContain('X-A: caf\xc3\xa9\r\n');
});
