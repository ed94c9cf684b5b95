import http from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ApiServerOptions } from '../../src/api-server-options.js';
import { anonymous } from '../../src/authentication/anonymous.js';
import { alwaysAllow } from '../../src/authorization/always-allow.js';
import { type Listener, listen } from '../../src/http/index.js';
import { systemClock } from '../../src/meta/clock.js';
import { configMap } from '../../src/resources/core/index.js';
import { startServer } from '../support/servers.js';
import { exchange2, session2, until } from './exchange.js';
import { answering, FakeStream } from './stub-server.js';

const KIB = 1024;
const MAPS = '/api/v1/namespaces/default/configmaps';

async function serve(options: ApiServerOptions = {}) {
  const server = await startServer({
    dialect: 'k8s',
    authentication: [anonymous()],
    authorization: [alwaysAllow()],
    ...options,
  });
  const maps = server.client();
  await maps.create(configMap, { metadata: { name: 'small' }, data: { a: 'x'.repeat(100 * KIB) } }, in_('default'));
  await maps.create(configMap, { metadata: { name: 'large' }, data: { a: 'x'.repeat(200 * KIB) } }, in_('default'));
  for (const n of [1, 2, 3, 4])
    await maps.create(
      configMap,
      { metadata: { name: `more-${n}` }, data: { a: `${n}`.repeat(300 * KIB) } },
      in_('default'),
    );
  return { server, listener: await listen(server, { tls: false }) };
}
const in_ = (namespace: string) => ({ namespace });

interface Answer {
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}
/** Sends a request over HTTP/1.1, and returns the bytes of the response. */
function ask(url: string, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    http
      .get(url + path, { agent: false, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
        response.on('error', reject);
      })
      .on('error', reject);
  });
}
const GZIP = { 'accept-encoding': 'gzip' };

