import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTcp, type Server } from 'node:net';
import { createServer as createTls } from 'node:tls';
import { afterEach, beforeAll, expect, it } from 'vitest';
import type { ApiServer } from '../../src/api-server.js';
import type { Fetch } from '../../src/meta/fetch.js';
import { systemFetch } from '../../src/outbound/system-fetch.js';
import { createCertificateAuthority, issueCertificate, type KeyPair } from '../../src/pki/certificate-authority.js';
import { apiService } from '../../src/resources/apiregistration/index.js';
import { startServer } from '../support/servers.js';
import { asMaster, conditionOf, GROUP, LIST, PATH, registration } from './far-server.js';

const THINGS = `${PATH}/namespaces/default/things`;
let authority: KeyPair;
let serving: KeyPair;
const open: { readonly server: Server; readonly sockets: Set<Socket> }[] = [];

beforeAll(async () => {
  authority = await createCertificateAuthority({ commonName: 'authority' });
  const dnsNames = ['far.default.svc'];
  serving = await issueCertificate(authority, { commonName: 'far', dnsNames, usages: ['serverAuth'] });
});
afterEach(async () => {
  for (const { server, sockets } of open.splice(0)) {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A backend that can send arbitrary bytes. */
async function rawBackend(say: (path: string, socket: Socket) => void, pair: KeyPair | 'none' = serving) {
  const sockets = new Set<Socket>();
  const talk = (socket: Socket) => {
    socket.on('error', () => {});
    let head = '';
    socket.on('data', (bytes: Buffer) => {
      head += bytes.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      const [, target = ''] = head.split(' ', 2);
      head = '';
      if (target === PATH) return answer(socket, JSON.stringify(LIST));
      say(target, socket);
    });
  };
  const server = pair !== 'none' ? createTls({ key: pair.key, cert: pair.certificate }, talk) : createTcp(talk);
  server.on('tlsClientError', () => {});
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  open.push({ server, sockets });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, sockets };
}

const answer = (socket: Socket, body: string, head = '') =>
  void socket.write(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${head}content-length: ${body.length}\r\n\r\n${body}`,
  );
const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n';

/** A server with a group whose Service leads to this port. */
async function front(port: number, spec: object = {}): Promise<ApiServer> {
  const here = (url: string) => url.replace('//far.test:443', `//127.0.0.1:${port}`);
  const fetch: Fetch = (url, options) => systemFetch(here(url), options);
  const server = await startServer({ dialect: 'k8s', fetch, services: 'network' });
  const caBundle = Buffer.from(authority.certificate).toString('base64');
  await server.load([
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'far', namespace: 'default' },
      spec: { type: 'ExternalName', externalName: 'far.test' },
    },
  ]);
  await server.client().create(apiService, registration({ caBundle, ...spec }));
  await server.settle();
  return server;
}

/** Sends the same text in response to every request of a caller. */
const saying = (text: string, end = false) =>
  rawBackend((path, socket) => {
    if (!path.startsWith(THINGS)) return void socket.write(NOT_FOUND);
    socket.write(text);
    if (end) socket.end();
  });

const OK = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n';
const CHUNKED = `${OK}transfer-encoding: chunked\r\n`;

it.each([
  ['headers without end', `${OK}${'x-a: b\r\n'.repeat(100_000)}\r\n`],
  ['one header of a megabyte', `${OK}x-a: ${'b'.repeat(1 << 20)}\r\n\r\n`],
  ['two lengths', `${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nab`],
  ['a length and chunked encoding', `${CHUNKED}content-length: 3\r\n\r\n3\r\nabc\r\n0\r\n\r\n`],
  ['bytes that are not HTTP', 'SSH-2.0-far\r\n\r\n'],
  ['a header without a name', `${OK}: x\r\n\r\n`],
  ['a status of four digits', 'HTTP/1.1 1234 Odd\r\n\r\n'],
  [
    'an upgrade that was not requested',
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
  ],
])('a response with %s counts as an unreachable backend', async (_, text) => {
  const { port } = await saying(text, true);
  await using server = await front(port);
  const answered = await asMaster(server, `${THINGS}/a?timeout=5s`);
  expect(answered.status).toBe(503);
  expect(await answered.text()).toMatch(/^error trying to reach service: /);
  expect((await asMaster(server, '/api/v1/namespaces')).status).toBe(200);
});

it('redirects are not followed', async () => {
  const { port } = await saying('HTTP/1.1 307 Go\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0\r\n\r\n');
  await using server = await front(port);
  expect((await asMaster(server, THINGS)).status).toBe(502);
});

it('bytes beyond the announced length are dropped', async () => {
  const { port } = await saying(`${OK}content-length: 5\r\n\r\nhello HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil`);
  await using server = await front(port);
  expect(await (await asMaster(server, THINGS)).text()).toBe('hello');
  expect(await (await asMaster(server, THINGS)).text()).toBe('hello');
});

it.each([
  ['a length', `${OK}content-length: 100\r\n\r\nhalf`],
  ['chunks', `${CHUNKED}\r\n4\r\nhalf\r\n`],
  ['a chunk', `${CHUNKED}\r\nff\r\nhalf`],
])('a body with less than %s announced is an incomplete response', async (_, text) => {
  const { port } = await saying(text, true);
  await using server = await front(port);
  await expect((await asMaster(server, THINGS)).text()).rejects.toThrow();
});

