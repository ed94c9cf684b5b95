import http from 'node:http';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Listener, listen } from '../../src/http/index.js';
import type { ApiResponse } from '../../src/requests/api-request.js';
import { exchange1, session2, until } from './exchange.js';
import { answering, FakeStream, makeCertificates, streaming } from './stub-server.js';

const certificates = makeCertificates();
let answer: () => ApiResponse;
const server = answering(() => answer());
let plain: Listener;
let secure: Listener | undefined;
beforeAll(async () => {
  plain = await listen(server, { tls: false });
  if (certificates !== undefined) secure = await listen(server, { tls: certificates.serving });
});
afterAll(async () => {
  await plain.close({ graceMilliseconds: 300 });
  await secure?.close({ graceMilliseconds: 300 });
});

interface Reader {
  /** Returns the chunks of each read. */
  readonly parts: string[];
  readonly started: boolean;
  readonly ended: boolean;
  pause(): void;
  resume(): void;
  destroy(): void;
}
function open1(url: string): Reader {
  const parts: string[] = [];
  let response: http.IncomingMessage | undefined;
  const outgoing = http.get(url, { agent: false }, (incoming) => {
    response = incoming;
    incoming.on('data', (chunk) => parts.push(`${chunk}`)).on('error', () => undefined);
  });
  outgoing.on('error', () => undefined);
  return {
    parts,
    get started() {
      return response !== undefined;
    },
    get ended() {
      return response?.complete === true;
    },
    pause: () => response?.pause(),
    resume: () => response?.resume(),
    destroy: () => outgoing.destroy(),
  };
}
function open2(url: string): Reader {
  const parts: string[] = [];
  let started = false;
  const session = session2(url, { settings: { initialWindowSize: 65535 } });
  const stream = session.request({ ':path': '/' });
  stream
    .on('response', () => (started = true))
    .on('data', (chunk) => parts.push(`${chunk}`))
    .on('error', () => undefined);
  return {
    parts,
    get started() {
      return started;
    },
    get ended() {
      return stream.readableEnded && stream.rstCode === 0;
    },
    pause: () => stream.pause(),
    resume: () => stream.resume(),
    destroy: () => session.destroy(),
  };
}

const transports: readonly [string, () => Reader, boolean][] = [
  ['http/1.1', () => open1(plain.url), true],
  ['h2', () => open2(secure?.url ?? ''), certificates !== undefined],
];

describe.each(transports)('a stream over %s', (_, open, available) => {
  const test = it.skipIf(!available);
  const start = async () => {
    const stream = new FakeStream();
    answer = () => streaming(stream);
    const reader = open();
    await until(() => reader.started);
    return { stream, reader };
  };

  test('sends its headers at once, chunks as they are written, and ends cleanly', async () => {
    const { stream, reader } = await start();
    stream.push('a');
    await until(() => reader.parts.join('') === 'a');
    stream.push('b', 'c');
    stream.end();
    await until(() => reader.ended);
    expect(reader.parts.join('')).toBe('abc');
    expect(stream.closed).toBe(1);
    reader.destroy();
  });

  test('sends chunks of one turn together', async () => {
    const { stream, reader } = await start();
    const takes = stream.takes;
    for (let i = 0; i < 100; i++) {
      stream.push(`${i % 10}`);
      await Promise.resolve();
    }
    await until(() => reader.parts.join('').length === 100);
    // One read returns the chunks, and the next finds none.
    expect(stream.takes - takes).toBe(2);
    reader.destroy();
  });

  test('pauses while the client does not read', async () => {
    const { stream, reader } = await start();
    reader.pause();
    const chunk = 'x'.repeat(1 << 20);
    let pushed = 0;
    let idle = 0;
    // Fills the buffers of the client and the kernel until no more bytes are accepted.
    while (idle < 20 && pushed < 200) {
      const takes = stream.takes;
      stream.push(chunk);
      pushed++;
      await new Promise((resolve) => setTimeout(resolve, 5));
      idle = stream.takes === takes ? idle + 1 : 0;
    }
    expect(idle).toBe(20);
    reader.resume();
    const received = () => reader.parts.reduce((sum, { length }) => sum + length, 0);
    await until(() => received() === pushed * chunk.length);
    stream.end();
    await until(() => reader.ended);
    reader.destroy();
  });

  test('is closed when the client disconnects', async () => {
    const { stream, reader } = await start();
    reader.destroy();
    await until(() => stream.closed > 0);
    expect(stream.onReadable).toBeUndefined();
    stream.push('late');
    expect(stream.closed).toBe(1);
  });

  test('sends chunks written before it began', async () => {
    const stream = new FakeStream();
    stream.push('a', 'b');
    stream.end();
    answer = () => streaming(stream);
    const reader = open();
    await until(() => reader.ended);
    expect(reader.parts.join('')).toBe('ab');
    reader.destroy();
  });
});

it('writes chunks of one turn to the socket at once', async () => {
  const stream = new FakeStream();
  answer = () => streaming(stream);
  const reads: string[] = [];
  const socket = net.connect(plain.port, '127.0.0.1');
  socket.setEncoding('latin1').on('data', (data: string) => reads.push(data));
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => reads.length === 1);
  stream.push(...Array.from({ length: 50 }, () => 'event'));
  await until(() => reads.join('').split('event').length > 50);
  expect(reads.length).toBe(2);
  socket.destroy();
});

it('closes the streams of all requests on a connection when it closes, including queued ones', async () => {
  const streams: FakeStream[] = [];
  answer = () => {
    const stream = new FakeStream();
    streams.push(stream);
    return streaming(stream);
  };
  const socket = net.connect(plain.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3));
  await until(() => streams.length === 3);
  socket.destroy();
  await until(() => streams.every(({ closed }) => closed === 1));
});

it('closes the stream of a response that has no body or cannot be sent', async () => {
  const stream = new FakeStream();
  answer = () => streaming(stream);
  await exchange1(plain.url, { method: 'HEAD' });
  expect(stream.closed).toBe(1);
});
