import { createHash, randomBytes } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  request as requestHttp,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { anonymous } from '../../src/authentication/anonymous.js';
import { alwaysAllow } from '../../src/authorization/always-allow.js';
import { type Listener, listen } from '../../src/http/listener.js';
import { session2, until } from '../http/exchange.js';
import { collectGarbage } from '../support/collect-garbage.js';
import { openServer } from '../support/servers.js';
import { farServer, frontServer, MASTER, PATH } from './far-server.js';
import { NS, podFetch, withPod } from './pods.js';

const MIB = 1 << 20;
const PROXY = `${NS}/services/a:web/proxy`;
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** The backend of the Service, on a port of this machine. */
async function pod(answer: (incoming: IncomingMessage, outgoing: ServerResponse) => void): Promise<Server> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return server;
}

async function front(answer: Parameters<typeof pod>[0], tls?: false): Promise<Listener> {
  const pods = await pod(answer);
  const server = await withPod(podFetch((pods.address() as AddressInfo).port));
  const listener = await listen(server, tls === false ? { tls } : {});
  ends.push(() => server[Symbol.asyncDispose]());
  ends.push(() => listener.close({ graceMilliseconds: 100 }));
  return listener;
}

const hashing = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
  const hash = createHash('sha256');
  for await (const chunk of incoming) hash.update(chunk as Buffer);
  const { 'content-length': length = '', 'transfer-encoding': coding = '' } = incoming.headers;
  outgoing.end(`${length}${coding} ${hash.digest('hex')}`);
};
const hashOf = (piece: Buffer, times: number) => {
  const hash = createHash('sha256');
  for (let i = 0; i < times; i++) hash.update(piece);
  return hash.digest('hex');
};

/** Sends a request over HTTP/1.1 whose body the test writes. */
function upload1({ port }: Listener, path: string, headers: Record<string, string> = {}, method = 'POST') {
  const outgoing = requestHttp({ host: '127.0.0.1', port, path, method, headers, agent: false });
  const answer = new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    outgoing.on('error', reject).on('response', async (incoming) => {
      let text = '';
      try {
        for await (const chunk of incoming) text += String(chunk);
        resolve({ status: incoming.statusCode, text });
      } catch (error) {
        reject(error);
      }
    });
  });
  answer.catch(() => {});
  return { outgoing, answer };
}

/** Writes a chunk repeatedly, as fast as it is read. @returns the number of bytes that were read so far */
function pour(to: NodeJS.WritableStream, piece: Buffer, times: number) {
  const state = { taken: 0, most: 0 };
  let left = times;
  const more = () => {
    // Newer versions of Node collect dropped buffers only after many more were allocated. The second collection releases what the first one found.
    if (left % 10 === 0) for (let i = 0; i < 2; i++) collectGarbage();
    const { arrayBuffers } = process.memoryUsage();
    state.most = Math.max(state.most, arrayBuffers);
    while (left > 0) {
      left--;
      if (left === 0) return void to.end(piece, () => (state.taken += piece.length));
      if (!to.write(piece, () => (state.taken += piece.length))) return void to.once('drain', more);
    }
  };
  more();
  return state;
}

describe('a body of 100 MB', () => {
  const piece = randomBytes(MIB);
  const expected = hashOf(piece, 100);

  it.each([
    ['with its length', { 'content-length': String(100 * MIB) }, String(100 * MIB)],
    ['in chunks', { 'transfer-encoding': 'chunked' }, 'chunked'],
  ])('arrives %s, without being buffered anywhere', async (_, headers, framing) => {
    const listener = await front(hashing, false);
    const before = process.memoryUsage().arrayBuffers;
    const { outgoing, answer } = upload1(listener, `${PROXY}/up`, headers as Record<string, string>);
    const state = pour(outgoing, piece, 100);
    expect(await answer).toEqual({ status: 200, text: `${framing} ${expected}` });
    expect(state.most - before).toBeLessThan(50 * MIB);
  });

  it('arrives over HTTP/2', async () => {
    const listener = await front(hashing);
    const session = session2(listener.url);
    ends.push(() => session.destroy());
    const stream = session.request({ ':path': `${PROXY}/up`, ':method': 'PUT' });
    pour(stream, piece, 100);
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    expect(text).toBe(`chunked ${expected}`);
  });

  it('is read no faster than the other server reads it', async () => {
    let reads: (() => void) | undefined;
    const listener = await front((incoming, outgoing) => {
      reads = () => void hashing(incoming, outgoing);
    }, false);
    const { outgoing, answer } = upload1(listener, `${PROXY}/up`, { 'content-length': String(100 * MIB) });
    const state = pour(outgoing, piece, 100);
    await until(() => reads !== undefined);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(state.taken).toBeLessThan(30 * MIB); // The capacity of the buffers of four sockets.
    reads?.();
    expect((await answer).text).toBe(`${100 * MIB} ${expected}`);
  });

  it('is a stream for a handler in this process, which is called before the body has arrived', async () => {
    await using server = await openServer({ dialect: 'k8s' });
    let begun = 0;
    server.services.set('default/near', {
      async fetch(request) {
        let length = 0;
        const hash = createHash('sha256');
        for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
          begun ||= made;
          length += chunk.length;
          hash.update(chunk);
        }
        return new Response(`${length} ${hash.digest('hex')}`);
      },
    });
    let made = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (made++ === 100) controller.close();
        else controller.enqueue(piece);
      },
    });
    const init = { method: 'POST', body, duplex: 'half' } as const;
    const asked = new Request(`https://front.example${NS}/services/near:80/proxy/up`, init);
    const answer = await server.fetch(asked, { user: MASTER });
    expect(await answer.text()).toBe(`${100 * MIB} ${expected}`);
    expect(begun).toBeLessThan(5);
  });
});