describe('an answer of more than 128 KiB', () => {
  let served: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    // Tables contain ages, so two responses are equal only at the same moment.
    served = await serve({ clock: { ...systemClock, now: () => 0 } });
  });
  afterAll(async () => {
    await served.listener.close();
    await served.server.close();
  });
  const get = (path: string, headers?: Record<string, string>) => ask(served.listener.url, path, headers);

  it.each([
    ['an object', `${MAPS}/large`, {}],
    ['a list', MAPS, {}],
    ['an indented list', `${MAPS}?pretty=true`, {}],
    ['a table', `${MAPS}?includeObject=Object`, { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' }],
    ['YAML', `${MAPS}/large`, { accept: 'application/yaml' }],
    ['protobuf', MAPS, { accept: 'application/vnd.kubernetes.protobuf' }],
  ])('is compressed if it is %s', async (_, path, headers) => {
    const [plain, zipped] = [await get(path, headers), await get(path, { ...headers, ...GZIP })];
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(zipped.body.length).toBeLessThan(plain.body.length / 10);
    expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true);
  });
  it.each([
    ['gzip, deflate', 'gzip'],
    ['identity , gzip ', 'gzip'],
    ['GZIP', undefined],
    ['gzip;q=1', undefined],
    ['*', undefined],
    ['deflate', undefined],
  ])('with the bare encoding: %s', async (accepts, encoding) => {
    const { headers } = await get(`${MAPS}/large`, { 'accept-encoding': accepts });
    expect(headers['content-encoding']).toBe(encoding);
  });
  it('is compressed, but a shorter one, an error and discovery are not', async () => {
    for (const path of [`${MAPS}/small`, `${MAPS}/none`, '/api/v1', '/version'])
      expect((await get(path, GZIP)).headers).not.toHaveProperty('content-encoding');
  });
  it('has a Content-Length only if it is short, over HTTP/1.1', async () => {
    expect((await get(`${MAPS}/small`)).headers['content-length']).toBeUndefined();
    const zipped = await get(`${MAPS}/large`, GZIP);
    expect(zipped.headers['content-length']).toBe(String(zipped.body.length));
  });
  it('a watch is never compressed', async () => {
    const { headers, body } = await get(`${MAPS}?watch=1&timeoutSeconds=1`, GZIP);
    expect(headers['content-encoding']).toBeUndefined();
    expect(body.length).toBeGreaterThan(1000 * KIB);
  });
  it('of OpenAPI is compressed, depending on q-values, by another part of the server', async () => {
    const plain = await get('/openapi/v2', { 'accept-encoding': 'gzip;q=0' });
    expect(plain.headers).toMatchObject({ vary: 'Accept-Encoding, Accept' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    const zipped = await get('/openapi/v2', { 'accept-encoding': 'gzip;q=0.5' });
    expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding, Accept' });
    expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true);
    // The compressed bytes are cached and sent again.
    const again = await get('/openapi/v2', GZIP);
    expect(again.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding, Accept' });
    expect(again.body.equals(zipped.body)).toBe(true);
  });
  it('is compressed over HTTP/2 as well', async () => {
    const listener = await listen(served.server);
    const session = session2(listener.url);
    const { headers } = await exchange2(session, { path: MAPS, headers: GZIP });
    expect(headers['content-encoding']).toBe('gzip');
    session.close();
    await listener.close();
  });
});

it('nothing is compressed without the gate, except for OpenAPI', async () => {
  const { server, listener } = await serve({ featureGates: { APIResponseCompression: false } });
  expect((await ask(listener.url, MAPS, GZIP)).headers).not.toHaveProperty('content-encoding');
  expect((await ask(listener.url, '/openapi/v2', GZIP)).headers).toHaveProperty('content-encoding', 'gzip');
  await listener.close();
  await server.close();
});

describe('a compressed answer', () => {
  const open: Listener[] = [];
  afterEach(async () => {
    for (const listener of open.splice(0)) await listener.close({ graceMilliseconds: 0 });
  });
  /** Returns bytes that cannot be compressed. */
  const noise = (bytes: number) => crypto.getRandomValues(new Uint8Array(Math.min(bytes, 65536)));
  async function streaming(stream: FakeStream, headers = {}): Promise<Listener> {
    const handler = answering(() => ({
      status: 200,
      headers,
      body: { type: 'stream', stream, finite: true },
      gzip: true,
    }));
    const faults: unknown[] = [];
    const listener = await listen(handler, { tls: false, onError: (error) => faults.push(error) });
    open.push(listener);
    return listener;
  }

  it('is produced no faster than it is read, and ends when its client disconnects', async () => {
    const stream = new FakeStream();
    for (let i = 0; i < 400; i++) stream.push(noise(65536));
    const listener = await streaming(stream);
    const request = http.get(listener.url, { agent: false });
    request.on('error', () => undefined);
    await new Promise((resolve) => request.once('response', resolve));
    request.destroy();
    await until(() => stream.closed > 0);
  });
  it('begins before its end is produced', async () => {
    const stream = new FakeStream();
    const listener = await streaming(stream);
    const request = http.get(listener.url, { agent: false });
    const response = new Promise<http.IncomingMessage>((resolve) => request.once('response', resolve));
    stream.push(noise(65536), noise(65536));
    const incoming = await response;
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    expect(stream.ended).toBe(false);
    stream.ended = true;
    stream.onReadable?.();
    await new Promise((resolve) => incoming.once('end', resolve));
    expect(gunzipSync(Buffer.concat(chunks))).toHaveLength(2 * 65536);
  });
  it('with a header that cannot be sent is a 500', async () => {
    const stream = new FakeStream();
    stream.push(noise(65536));
    stream.ended = true;
    const listener = await streaming(stream, { 'X-A': 'a\nb' });
    const { body, headers } = await ask(listener.url, '/');
    expect(headers).not.toHaveProperty('content-encoding');
    expect(body.toString()).toContain('panic');
  });
});
