import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import type { ApiServer } from '../../src/api-server.js';
import { anonymous } from '../../src/authentication/anonymous.js';
import { alwaysAllow } from '../../src/authorization/always-allow.js';
import { type Listener, listen } from '../../src/http/listener.js';
import type { Fetch } from '../../src/meta/fetch.js';
import { injectFaults } from '../../src/testing/index.js';
import { ask } from '../support/ask.js';
import { openServer } from '../support/servers.js';
import { asMaster, farServer, frontServer, PATH } from './far-server.js';
import { IP, NS, podFetch, withPod } from './pods.js';

const running: Server[] = [];
const listeners: Listener[] = [];
async function opened(server: ApiServer): Promise<Listener> {
  const listener = await listen(server, { tls: false });
  listeners.push(listener);
  return listener;
}
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.close();
  for (const server of running.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** The HTTP server of a pod, on a port of this machine. */
async function podServer(answer: (incoming: IncomingMessage, outgoing: ServerResponse) => void): Promise<Server> {
  const server = createServer(answer);
  running.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

it('relays a request for a Service to its pod without the identity of the caller, and returns the response', async () => {
  const seen: IncomingMessage[] = [];
  const pods = await podServer((incoming, outgoing) => {
    seen.push(incoming);
    incoming.pipe(outgoing.writeHead(201, { 'x-own': '1', connection: 'x-hop', 'x-hop': '1' }));
  });
  await using server = await withPod(podFetch(portOf(pods)));
  const init = {
    method: 'POST',
    body: 'what it is',
    headers: { authorization: 'Bearer secret', 'x-remote-user': 'forged', 'content-type': 'text/x' },
  };
  const answer = await asMaster(server, `${NS}/services/a:web/proxy/x//z/?q=%20a&q`, init);
  expect([answer.status, await answer.text()]).toEqual([201, 'what it is']);
  expect(answer.headers.get('x-own')).toBe('1');
  expect(answer.headers.get('x-hop')).toBeNull();
  expect(seen[0]?.url).toBe('/x/z/?q=%20a&q');
  const { authorization, 'x-remote-user': user, host, 'x-forwarded-uri': uri } = seen[0]?.headers ?? {};
  expect({ authorization, user, host, uri }).toEqual({
    authorization: undefined,
    user: undefined,
    host: 'front.example',
    uri: `${NS}/services/a:web/proxy/x/z/`,
  });
});

it('relays requests for pods and nodes as well, and rewrites redirects so that they pass through the proxy', async () => {
  const pods = await podServer((incoming, outgoing) => {
    const location = { '/out': 'https://elsewhere.example/a', '/bad': ':a' }[incoming.url ?? ''] ?? '/in?b#c';
    outgoing.writeHead(302, { location }).end();
  });
  await using server = await withPod(podFetch(portOf(pods)));
  await server.load([
    {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'n' },
      status: { addresses: [{ type: 'InternalIP', address: IP }] },
    },
  ]);
  const to = async (path: string) => (await asMaster(server, path)).headers.get('location');
  expect(await to(`${NS}/pods/p/proxy/a/b`)).toBe(`${NS}/pods/p/proxy/in?b#c`);
  expect(await to(`${NS}/pods/p:9/proxy/out`)).toBe('https://elsewhere.example/a');
  expect(await to('/api/v1/nodes/n:9/proxy/')).toBe('/api/v1/nodes/n:9/proxy/in?b#c');
  expect(await to(`${NS}/pods/p/proxy?a=b`)).toBe(`${NS}/pods/p/proxy/?a=b`);
  const bad = await asMaster(server, `${NS}/pods/p/proxy/bad`);
  expect({ status: bad.status, message: (await bad.json()).message }).toEqual({
    status: 500,
    message: 'Internal error occurred: error trying to parse Location header: parse ":a": missing protocol scheme',
  });
});

it('rewrites the links of HTML pages, compressed or not, and leaves other content as it is', async () => {
  const page = '<a HREF=/b>b</a><a href="https://front.example/c">';
  const pods = await podServer((incoming, outgoing) => {
    const isPlain = incoming.url === '/plain';
    const packs = !isPlain && incoming.headers['accept-encoding'] === 'gzip';
    const body = packs ? gzipSync(page) : Buffer.from(page);
    outgoing.writeHead(200, {
      'content-type': isPlain ? 'text/plain' : 'text/html; charset=utf-8',
      'content-length': body.length,
      ...(packs ? { 'content-encoding': 'gzip' } : {}),
    });
    outgoing.end(body);
  });
  await using server = await withPod(podFetch(portOf(pods)));
  const path = `${NS}/pods/p/proxy`;
  const led = `<a href="${path}/b">b</a><a href="https://front.example${path}/c">`;
  expect(await (await asMaster(server, `${path}/a`)).text()).toBe(led);
  const packed = await asMaster(server, `${path}/a`, { headers: { 'accept-encoding': 'gzip' } });
  expect(packed.headers.get('content-length')).toBeNull();
  expect(gunzipSync(await packed.arrayBuffer()).toString()).toBe(led);
  expect(await (await asMaster(server, `${path}/plain`)).text()).toBe(page);
});

it('refuses addresses that are not those of a pod of the namespace, and addresses of its own host', async () => {
  const asked: string[] = [];
  const fetch: Fetch = (url) => {
    asked.push(url);
    return Promise.reject(new Error('no route to host'));
  };
  await using server = await withPod(fetch, '10.0.0.8');
  const said = async (path: string) => (await ask(server, { path })).message;
  expect(await said(`${NS}/services/a:web/proxy/`)).toBe('no endpoints available for service "a:web"');
  await server.load([
    {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'named' },
      status: { addresses: [{ type: 'Hostname', address: 'localhost' }] },
    },
  ]);
  expect(await said('/api/v1/nodes/named/proxy/')).toBe(
    'error trying to reach service: nodes are reached by addresses, not by names',
  );
  expect(asked).toEqual([]);
  expect(await said(`${NS}/pods/p/proxy/`)).toBe('error trying to reach service: no route to host');
  expect(await said(`${NS}/pods/p:99999/proxy/`)).toBe(
    'error trying to reach service: dial tcp: address 99999: invalid port',
  );
  expect(asked).toEqual([`http://${IP}:8080/`]);
});