it('a client that disconnects within a body has not sent a complete one', async () => {
  const seen: string[] = [];
  const listener = await front((incoming) => {
    seen.push('begun');
    incoming.on('data', () => undefined);
    incoming.on('end', () => seen.push('whole')).on('aborted', () => seen.push('aborted'));
    incoming.on('error', () => undefined);
  }, false);
  for (const headers of [{ 'content-length': '1000' }, { 'transfer-encoding': 'chunked' }]) {
    const { outgoing, answer } = upload1(listener, `${PROXY}/up`, headers as Record<string, string>);
    outgoing.write('some');
    await until(() => seen.length > 0);
    outgoing.destroy();
    await until(() => seen.length > 1);
    expect(seen.splice(0)).toEqual(['begun', 'aborted']);
    await expect(answer).rejects.toThrow();
  }
});

it('a response before the end of the body is returned, and the rest of the body is not parsed as a request', async () => {
  const seen: string[] = [];
  const listener = await front((incoming, outgoing) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    outgoing.writeHead(413, { 'content-type': 'text/plain' }).end('too much');
  }, false);
  for (let i = 0; i < 3; i++) {
    const { outgoing, answer } = upload1(listener, `${PROXY}/up`, { 'content-length': String(40 * MIB) });
    outgoing.on('error', () => undefined);
    pour(outgoing, Buffer.from('GET /secret HTTP/1.1\r\nhost: a\r\n\r\n'.padEnd(MIB, 'GET / HTTP/1.1\r\n\r\n')), 40);
    expect(await answer).toEqual({ status: 413, text: 'too much' });
  }
  expect(seen).toEqual(['POST /up', 'POST /up', 'POST /up']);
});

it('request and response bodies can be in transit at the same time, each with backpressure', async () => {
  const listener = await front((incoming, outgoing) => void incoming.pipe(outgoing), false);
  const { outgoing, answer } = upload1(listener, `${PROXY}/echo`, { 'transfer-encoding': 'chunked' });
  const said: string[] = [];
  outgoing.on('response', (incoming) => incoming.on('data', (chunk) => said.push(String(chunk))));
  for (const word of ['one', 'two', 'three']) {
    outgoing.write(word);
    await until(() => said.join('').endsWith(word));
  }
  outgoing.end();
  expect((await answer).text).toBe('onetwothree');
});

it('an empty or absent body is passed on as no body', async () => {
  const listener = await front((incoming, outgoing) => {
    const { 'content-length': length = '', 'transfer-encoding': coding = '' } = incoming.headers;
    outgoing.end(`${length}${coding}`);
  }, false);
  const sent = async (method: string, headers: Record<string, string>) => {
    const { outgoing, answer } = upload1(listener, `${PROXY}/up`, headers, method);
    outgoing.end();
    return (await answer).text;
  };
  expect(await sent('DELETE', { 'transfer-encoding': 'chunked' })).toBe('');
  expect(await sent('DELETE', {})).toBe('');
  expect(await sent('POST', { 'content-length': '0' })).toBe('0');
});

it('a body that never arrives is given up at the time limit of the request', async () => {
  let failed = false;
  const { handler } = farServer(async (request) => {
    await request.text().catch(() => (failed = true));
    return undefined;
  });
  const options = { authentication: [anonymous()], authorization: [alwaysAllow()], limits: { requestTimeout: 300 } };
  await using server = await frontServer(handler, options);
  const listener = await listen(server, { tls: false });
  ends.push(() => listener.close({ graceMilliseconds: 100 }));
  const { outgoing, answer } = upload1(listener, `${PATH}/things`, { 'content-length': '1000' });
  outgoing.on('error', () => undefined).write('some');
  expect((await answer).status).toBe(504);
  await until(() => failed);
});
