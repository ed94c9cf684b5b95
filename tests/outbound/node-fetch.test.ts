import { createServer as createHttp, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { FetchOptions, OutboundTls } from '../../src/meta/fetch.js';
import { nodeFetch, nodeUpgrade } from '../../src/outbound/node-fetch.js';
import { createCertificateAuthority, issueCertificate } from '../../src/pki/certificate-authority.js';

type KeyPair = Awaited<ReturnType<typeof createCertificateAuthority>>;
let authority: KeyPair;
let serving: KeyPair;
const open: Server[] = [];
/** Connections to servers, which do not close connections that were upgraded or never used. */
const connections: Duplex[] = [];

beforeAll(async () => {
  authority = await createCertificateAuthority({ commonName: 'authority' });
  serving = await issueCertificate(authority, {
    commonName: 'server',
    dnsNames: ['server.example'],
    usages: ['serverAuth'],
    days: 1,
  });
});
afterEach(async () => {
  for (const socket of connections.splice(0)) socket.destroy();
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
afterAll(() => expect(open).toEqual([]));

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
async function listen(server: Server): Promise<string> {
  open.push(server);
  server.on('connection', (socket) => connections.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const listenHttps = (handler: Handler) =>
  listen(
    createHttps(
      {
        key: serving.key,
        cert: serving.certificate,
        ca: authority.certificate,
        requestCert: true,
        rejectUnauthorized: false,
      },
      handler,
    ) as unknown as Server, // The object has all members that are used here.
  );
const trusted = (): OutboundTls => ({ certificateAuthority: authority.certificate, serverName: 'server.example' });
const send = async (url: string, more: Partial<FetchOptions> = {}) =>
  await nodeFetch(url, {
    method: 'GET',
    headers: {},
    redirect: 'manual',
    signal: new AbortController().signal,
    ...more,
  });

describe('outbound requests', () => {
  it('trust only the given CA, for the given name', async () => {
    const place = await listenHttps((_, response) => response.end('yes'));
    const url = `https://${place}/`;
    expect(await (await send(url, { tls: trusted() })).text()).toBe('yes');
    await expect(send(url)).rejects.toThrow(/certificate/);
    await expect(send(url, { tls: { certificateAuthority: authority.certificate } })).rejects.toThrow(/any IP SANs/);
    await expect(send(url, { tls: { ...trusted(), serverName: 'other.example' } })).rejects.toThrow(
      'x509: certificate is valid for server.example, not other.example',
    );
    expect((await send(url, { tls: { insecureSkipVerify: true } })).status).toBe(200);
  });

  it('present a client certificate', async () => {
    const place = await listenHttps((request, response) => {
      response.end((request.socket as TLSSocket).getPeerCertificate().subject?.CN ?? 'nobody');
    });
    const { certificate, key } = await issueCertificate(authority, {
      commonName: 'jane',
      usages: ['clientAuth'],
      days: 1,
    });
    const tls = { ...trusted(), clientCertificate: certificate, clientKey: key };
    expect(await (await send(`https://${place}/`, { tls })).text()).toBe('jane');
    expect(await (await send(`https://${place}/`, { tls: trusted() })).text()).toBe('nobody');
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('send a body with its length: %s', async (method) => {
    const place = await listenHttps(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      response.end(`${request.method} ${request.headers['content-length']} ${body}`);
    });
    const answer = await send(`https://${place}/`, { method, body: 'é!', tls: trusted() });
    expect(await answer.text()).toBe(`${method} 3 é!`);
  });

  it('send repeated headers on separate lines, and return the whole response', async () => {
    const place = await listenHttps((request, response) => {
      response.writeHead(
        207,
        'Several',
        [
          ['x-a', '1'],
          ['x-a', '2'],
        ].flat(),
      );
      response.end(JSON.stringify(request.rawHeaders.filter((_, i, all) => /^x-g$/i.test(all[i - 1] ?? ''))));
    });
    const answer = await send(`https://${place}/`, { repeatedHeaders: { 'X-G': ['a, b', 'c'] }, tls: trusted() });
    expect([answer.status, answer.statusText, answer.headers.get('x-a')]).toEqual([207, 'Several', '1, 2']);
    expect(await answer.json()).toEqual(['a, b', 'c']);
  });

  it('return redirects and responses without a body unchanged', async () => {
    const place = await listenHttps(({ url = '' }, response) => {
      response.writeHead(Number(url.slice(1)), { location: 'http://elsewhere.example/' });
      response.end();
    });
    for (const status of [204, 205, 301, 304, 307]) {
      const answer = await send(`https://${place}/${status}`, { tls: trusted() });
      expect([answer.status, await answer.text()]).toEqual([status, '']);
    }
  });

  it('reuse a connection only for the same trust settings', async () => {
    const sockets = new Set<Socket>();
    const place = await listenHttps(({ socket }, response) => {
      sockets.add(socket);
      response.end();
    });
    const tls = trusted();
    for (let i = 0; i < 3; i++) await (await send(`https://${place}/`, { tls })).text();
    expect(sockets.size).toBe(1);
    await (await send(`https://${place}/`, { tls: trusted() })).text();
    expect(sockets.size).toBe(2);
  });

  it('are not delayed by any number of responses that take long', async () => {
    const place = await listenHttps(({ url }, response) => {
      response.write('begun\n');
      if (url !== '/watch') response.end();
    });
    const tls = trusted();
    const aborts = Array.from({ length: 80 }, () => new AbortController());
    const watches: Response[] = [];
    // The connections are opened one after the other, because many handshakes at once may exceed the time limit on a busy machine.
    for (const { signal } of aborts)
      watches.push(await send(`https://${place}/watch`, { tls, longLived: true, signal }));
    expect(await (await send(`https://${place}/`, { tls })).text()).toBe('begun\n');
    for (const abort of aborts) abort.abort();
    for (const { body } of watches) await expect(body?.getReader().closed).rejects.toThrow();
  });

  it('read no faster than their caller reads the response', async () => {
    let written = 0;
    const place = await listenHttps((_, response) => {
      const more = () => {
        while (written < 64 * 1024 * 1024 && response.write(Buffer.alloc(65_536))) written += 65_536;
      };
      response.on('drain', more);
      more();
    });
    const { body } = await send(`https://${place}/`, { tls: trusted() });
    const reader = body?.getReader();
    await reader?.read();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(written).toBeLessThan(32 * 1024 * 1024);
    await reader?.cancel();
  });

  it('fail if the response breaks off, and if they are aborted', async () => {
    const place = await listenHttps((request, response) => {
      if (request.url === '/never') return;
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    });
    const answer = await send(`https://${place}/`, { tls: trusted() });
    await expect(answer.text()).rejects.toThrow();
    const abort = new AbortController();
    const never = send(`https://${place}/never`, { tls: trusted(), signal: abort.signal });
    abort.abort();
    await expect(never).rejects.toThrow(/abort/i);
    await expect(send('ftp://server.example/')).rejects.toThrow('unsupported protocol ftp: use http or https');
    await expect(send('https://127.0.0.1:1/', { tls: trusted() })).rejects.toThrow('ECONNREFUSED');
  });
});

it('closes a connection that was not used for 90 seconds', async () => {
  const place = await listen(createHttp((_, response) => response.end('x')));
  const timeouts = vi.spyOn(Socket.prototype, 'setTimeout');
  await (await send(`http://${place}/`, { tls: {} })).text();
  const set = timeouts.mock.calls.map(([milliseconds]) => milliseconds);
  timeouts.mockRestore();
  expect(set).toContain(90_000);
});

describe('an upgraded connection', () => {
  /** Opens a connection to a server that sends bytes together with its 101. */
  async function upgrade(more: Partial<FetchOptions> = {}) {
    const heard: string[] = [];
    const server = createHttp();
    server.on('upgrade', (_, socket) => {
      connections.push(socket);
      socket.on('error', () => undefined).on('data', (bytes: Buffer) => heard.push(bytes.toString()));
      socket.on('end', () => socket.end(' bye'));
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: test\r\n\r\nat once');
    });
    const url = `http://${await listen(server)}/`;
    const headers = { connection: 'Upgrade', upgrade: 'test' };
    const signal = new AbortController().signal;
    const upgraded = await nodeUpgrade(url, { method: 'GET', headers, redirect: 'manual', signal, ...more });
    if (!('channel' in upgraded)) throw new Error('not upgraded');
    return { channel: upgraded.channel, heard, connection: connections.at(-1) };
  }

  it.each([0, 1, 2, 3])('can be cancelled while it has buffered bytes, %d turns later', async (turns) => {
    const { channel, connection } = await upgrade();
    for (let i = 0; i < turns; i++) await new Promise((resolve) => process.nextTick(resolve));
    await channel.readable.cancel();
    await expect.poll(() => connection?.readableEnded).toBe(true);
  });

  it('passes on bytes and the end in both directions', async () => {
    const { channel, heard } = await upgrade();
    const writer = channel.writable.getWriter();
    await writer.write(new TextEncoder().encode('hello'));
    await writer.close();
    const text = await new Response(channel.readable).text();
    expect([text, heard]).toEqual(['at once bye', ['hello']]);
  });

  it('fails a write when the other side is closed', async () => {
    const { channel, connection } = await upgrade();
    const writer = channel.writable.getWriter();
    writer.closed.catch(() => undefined);
    connection?.destroy();
    await expect(
      (async () => {
        for (;;) await writer.write(new Uint8Array(65_536));
      })(),
    ).rejects.toThrow();
  });
});

describe('requests through a proxy', () => {
  /** A proxy that requires a password, and the targets of its CONNECT requests. */
  async function openProxy(status = 200) {
    const places: string[] = [];
    const proxy = createHttp((request, response) => {
      places.push(`${request.method} ${request.url} ${request.headers.host} ${request.headers['proxy-authorization']}`);
      response.end('from the proxy');
    });
    proxy.on('connect', (request, socket) => {
      connections.push(socket);
      places.push(`CONNECT ${request.url} ${request.headers['proxy-authorization']}`);
      if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      const [host, port] = (request.url ?? '').split(':');
      const target = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(target).pipe(socket);
      });
      target.on('error', () => socket.destroy());
      socket.on('error', () => {});
      socket.on('close', () => target.destroy());
    });
    return { proxy: `http://me:p%40ss@${await listen(proxy)}`, places };
  }
  const BASIC = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;

  it('are encrypted for the server, whose certificate is verified as usual', async () => {
    const place = await listenHttps((request, response) =>
      response.end(request.headers['proxy-authorization'] ?? 'none'),
    );
    const { proxy, places } = await openProxy();
    const tls = trusted();
    for (let i = 0; i < 2; i++) expect(await (await send(`https://${place}/`, { proxy, tls })).text()).toBe('none');
    expect(places).toEqual([`CONNECT ${place} ${BASIC}`]);
    await expect(send(`https://${place}/`, { proxy, tls: { ...tls, serverName: 'x.example' } })).rejects.toThrow(
      'x509: certificate is valid for server.example, not x.example',
    );
  });

  it('fail if the proxy refuses or does not exist', async () => {
    const { proxy } = await openProxy(407);
    await expect(send('https://server.example/', { proxy })).rejects.toThrow(
      'the proxy refused the connection: 407 No',
    );
    await expect(send('https://server.example/', { proxy: 'http://127.0.0.1:1' })).rejects.toThrow('ECONNREFUSED');
    await expect(send('https://server.example/', { proxy: 'socks5://x' })).rejects.toThrow(
      'unsupported protocol of a proxy: socks5:',
    );
  });

  it('give up a proxy that does not respond in time', async () => {
    let left = 0;
    const proxy = createHttp();
    const time = new AbortController();
    proxy.on('connect', (_, socket) => {
      connections.push(socket);
      socket.on('error', () => undefined).on('end', () => left++);
      socket.resume();
      time.abort();
    });
    const timeouts = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => time.signal);
    const place = `http://${await listen(proxy)}`;
    await expect(send('https://server.example/', { proxy: place })).rejects.toThrow('aborted');
    expect(timeouts.mock.calls).toEqual([[60_000]]);
    timeouts.mockRestore();
    await expect.poll(() => left).toBe(1);
  });

  it('upgrade a connection through the proxy', async () => {
    const place = await listenHttps(() => {});
    open.at(-1)?.on('upgrade', (_, socket) => {
      connections.push(socket);
      socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: test\r\n\r\n');
    });
    const { proxy, places } = await openProxy();
    const upgraded = await nodeUpgrade(`https://${place}/`, {
      method: 'GET',
      headers: { connection: 'Upgrade', upgrade: 'test' },
      redirect: 'manual',
      signal: new AbortController().signal,
      tls: trusted(),
      proxy,
    });
    expect('channel' in upgraded).toBe(true);
    expect(places).toEqual([`CONNECT ${place} ${BASIC}`]);
  });

  it('are answered by the proxy over plain HTTP', async () => {
    const { proxy, places } = await openProxy();
    expect(await (await send('http://server.example/a?b', { proxy })).text()).toBe('from the proxy');
    expect(places).toEqual([`GET http://server.example/a?b server.example ${BASIC}`]);
  });
});
