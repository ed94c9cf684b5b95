import http2 from 'node:http2';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../../src/api-server.js';
import { tokenFile } from '../../../src/authentication/tokens/token-file.js';
import { type Listener, listen } from '../../../src/http/index.js';
import { until } from '../../http/exchange.js';
import { startServer } from '../../support/servers.js';

/*
 * Bodies of requests that are answered before they are read. They are received and discarded within limits: a connection with a thousand
 * refused requests works like a new one.
 */
const MIB = 1024 * 1024;
const DISCARDED = 5 * MIB;
let server: ApiServer;
let listener: Listener;
const faults: unknown[] = [];
beforeAll(async () => {
  server = await startServer({
    dialect: 'k8s',
    authentication: [tokenFile('admintok,admin,1,system:masters\nbobtok,bob,2')],
  });
  const limits = { discardBytes: DISCARDED, discardTimeout: 2000 };
  listener = await listen(
    { handle: (request) => server.handle(request) },
    { limits, onError: (error) => void faults.push(error) },
  );
});
afterAll(async () => {
  await listener.close({ graceMilliseconds: 0 });
  await server.close();
  expect(faults).toEqual([]);
});

const SECRETS = '/api/v1/namespaces/kube-system/secrets';
const open2 = () => http2.connect(listener.url, { ca: listener.certificateAuthority ?? '' });

interface Sent {
  readonly token: string;
  readonly method?: string;
  readonly path?: string;
  readonly type?: string;
}
function start2(session: http2.ClientHttp2Session, { token, method, path, type }: Sent) {
  return session.request({
    ':method': method ?? 'POST',
    ':path': path ?? SECRETS,
    authorization: `Bearer ${token}`,
    'content-type': type ?? 'application/json',
  });
}
function post2(session: http2.ClientHttp2Session, size: number, sent: Sent): Promise<string> {
  return new Promise((resolve) => {
    const stream = start2(session, sent);
    let status: number | undefined;
    const timer = setTimeout(() => resolve('never answered'), 20_000);
    stream.on('response', (headers) => (status = headers[':status'])).resume();
    stream.on('error', (error) => resolve(error.message));
    stream.on('close', () => {
      clearTimeout(timer);
      resolve(`${status}`);
    });
    stream.end(Buffer.alloc(size));
  });
}

describe('a session of HTTP/2 with unread bodies', () => {
  it('is ended when its client resets its own requests, which continue in another one', async () => {
    // This is more than the client may have in its send buffer.
    const session = http2.connect(listener.url, { ca: listener.certificateAuthority ?? '', maxSessionMemory: 1 });
    session.on('error', () => undefined);
    const sentAway = new Promise((resolve) => session.once('goaway', resolve));
    const results = await Promise.all(Array.from({ length: 4 }, () => post2(session, MIB, { token: 'bobtok' })));
    expect(results.some((result) => result !== '403')).toBe(true);
    await sentAway;
    session.destroy();
    const other = open2();
    expect(await post2(other, MIB, { token: 'bobtok' })).toBe('403');
    other.destroy();
  });
  it.each<[string, number, number, Sent, string]>([
    ['3 MiB without permission', 3 * MIB, 30, { token: 'bobtok' }, '403'],
    ['1 MB without permission', 1_000_000, 60, { token: 'bobtok' }, '403'],
    ['300 kB without permission', 300_000, 150, { token: 'bobtok' }, '403'],
    ['4 MiB, which is too large', 4 * MIB, 20, { token: 'admintok' }, '413'],
    ['1 MB to an unknown path', 1_000_000, 30, { token: 'admintok', path: '/apis/none/v1/x' }, '404'],
    ['1 MB with an unsupported method', 1_000_000, 30, { token: 'admintok', method: 'PUT' }, '405'],
    ['1 MB of an unknown media type', 1_000_000, 30, { token: 'admintok', type: 'a/b' }, '415'],
  ])('survives refusals of %s', async (_, size, times, sent, expected) => {
    const session = open2();
    session.on('error', () => undefined);
    const answers = new Set<string>();
    for (let i = 0; i < times; i++) answers.add(await post2(session, size, sent));
    expect([...answers]).toEqual([expected]);
    expect(session.closed || session.destroyed).toBe(false);
    session.destroy();
  });

  it('ends after the refusal of an unauthenticated client, which is complete and announces the end', async () => {
    for (let i = 0; i < 10; i++) {
      const session = open2();
      let sentAway = false;
      session.once('goaway', () => (sentAway = true));
      expect(await post2(session, 1_000_000, { token: 'none' })).toBe('401');
      // If the client learned this later, it could lose its next request.
      expect(sentAway).toBe(true);
      session.destroy();
    }
  });

  it('survives concurrent refusals', async () => {
    // This is the size of the client's own queue.
    const session = http2.connect(listener.url, { ca: listener.certificateAuthority ?? '', maxSessionMemory: 100 });
    session.on('error', () => undefined);
    const answers = await Promise.all(Array.from({ length: 40 }, () => post2(session, 1_000_000, { token: 'bobtok' })));
    expect(new Set(answers)).toEqual(new Set(['403']));
    session.destroy();
  });

  it('loses only the stream that never stops sending', async () => {
    const session = open2();
    session.on('error', () => undefined);
    const stream = start2(session, { token: 'bobtok' });
    let sent = 0;
    let ended: number | undefined;
    stream.on('error', () => undefined).resume();
    stream.on('close', () => (ended = stream.rstCode));
    const send = () => {
      if (ended !== undefined) return;
      sent += 65_536;
      if (stream.write(Buffer.alloc(65_536))) setImmediate(send);
      else stream.once('drain', send);
    };
    send();
    await until(() => ended !== undefined);
    expect(ended).toBe(http2.constants.NGHTTP2_NO_ERROR);
    expect(sent).toBeLessThan(DISCARDED * 3);
    expect(await post2(session, 10, { token: 'bobtok' })).toBe('403');
    session.destroy();
  });

  it('loses a stream that stalls halfway', async () => {
    const session = open2();
    session.on('error', () => undefined);
    const stream = start2(session, { token: 'bobtok' });
    let ended: number | undefined;
    stream.on('error', () => undefined).resume();
    stream.on('close', () => (ended = stream.rstCode));
    stream.write('half');
    await until(() => ended !== undefined);
    expect(ended).toBe(http2.constants.NGHTTP2_NO_ERROR);
    session.destroy();
  });
});

