import http from 'node:http';
import type http2 from 'node:http2';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Listener, listen } from '../../src/http/index.js';
import { NodeHeaders, parseTarget } from '../../src/http/node-request.js';
import type { ApiRequest, ApiResponse } from '../../src/requests/api-request.js';
import { type Answer, type Exchange, exchange1, exchange2, exchangeRaw, session2, until } from './exchange.js';
import { answering, makeCertificates, text } from './stub-server.js';

const certificates = makeCertificates();
const errors: unknown[] = [];
let answer: (request: ApiRequest) => ApiResponse | Promise<ApiResponse> = () => text('ok');
const server = answering((request) => answer(request));
const onError = (error: unknown) => void errors.push(error);

let plain: Listener;
let secure: Listener | undefined;
let session: http2.ClientHttp2Session | undefined;
beforeAll(async () => {
  plain = await listen(server, { tls: false, onError });
  if (certificates === undefined) return;
  secure = await listen(server, { tls: certificates.serving, onError });
  session = session2(secure.url);
});
afterAll(async () => {
  session?.close();
  await plain.close({ graceMilliseconds: 500 });
  await secure?.close({ graceMilliseconds: 500 });
});

const transports: readonly [string, (wanted?: Exchange) => Promise<Answer>, boolean][] = [
  ['http/1.1', (wanted) => exchange1(plain.url, wanted), true],
  ['https, http/1.1', (wanted) => exchange1(secure?.url ?? '', wanted), certificates !== undefined],
  [
    'https, h2',
    (wanted) => (session ? exchange2(session, wanted) : Promise.reject(new Error('no session'))),
    certificates !== undefined,
  ],
];