it('a handler in this process can serve a Service', async () => {
  await using server = await openServer({ dialect: 'k8s' });
  server.services.set('default/near', { fetch: (request) => new Response(request.url) });
  const answer = await asMaster(server, `${NS}/services/near:80/proxy/a?b=c`);
  expect(await answer.text()).toBe('http://near.default.svc/a?b=c');
});

/** Writes lines to a connection and reads until a text was received. */
async function talk(port: number, path: string, lines: readonly string[], until: RegExp, then = ''): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket
    .on('error', () => undefined)
    .on('data', (chunk) => {
      heard += chunk.toString('latin1');
      if (then !== '' && heard.includes('101 Switching')) socket.write(then);
    });
  socket.write([`GET ${path} HTTP/1.1`, 'Host: a', 'Connection: Upgrade', ...lines, '', 'early '].join('\r\n'));
  await expect.poll(() => heard).toMatch(until);
  socket.destroy();
  return heard;
}

it('relays an upgraded connection in both directions', async () => {
  const pods = await podServer((_, outgoing) => void outgoing.writeHead(403).end('not you'));
  const protocols: unknown[] = [];
  pods.on('upgrade', (incoming: IncomingMessage, socket, head) => {
    protocols.push(
      incoming.headers.upgrade,
      incoming.headers['sec-websocket-protocol'],
      incoming.headers.authorization,
    );
    if (incoming.url !== '/talk') return void socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 7\r\n\r\nnot you');
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: tea\r\nConnection: Upgrade\r\nX-Own: 1\r\n\r\nhello ');
    const echo = (chunk: Buffer) => socket.write(chunk.toString('latin1').toUpperCase());
    if (head.length > 0) echo(head);
    socket.on('data', echo);
  });
  await using server = await withPod(podFetch(portOf(pods)));
  const listener = await opened(server);
  const token = 'base64url.bearer.authorization.k8s.io.c2VjcmV0';
  const lines = ['Upgrade: tea', `Sec-WebSocket-Protocol: ${token}, v4`];
  const heard = await talk(listener.port, `${NS}/pods/p/proxy/talk`, lines, /hello EARLY LATE/, 'late');
  expect(heard).toMatch(/^HTTP\/1.1 101 Switching Protocols\r\n/);
  expect(heard).toContain('X-Own: 1\r\n');
  expect(protocols).toEqual(['tea', 'v4', undefined]);
  const refused = await talk(listener.port, `${NS}/pods/p/proxy/no`, ['Upgrade: tea'], /not you/);
  expect(refused).toMatch(/^HTTP\/1.1 403 Forbidden\r\n/);
});

