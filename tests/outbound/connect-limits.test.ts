import { createServer as createHttp } from 'node:http';
import { type AddressInfo, connect, createServer as createTcp, type Server, type Socket } from 'node:net';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { FetchOptions, OutboundTls } from '../../src/meta/fetch.js';
import { limitConnecting } from '../../src/outbound/connect-limits.js';
import type { NativeSocket } from '../../src/outbound/native-http.js';
import { nodeFetch, nodeUpgrade } from '../../src/outbound/node-fetch.js';
import { createCertificateAuthority } from '../../src/pki/certificate-authority.js';

let trusting: OutboundTls;
beforeAll(async () => {
  const { certificate } = await createCertificateAuthority({ commonName: 'authority' });
  trusting = { certificateAuthority: certificate };
});

const open: Server[] = [];
const connections: Socket[] = [];
afterEach(async () => {
  for (const socket of connections.splice(0)) socket.destroy();
  for (const server of open.splice(0)) await new Promise((resolve) => server.close(resolve));
});
async function listen(server: Server): Promise<string> {
  open.push(server);
  server.on('connection', (socket) => connections.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const send = (url: string, more: Partial<FetchOptions> = {}) =>
  nodeFetch(url, {
    method: 'GET',
    headers: {},
    redirect: 'manual',
    signal: new AbortController().signal,
    ...more,
  });

describe('a connection', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  /** Fakes timers, and returns the pending ones of the two limits: what other tests of the process left may set timers of that length. */
  function begin(): ReadonlySet<unknown> {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { setTimeout: set, clearTimeout: clear } = globalThis;
    const pending = new Set<unknown>();
    vi.stubGlobal('setTimeout', (callback: () => void, milliseconds: number) => {
      const timer = set(() => {
        pending.delete(timer);
        callback();
      }, milliseconds);
      if (/(?:src|\.compiled)\/outbound\/connect-limits\.[jt]s/.test(new Error().stack ?? '')) pending.add(timer);
      return timer;
    });
    vi.stubGlobal('clearTimeout', (timer: NodeJS.Timeout) => {
      pending.delete(timer);
      clear(timer);
    });
    return pending;
  }

  it.each<[string, (place: string, proxy: string) => Promise<unknown>]>([
    ['an ordinary request', (place) => send(`https://${place}/`, { tls: trusting })],
    ['a long-lived request', (place) => send(`https://${place}/`, { tls: trusting, longLived: true })],
    [
      'a request that verifies no certificate',
      (place) => send(`https://${place}/`, { tls: { insecureSkipVerify: true } }),
    ],
    ['a request that trusts the system’s authorities', (place) => send(`https://${place}/`)],
    ['a request through a proxy', (place, proxy) => send(`https://${place}/`, { tls: trusting, proxy })],
    [
      'an upgrade to another protocol',
      (place) => {
        const signal = new AbortController().signal;
        return nodeUpgrade(`https://${place}/`, { method: 'GET', headers: {}, redirect: 'manual', signal });
      },
    ],
  ])('has ten seconds for the handshake: %s', async (_, ask) => {
    const silent = createTcp((socket) => socket.on('error', () => undefined).resume());
    const place = await listen(silent);
    const dialled = new Promise<Socket>((resolve) => silent.once('connection', resolve));
    const proxy = createHttp().on('connect', ({ url = '' }, socket) => {
      const [host, port] = url.split(':');
      const there = connect(Number(port), host, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
      socket
        .on('error', () => undefined)
        .pipe(there.on('error', () => undefined))
        .pipe(socket);
    });
    const proxyUrl = `http://${await listen(proxy)}`;
    const pending = begin();
    const asked = ask(place, proxyUrl).catch(({ message }: Error) => message);
    const socket = await dialled;
    const greeted = new Promise((resolve) => socket.once('data', resolve));
    const ended = new Promise((resolve) => socket.once('close', resolve));
    await greeted;
    expect(pending.size).toBe(1);
    vi.advanceTimersByTime(9_999);
    expect(socket.destroyed).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await asked).toBe('net/http: TLS handshake timeout');
    await ended;
    expect(pending.size).toBe(0);
  });

  it('has half a minute in total', async () => {
    begin();
    const socket = connect({ host: 'far.example', port: 443, lookup: () => {} });
    limitConnecting(socket as unknown as NativeSocket, 'https://far.example/');
    const failed = new Promise<Error>((resolve) => socket.once('error', resolve));
    vi.advanceTimersByTime(30_000);
    expect((await failed).message).toBe('dial tcp far.example:443: i/o timeout');
  });
});

it('heads of responses have a megabyte at most, and no header line is dropped', async () => {
  const lines = (count: number) => Array.from({ length: count }, () => ['a', 'b']).flat();
  const place = await listen(
    createHttp((request, response) => {
      if (request.url === '/long') response.writeHead(200, { a: 'b'.repeat(1_000_000) });
      else response.writeHead(200, lines(request.url === '/lines' ? 1_900 : 2_500));
      response.end('x');
    }),
  );
  expect((await send(`http://${place}/long`)).headers.get('a')).toHaveLength(1_000_000);
  expect((await send(`http://${place}/lines`)).headers.get('a')?.split(', ')).toHaveLength(1_900);
  await expect(send(`http://${place}/more`)).rejects.toThrow('has 2000 header lines or more');
});
