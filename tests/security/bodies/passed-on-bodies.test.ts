import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../../src/api-server.js';
import { type Listener, listen } from '../../../src/http/listener.js';
import { nodeFetch } from '../../../src/outbound/node-fetch.js';
import { MASTER } from '../../aggregation/far-server.js';
import { NS, podFetch, withPod } from '../../aggregation/pods.js';
import { exchangeRaw, session2 } from '../../http/exchange.js';

const PATH = `${NS}/pods/p/proxy`;
const EVIL = 'DELETE /secret HTTP/1.1\r\nhost: a\r\n\r\n';
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A backend that records every received byte, and responds to whatever looks like the end of a head. */
async function rawPod() {
  const sockets: Socket[] = [];
  const heard: string[] = [];
  const server: Server = createServer((socket) => {
    const index = heard.push('') - 1;
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      heard[index] += bytes.toString('latin1');
      if (/\r\n\r\n(0\r\n\r\n|[\s\S]*\r\n0\r\n\r\n)?$/.test(heard[index] ?? '') || /end$/.test(heard[index] ?? ''))
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return { heard, port: (server.address() as { port: number }).port };
}

async function front(tls?: false): Promise<{ server: ApiServer; listener: Listener; heard: string[] }> {
  const { heard, port } = await rawPod();
  const server = await withPod(podFetch(port));
  ends.push(() => server[Symbol.asyncDispose]());
  const listener = await listen(server, tls === false ? { tls } : {});
  ends.push(() => listener.close({ graceMilliseconds: 100 }));
  return { server, listener, heard };
}

const raw = (lines: readonly string[], body = '') =>
  [`POST ${PATH}/up HTTP/1.1`, 'Host: a', ...lines, 'Connection: close', '', body].join('\r\n');
const headOf = (text = '') => text.slice(0, text.indexOf('\r\n\r\n')).toLowerCase();
const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

describe('the body of a request by HTTP/1.1', () => {
  it.each([
    ['a length and chunked encoding', ['Content-Length: 4', 'Transfer-Encoding: chunked'], `0\r\n\r\n${EVIL}`],
    ['two lengths', ['Content-Length: 4', 'Content-Length: 60'], `abcd${EVIL}`],
    ['a malformed length', ['Content-Length: +4'], `abcd${EVIL}`],
    ['an unsupported coding', ['Transfer-Encoding: gzip'], EVIL],
    ['a coding after chunked', ['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${EVIL}`],
    ['a space before the colon of the coding', ['Transfer-Encoding : chunked', 'Content-Length: 4'], `abcd${EVIL}`],
    ['a folded coding', ['Transfer-Encoding:', ' chunked', 'Content-Length: 4'], `abcd${EVIL}`],
    ['a malformed chunk size', ['Transfer-Encoding: chunked'], `0x4\r\nabcd\r\n0\r\n\r\n`],
  ])('with %s is refused', async (_, lines, body) => {
    const { listener, heard } = await front(false);
    expect(await exchangeRaw(listener.port, raw(lines, body))).toMatch(/^HTTP\/1.1 [45]\d\d /);
    expect(heard.join('')).not.toContain('secret');
    expect(heard.join('')).not.toMatch(/\r\n0\r\n\r\n/); // no body was said to be whole
  });

  it.each([
    ['its length', ['Content-Length'], (body: string) => [[`Content-Length: ${body.length}`], body] as const],
    ['its coding', ['Transfer-Encoding'], (body: string) => [['Transfer-Encoding: chunked'], chunked(body)] as const],
  ])('has one end, even if %s is named in the Connection header', async (_, [name = ''], of) => {
    const { listener, heard } = await front(false);
    const body = `${EVIL}end`;
    const [lines, sent] = of(body);
    const answer = await exchangeRaw(listener.port, raw([...lines, `Connection: ${name}`], sent));
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(heard).toHaveLength(1);
    const head = headOf(heard[0]);
    expect(head.match(/^(content-length|transfer-encoding):/gm)).toHaveLength(1);
    expect(head).toContain(name === 'Content-Length' ? `content-length: ${body.length}` : 'transfer-encoding: chunked');
    // The whole body follows one head, with the announced length or in one chunk.
    const rest = heard[0]?.slice(head.length + 4);
    expect(rest).toBe(name === 'Content-Length' ? body : chunked(body));
  });

  it('requests no upgrade, and announces no trailers', async () => {
    const { listener, heard } = await front(false);
    const lines = ['Upgrade: h2c', 'Connection: Upgrade, HTTP2-Settings', 'HTTP2-Settings: AA', 'TE: trailers'];
    const sent = `3\r\nend\r\n0\r\nX-Remote-User: evil\r\nContent-Length: 9\r\n\r\n`;
    const head = [...lines, 'Transfer-Encoding: chunked', 'Trailer: X-Remote-User', 'Expect: 100-continue'];
    await exchangeRaw(listener.port, raw(head, sent));
    expect(headOf(heard[0])).not.toMatch(/upgrade|http2|^te:|trailer|expect|x-remote/m);
    expect(heard.join('')).not.toContain('evil');
  });
});

it('over HTTP/2 a Content-Length must match the body', async () => {
  const { listener, heard } = await front();
  const send = (headers: Record<string, string>, body: string) =>
    new Promise<string>((resolve) => {
      const session = session2(listener.url);
      session.on('error', () => undefined);
      const stream = session.request({ ':path': `${PATH}/up`, ':method': 'POST', ...headers });
      let said = '';
      stream.on('response', ({ ':status': status }) => (said = String(status)));
      stream
        .on('error', () => undefined)
        .on('close', () => {
          session.destroy();
          resolve(said || 'reset');
        });
      stream.resume().end(body);
    });
  expect(await send({ 'content-length': '3' }, 'end')).toBe('200');
  expect(headOf(heard[0])).toContain('content-length: 3');
  heard.splice(0);
  expect(await send({ 'content-length': '2' }, `ab${EVIL}`)).toBe('reset');
  expect(await send({ 'content-length': '200' }, EVIL)).toBe('reset');
  for (const each of heard) expect(each.slice(each.indexOf('\r\n\r\n') + 4).length).toBeLessThan(200);
});

it('in process the length of a body is its own, whatever its headers say', async () => {
  const { server, heard } = await front(false);
  const body = `${EVIL}end`;
  const headers = { 'content-length': '3', 'transfer-encoding': 'identity' };
  const request = new Request(`https://front.example${PATH}/up`, { method: 'POST', body, headers });
  expect(await (await server.fetch(request, { user: MASTER })).text()).toBe('ok');
  const head = headOf(heard[0]);
  expect(head.match(/^(content-length|transfer-encoding):.*/gm)).toEqual(['transfer-encoding: chunked']);
  expect(heard[0]?.slice(head.length + 4)).toBe(chunked(body));
});

it.each([
  ['more', 'abcdef'],
  ['less', 'ab'],
])('a body with %s bytes than announced is not sent to its end', async (_, text) => {
  const { heard, port } = await rawPod();
  const bytes = new Blob([text]).stream();
  const options = {
    method: 'POST',
    headers: {},
    signal: new AbortController().signal,
    redirect: 'manual',
  } as const;
  const sent = nodeFetch(`http://127.0.0.1:${port}/`, options, { bytes, length: 4 });
  await expect(sent).rejects.toThrow(`http: ContentLength=4 with Body length ${text.length}`);
  expect(heard.join('')).not.toContain('cdef');
});