/** Sends a head and then as many chunks as the connection accepts, up to its end or to `pieces`. */
function raw(head: string, piece: string, pieces: number, after = ''): Promise<{ answer: string; sent: number }> {
  return new Promise((resolve, reject) => {
    const { port, certificateAuthority: ca = '' } = listener;
    const socket = tls.connect({ host: '127.0.0.1', port, ca, ALPNProtocols: ['http/1.1'] });
    let answer = '';
    let sent = 0;
    let over = false;
    socket.setEncoding('latin1').on('data', (part: string) => (answer += part));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (answer === '') reject(error);
    });
    socket.on('end', () => (over = true));
    socket.on('close', () => {
      over = true;
      resolve({ answer, sent });
    });
    const send = () => {
      if (over) return;
      if (sent++ >= pieces) {
        socket.write(after);
        return;
      }
      if (socket.write(piece)) setImmediate(send);
      else socket.once('drain', send);
    };
    socket.write(head, send);
  });
}
const headOf = (length: string, more = '') =>
  `POST ${SECRETS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer bobtok\r\nContent-Type: application/json\r\n${length}\r\n${more}\r\n`;
const PIECE = 'x'.repeat(65_536);
const NEXT = 'GET /version HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admintok\r\nConnection: close\r\n\r\n';

describe('a connection of HTTP/1.1 with an unread body', () => {
  it('continues after a refused body', async () => {
    const { answer } = await raw(headOf(`Content-Length: ${16 * 65_536}`), PIECE, 16, NEXT);
    expect(answer).toMatch(/^HTTP\/1\.1 403 [\s\S]*HTTP\/1\.1 200 /);
  });
  it('announces its end if too much is announced, and its client can read the response', async () => {
    const { answer } = await raw(headOf('Content-Length: 1000000000'), PIECE, 200);
    expect(answer).toMatch(/^HTTP\/1\.1 403 [\s\S]*Connection: close/);
  });
  it('ends if a body has no end', async () => {
    const { answer, sent } = await raw(headOf('Transfer-Encoding: chunked'), `10000\r\n${PIECE}\r\n`, 100_000);
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(sent * 65_536).toBeLessThan(20 * DISCARDED);
  });
  it('ends sooner if the body arrives in single bytes, because each chunk has a cost', async () => {
    const { answer, sent } = await raw(headOf('Transfer-Encoding: chunked'), '1\r\nx\r\n'.repeat(1000), 100_000);
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(sent * 1000).toBeLessThan(DISCARDED / 2);
  });
  it('ends if a body stalls halfway', async () => {
    const { answer } = await raw(headOf('Content-Length: 100'), 'half', 1);
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  });
  it('gets no 100 Continue for a body that is refused', async () => {
    const { answer } = await raw(headOf('Content-Length: 100', 'Expect: 100-continue\r\n'), '', 0);
    expect(answer).toMatch(/^HTTP\/1\.1 403 [\s\S]*Connection: close/);
    expect(answer).not.toContain('100 Continue');
  });
});