it('a response that never begins is given up when the time limit of the request is over', async () => {
  const { port } = await rawBackend((path, socket) => void (path.startsWith(THINGS) || socket.write(NOT_FOUND)));
  await using server = await front(port);
  const begin = performance.now();
  expect((await asMaster(server, `${THINGS}?timeout=300ms`)).status).toBe(504);
  expect(performance.now() - begin).toBeLessThan(10_000);
});

it('a response that does not end is cut off at the time limit of the request, but a watch is not', async () => {
  const { port, sockets } = await rawBackend((path, socket) => {
    if (!path.startsWith(THINGS)) return void socket.write(NOT_FOUND);
    socket.write(`${CHUNKED}\r\n2\r\n{}\r\n`);
    const timer = setInterval(() => socket.write('1\r\n \r\n'), 10);
    socket.on('close', () => clearInterval(timer));
  });
  await using server = await front(port);
  const dripping = await asMaster(server, `${THINGS}?timeout=300ms`);
  expect(dripping.status).toBe(200);
  const before = sockets.size;
  await expect(dripping.text()).rejects.toThrow('request did not complete within the allotted timeout');
  await expect.poll(() => sockets.size).toBeLessThan(before);
  const watch = (await asMaster(server, `${THINGS}?watch=true&timeout=300ms`)).body?.getReader();
  for (const began = performance.now(); performance.now() - began < 600; )
    expect((await watch?.read())?.done).toBe(false);
  await watch?.cancel();
});

it('a response that never ends, or arrives byte by byte, blocks only its reader and ends when the reader leaves', async () => {
  let sent = 0;
  const backend = await rawBackend((path, socket) => {
    if (!path.startsWith(THINGS)) return void socket.write(NOT_FOUND);
    socket.write(`${CHUNKED}\r\n`);
    const chunk = path.endsWith('slow') ? 'x' : 'x'.repeat(65_536);
    const pour = () => {
      while (!socket.destroyed) {
        sent += chunk.length;
        if (!socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`)) return;
        if (path.endsWith('slow')) return void setTimeout(pour, 5);
      }
    };
    socket.on('drain', pour);
    pour();
  });
  await using server = await front(backend.port);
  for (const name of ['endless', 'slow']) {
    const reader = (await asMaster(server, `${THINGS}/${name}`)).body?.getReader();
    for (let i = 0; i < 3; i++) expect((await reader?.read())?.done).toBe(false);
    expect((await asMaster(server, '/api/v1/namespaces')).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 50));
    // The amount that the buffers of the connection can hold, not all that the backend tries to send.
    expect(sent).toBeLessThan(64 * 1024 * 1024);
    const before = backend.sockets.size;
    await reader?.cancel();
    await expect.poll(() => backend.sockets.size).toBeLessThan(before);
  }
});

it('a discovery document of 50 MB is not read to its end', async () => {
  const chunk = ' '.repeat(1 << 20);
  let sent = 0;
  const { port } = await rawBackend((path, socket) => {
    if (path !== '/apis') return void socket.write(NOT_FOUND);
    socket.write(`${OK}content-length: ${50 << 20}\r\n\r\n`);
    const pour = () => {
      while (sent < 50 && !socket.destroyed) {
        sent++;
        if (!socket.write(chunk)) return;
      }
    };
    socket.on('drain', pour);
    pour();
  });
  await using server = await front(port);
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const { items } = await (await asMaster(server, '/apis', { headers: { accept } })).json();
  const mine = items.find(({ metadata }: { metadata: { name: string } }) => metadata.name === GROUP);
  expect(mine.versions).toEqual([{ version: 'v1', freshness: 'Stale' }]);
  expect(sent).toBeLessThan(40);
});

it('a backend whose certificate has another name, or an untrusted issuer, gets no request', async () => {
  let asked = 0;
  const stranger = await createCertificateAuthority({ commonName: 'stranger' });
  const pairs = [
    await issueCertificate(stranger, { commonName: 'far', dnsNames: ['far.default.svc'], usages: ['serverAuth'] }),
    await issueCertificate(authority, { commonName: 'far', dnsNames: ['near.default.svc'], usages: ['serverAuth'] }),
  ];
  for (const pair of pairs) {
    const { port } = await rawBackend((path, socket) => {
      if (path.startsWith(THINGS)) asked++;
      socket.write(NOT_FOUND);
    }, pair);
    await using server = await front(port);
    // The check of availability does not verify the certificate.
    expect((await conditionOf(server))?.status).toBe('True');
    const answered = await asMaster(server, THINGS);
    expect([answered.status, asked]).toEqual([503, 0]);
    await server.client().update(apiService, `v1.${GROUP}`, (draft) => {
      delete draft.spec.caBundle;
      draft.spec.insecureSkipTLSVerify = true;
    });
    expect((await asMaster(server, THINGS)).status).toBe(404);
    asked = 0;
  }
});

it('a backend that does not speak TLS is unavailable', async () => {
  const { port } = await rawBackend(
    (_, socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
    'none',
  );
  open.at(-1)?.server.on('connection', (socket: Socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\n'));
  await using server = await front(port);
  expect(await conditionOf(server)).toMatchObject({ status: 'False', reason: 'FailedDiscoveryCheck' });
  expect((await asMaster(server, THINGS)).status).toBe(503);
});
