import http2 from 'node:http2';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenFile } from '../../../src/authentication/tokens/token-file.js';
import { type Listener, listen } from '../../../src/http/index.js';
import { cpuTime } from '../../support/cpu-time.js';
import { suiteServer } from '../../support/servers.js';

/*
 * Clients that send too much or too slowly, over HTTPS. The limits for slow bodies (504) and for headers that never arrive are tested in
 * tests/http. These tests show that such clients do not disturb others.
 */
const server = suiteServer({ dialect: 'k8s', authentication: [tokenFile('t,admin,1,system:masters')] });
let listener: Listener;
beforeAll(async () => {
  listener = await listen({ handle: (request) => server.handle(request) });
});
afterAll(() => listener.close());

const connect = () =>
  new Promise<tls.TLSSocket>((resolve, reject) => {
    const { port, certificateAuthority: ca } = listener;
    const socket = tls.connect({ host: '127.0.0.1', port, ...(ca ? { ca } : {}), ALPNProtocols: ['http/1.1'] }, () =>
      resolve(socket),
    );
    socket.on('error', reject);
  });
/** Returns the response to some bytes, up to the end of the connection. */
async function exchange(text: string): Promise<string> {
  const socket = await connect();
  return await new Promise((resolve) => {
    let got = '';
    socket.setEncoding('utf8').on('data', (part: string) => (got += part));
    // The server may close the connection while the client still sends.
    socket.removeAllListeners('error').on('error', () => undefined);
    socket.on('close', () => resolve(got));
    socket.write(text);
  });
}
const GOOD =
  'GET /api/v1/namespaces/default HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer t\r\nConnection: close\r\n\r\n';
const healthy = async () => {
  const started = cpuTime();
  expect(await exchange(GOOD)).toMatch(/^HTTP\/1\.1 200 /);
  expect(cpuTime() - started).toBeLessThan(10_000);
};

describe('floods of headers', () => {
  it('get 431: one that is too large, too many', async () => {
    expect(await exchange(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(1100 * 1024)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    );
    expect(await exchange(`GET / HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(12_000)}\r\n`)).toMatch(/^HTTP\/1\.1 431 /);
    await healthy();
  });
  it('over HTTP/2 end the stream', async () => {
    const session = http2.connect(listener.url, { ca: listener.certificateAuthority ?? '' });
    session.on('error', () => undefined);
    const many = Object.fromEntries(Array.from({ length: 12_000 }, (_, index) => [`x-${index}`, 'y']));
    const status = await new Promise((resolve) => {
      const stream = session.request({ ':path': '/api', ...many });
      stream.on('response', (headers) => resolve(headers[':status']));
      stream.on('error', () => resolve('error')).on('close', () => resolve('closed'));
      session.on('close', () => resolve('closed'));
    });
    session.destroy();
    expect(status).not.toBe(200);
    await healthy();
  });
  it('with repeated headers are not joined without limit', async () => {
    const twice = GOOD.replace('Authorization: Bearer t', 'Authorization: Bearer bad\r\nAuthorization: Bearer t');
    expect(await exchange(twice)).toMatch(/^HTTP\/1\.1 401 /);
    const both = GOOD.replace('Host: x', 'Host: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked');
    expect(await exchange(both)).toMatch(/^HTTP\/1\.1 400 /);
    const lengths = GOOD.replace('Host: x', 'Host: x\r\nContent-Length: 3\r\nContent-Length: 4');
    expect(await exchange(lengths)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('slow senders', () => {
  it('by the hundred delay no other request, and store nothing', async () => {
    const head = 'POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer t\r\n';
    const bodies = [
      `${head}Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{"metadata":{"name":"slow"}`,
      `${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
      `${head}X-Half: `,
      'G',
    ];
    const sockets = await Promise.all(Array.from({ length: 100 }, connect));
    sockets.forEach((socket, index) => {
      socket.removeAllListeners('error').on('error', () => undefined);
      socket.write(bodies[index % bodies.length] ?? '');
    });
    await healthy();
    for (const socket of sockets) socket.destroy();
    await healthy();
    const list = await exchange(GOOD.replace('default HTTP', 'default/configmaps/slow HTTP'));
    expect(list).toMatch(/^HTTP\/1\.1 404 /);
  });
});