describe.each(transports)('the node handler over %s', (_, exchange, available) => {
  // Without openssl, there are no certificates for the TLS transports.
  const test = it.skipIf(!available);

  test('treats an empty body as empty, whenever it is read', async () => {
    answer = async ({ body }) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      const bytes = body?.type === 'bytes' ? await body.read(10) : new Uint8Array();
      return text(`${bytes.length} bytes`);
    };
    expect((await exchange({ method: 'POST', body: '' })).body).toBe('0 bytes');
  });

  test('passes method, path, query, headers and host on', async () => {
    let seen: ApiRequest | undefined;
    answer = (request) => {
      seen = request;
      return text('ok');
    };
    const headers = { 'X-Many': ['a', 'b'], 'X-One': 'c', 'X-Name': Buffer.from('é', 'utf8').toString('latin1') };
    await exchange({ method: 'DELETE', path: '/api/v1/a%2Fb?x=%zz&y', headers });
    expect([seen?.method, seen?.path, seen?.query]).toEqual(['DELETE', '/api/v1/a%2Fb', 'x=%zz&y']);
    expect(seen?.headers.all('x-many')).toEqual(['a', 'b']);
    expect(seen?.headers.get('x-many')).toBe('a');
    expect(seen?.headers.get('x-one')).toBe('c');
    expect(seen?.headers.get('x-none')).toBeUndefined();
    expect(seen?.headers.all('x-none')).toEqual([]);
    expect(seen?.headers.names('x-')).toContain('x-one');
    expect(seen?.headers.names('').filter((name) => name.startsWith(':'))).toEqual([]);
    expect(seen?.host).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(seen?.body).toBeUndefined();
    expect(seen?.peerCertificates).toBeUndefined();
  });

  test('reads a body', async () => {
    answer = async (request) => {
      const bytes = request.body?.type === 'bytes' ? await request.body.read(1 << 20) : undefined;
      return text(bytes instanceof Uint8Array && !Buffer.isBuffer(bytes) ? `${bytes.length}` : String(bytes));
    };
    expect((await exchange({ method: 'POST', body: 'x' })).body).toBe('1');
    expect((await exchange({ method: 'POST', body: 'x'.repeat(300_000) })).body).toBe('300000');
  });

  test('refuses a body that is too large, announced or not, and continues', async () => {
    answer = async (request) => text(String(request.body?.type === 'bytes' && (await request.body.read(1000))), 413);
    const body = 'x'.repeat(4_000_000);
    const announced = await exchange({ method: 'POST', body, headers: { 'content-length': '4000000' } });
    expect([announced.status, announced.body]).toEqual([413, 'tooLarge']);
    const chunked = await exchange({ method: 'POST', body });
    expect([chunked.status, chunked.body]).toEqual([413, 'tooLarge']);
  });

  test('responds if the body is not read', async () => {
    answer = () => text('no', 415);
    expect((await exchange({ method: 'POST', body: 'x'.repeat(1_000_000) })).status).toBe(415);
  });

  test('reads a body once', async () => {
    answer = async (request) => {
      if (request.body?.type !== 'bytes') return text('none');
      await request.body.read(10);
      return text(
        await request.body.read(10).then(
          () => 'twice',
          (error: Error) => error.constructor.name,
        ),
      );
    };
    expect((await exchange({ method: 'PUT', body: 'x' })).body).toBe('TypeError');
  });

  test('writes headers, lists as several lines, and one chunk or several', async () => {
    answer = () => text(['ab', 'cd', 'ef'], 201, { 'Content-Type': 'text/plain', Warning: ['299 - "a"', '299 - "é"'] });
    const got = await exchange();
    expect([got.status, got.body, got.headers['content-length']]).toEqual([201, 'abcdef', '6']);
    expect(got.headers['content-type']).toBe('text/plain');
    expect(Buffer.from(String(got.headers['warning']), 'latin1').toString('utf8')).toBe('299 - "a", 299 - "é"');
  });

  test('sends no body to HEAD, nor with 204 and 304', async () => {
    answer = () => text('hidden');
    expect(await exchange({ method: 'HEAD' })).toMatchObject({
      status: 200,
      body: '',
      headers: { 'content-length': '6' },
    });
    for (const status of [204, 304]) {
      answer = () => text('hidden', status);
      expect(await exchange()).toMatchObject({ status, body: '' });
    }
    answer = () => ({ status: 200, headers: {}, body: { type: 'none' } });
    expect(await exchange()).toMatchObject({ status: 200, body: '', headers: { 'content-length': '0' } });
  });

  test.each(['/a%', '/a%2', '/a%zz/b?x'])('refuses the broken escape in %s', async (path) => {
    answer = () => text('reached');
    const got = await exchange({ path });
    expect([got.status, got.body]).toEqual([400, '400 Bad Request']);
    expect(got.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect((await exchange()).body).toBe('reached');
  });

  test('reports a fault as 500 to the client and to the operator', async () => {
    errors.length = 0;
    answer = () => Promise.reject(new Error('broken'));
    const got = await exchange();
    expect([got.status, got.body]).toEqual([
      500,
      'This request caused apiserver to panic. Look in the logs for details.\n',
    ]);
    expect(String(errors)).toBe('Error: broken');
  });

  test('never sends a header with a line break', async () => {
    answer = () => text('x', 200, { Warning: 'a\r\nSet-Cookie: b' });
    const got = await exchange();
    expect([got.status, got.headers['set-cookie']]).toEqual([500, undefined]);
  });

  test.each(['TRACE', 'OPTIONS', 'PROPFIND'])('passes the method %s on', async (method) => {
    answer = (request) => text(request.method);
    expect((await exchange({ method })).body).toBe(method);
  });
});

it('responds with 500 for a handler that throws, and serves the other requests of the same connection', async () => {
  let calls = 0;
  const throwing = {
    handle() {
      if (calls++ === 0) throw new Error('thrown');
      return Promise.resolve(text('served'));
    },
  };
  const seen: unknown[] = [];
  const listener = await listen(throwing, { tls: false, onError: (error) => void seen.push(error) });
  const head = 'GET / HTTP/1.1\r\nHost: a\r\n';
  const got = await exchangeRaw(listener.port, `${head}\r\n${head}Connection: close\r\n\r\n`);
  await listener.close();
  expect(got).toMatch(/^HTTP\/1\.1 500 [\s\S]*HTTP\/1\.1 200 [\s\S]*served/);
  expect(String(seen)).toBe('Error: thrown');
});

it('responds while a test has replaced the timers of its process', async () => {
  vi.useFakeTimers({ toFake: ['setImmediate'] });
  try {
    answer = () => text('served');
    expect((await exchange1(plain.url)).body).toBe('served');
  } finally {
    vi.useRealTimers();
  }
});