it('a server behind a group version can upgrade connections', async () => {
  const { handler } = farServer();
  await using server = await frontServer(
    {
      ...handler,
      upgrade() {
        const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
        return { headers: new Headers({ upgrade: 'echo' }), channel: { readable, writable } };
      },
    },
    { authentication: [anonymous()], authorization: [alwaysAllow()] },
  );
  const listener = await opened(server);
  const heard = await talk(listener.port, `${PATH}/namespaces/default/things/a/exec`, ['Upgrade: echo'], /early/);
  expect(heard).toContain('Upgrade: echo\r\n');
});

it('an upgraded connection is lost, on both sides, if a test loses the answer', async () => {
  let cancelled = 0;
  const { handler } = farServer();
  await using server = await frontServer(
    {
      ...handler,
      upgrade() {
        const readable = new ReadableStream<Uint8Array>({ cancel: () => void cancelled++ });
        return { headers: new Headers({ upgrade: 'echo' }), channel: { readable, writable: new WritableStream() } };
      },
    },
    { authentication: [anonymous()], authorization: [alwaysAllow()] },
  );
  using faults = injectFaults(server);
  faults.on({ resource: 'things/exec' }).loseAnswer();
  const { port } = await opened(server);
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  const over = new Promise((resolve) => socket.on('close', resolve).on('error', () => undefined));
  socket.on('data', (chunk) => (heard += chunk.toString('latin1')));
  const path = `${PATH}/namespaces/default/things/a/exec`;
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n`);
  await over;
  expect(heard).toBe('');
  expect(cancelled).toBe(1);
});

it.each([
  ['the client ends, and the other server neither reads nor ends', 'end', 'stay'],
  ['the client vanishes, and the other server neither reads nor ends', 'destroy', 'stay'],
  ['the other server ends without having read, and the client stays', 'stay', 'end'],
])('an upgraded connection ends on both sides when %s', async (_, client, backend) => {
  let cancelled = 0;
  let taken = 0;
  const { handler } = farServer();
  await using server = await frontServer(
    {
      ...handler,
      upgrade() {
        const readable = new ReadableStream<Uint8Array>({
          start: (controller) => backend === 'end' && setTimeout(() => controller.close(), 200),
          cancel: () => void cancelled++,
        });
        const writable = new WritableStream<Uint8Array>({
          write: () => {
            taken++;
            return new Promise(() => undefined);
          },
        });
        return { headers: new Headers({ upgrade: 'echo' }), channel: { readable, writable } };
      },
    },
    { authentication: [anonymous()], authorization: [alwaysAllow()] },
  );
  const listener = await opened(server);
  const socket = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true });
  let over = false;
  socket
    .on('error', () => undefined)
    .on('end', () => {
      over = true;
    });
  socket.resume();
  const path = `${PATH}/namespaces/default/things/a/exec`;
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nearly`);
  await expect.poll(() => taken).toBe(1);
  if (client === 'end') socket.end();
  if (client === 'destroy') socket.destroy();
  const isOver = () => {
    if (client === 'stay') socket.write('more');
    return (backend === 'end' || cancelled === 1) && (client === 'destroy' || over);
  };
  await expect.poll(isOver, { timeout: 4_000 }).toBe(true);
  socket.destroy();
});