it('fires the signal when the client disconnects, and only then', async () => {
  const signals: AbortSignal[] = [];
  answer = (request) => {
    if (request.signal) signals.push(request.signal);
    return request.path === '/hang' ? new Promise(() => undefined) : text('ok');
  };
  await exchange1(plain.url);
  const outgoing = http.get(`${plain.url}/hang`).on('error', () => undefined);
  await until(() => signals.length === 2);
  outgoing.destroy();
  await until(() => signals[1]?.aborted === true);
  expect(signals[0]?.aborted).toBe(false);
  if (session === undefined) return;
  await exchange2(session);
  const stream = session.request({ ':path': '/hang' });
  await until(() => signals.length === 4);
  stream.close();
  await until(() => signals[3]?.aborted === true);
  expect(signals[2]?.aborted).toBe(false);
});

it('stops reading a body when the client disconnects', async () => {
  let failure: unknown;
  let reading = false;
  answer = async (request) => {
    reading = true;
    await (request.body?.type === 'bytes' && request.body.read(100).catch((error: unknown) => (failure = error)));
    return text('late');
  };
  const outgoing = http.request(plain.url, { method: 'POST', headers: { 'content-length': '10' } });
  outgoing.on('error', () => undefined).write('abc');
  await until(() => reading);
  outgoing.destroy();
  await until(() => failure !== undefined);
  expect(failure).toMatchObject({ name: 'CallerGoneError' });
});

describe('bytes that are not a request', () => {
  const head = (status: string) =>
    new RegExp(`^HTTP/1\\.1 ${status}\\r\\nContent-Type: text/plain; charset=utf-8\\r\\n`);

  it('are refused with 400', async () => {
    expect(await exchangeRaw(plain.port, 'nonsense\r\n\r\n')).toMatch(head('400 Bad Request'));
    expect(await exchangeRaw(plain.port, 'GET / HTTP/1.1\r\nHost: x\r\nBad Name: y\r\n\r\n')).toMatch(
      /\r\n\r\n400 Bad Request$/,
    );
  });

  it('are refused with 431 if the headers are too large or too many', async () => {
    const large = `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(1100 * 1024)}\r\n\r\n`;
    expect(await exchangeRaw(plain.port, large)).toMatch(head('431 Request Header Fields Too Large'));
    const many = `GET / HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(10_001)}\r\n`;
    expect(await exchangeRaw(plain.port, many)).toContain('HTTP/1.1 431 ');
  });

  it('are accepted with headers of 900 KiB, but not in one value', async () => {
    answer = (request) => text(String(request.headers.all('x').join('').length));
    const ask = (headers: string) =>
      exchangeRaw(plain.port, `GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`);
    expect(await ask(`X: ${'y'.repeat(45 * 1024)}\r\n`.repeat(20))).toMatch(/\r\n921600$/);
    expect(await ask(`X: ${'y'.repeat(64 * 1024 + 1)}\r\n`)).toMatch(head('431 Request Header Fields Too Large'));
  });
});

it('understands an absolute target, bytes outside of ASCII, and Connection: close', async () => {
  answer = (request) => text(`${request.path}|${request.query}`);
  const ask = (target: string) =>
    exchangeRaw(plain.port, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  expect(await ask('http://x:1/a/b?c')).toMatch(/\r\n\/a\/b\|c$/);
  expect(await ask('http://x?c')).toMatch(/\r\n\/\|c$/);
  expect(parseTarget('/\xc3\xa9?\xc3')).toEqual({ path: '/%C3%A9', query: '%C3' });
  expect(parseTarget('nonsense')).toBeUndefined();
});

it('finds header names by a prefix of any characters, in any case', () => {
  const headers = new NodeHeaders([':path', '/', '_Extra-A', '1', '_EXTRA-a', '2', 'X-Extra-B', '3', 'Xylophone', '4']);
  expect(headers.names('_extra-')).toEqual(['_extra-a']);
  expect(headers.names('x-')).toEqual(['x-extra-b']);
  expect(headers.names('')).toEqual(['_extra-a', 'x-extra-b', 'xylophone']);
});

it('sends 100 Continue when the body is read', async () => {
  answer = async (request) => text(String(request.body?.type === 'bytes' && (await request.body.read(100))));
  const got = await new Promise<string>((resolve, reject) => {
    const outgoing = http.request(plain.url, {
      method: 'POST',
      headers: { expect: '100-continue', 'content-length': '2' },
    });
    outgoing.on('continue', () => outgoing.end('hi')).on('error', reject);
    outgoing.on('response', (response) => response.on('data', (chunk) => resolve(`${chunk}`)));
    outgoing.flushHeaders();
  });
  expect(got).toBe('104,105');
});
