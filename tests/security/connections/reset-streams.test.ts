import { once } from 'node:events';
import http2 from 'node:http2';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { describe, expect, it } from 'vitest';
import { DATA, END_HEADERS, frame, HEADERS, PREFACE, RESET } from '../../../bench/support/http2-frames.mjs';
import { toNodeHandler } from '../../../src/http/index.js';
import { listen } from '../../../src/http/listener.js';
import type { RequestHandler } from '../../../src/http/request-handler.js';
import { until } from '../../http/exchange.js';
import { answering, FakeStream, streaming, text } from '../../http/stub-server.js';
import { collectGarbage } from '../../support/collect-garbage.js';

const END_OF_ALL = 5;
const NO_ERROR = Buffer.alloc(4);
const CANCEL = Buffer.from([0, 0, 0, 8]);
/** `GET / HTTP/2` of the authority `x`. */
const GET = Buffer.from([0x82, 0x87, 0x84, 0x41, 1, 'x'.charCodeAt(0)]);
const POST = Buffer.from([0x83, 0x87, 0x84, 0x41, 1, 'x'.charCodeAt(0)]);

/** Opens a connection to a listener. */
async function connectTo(port: number): Promise<net.Socket> {
  const to = { port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['h2'] };
  const socket = tls.connect(to).on('error', () => undefined);
  await once(socket, 'secureConnect');
  return socket.resume();
}

/** The two ways to serve HTTP/2: a listener, and a handler in a Node server. Each returns a connection and a function that ends both. */
const ways: readonly [string, (handler: RequestHandler) => Promise<[net.Socket, () => unknown]>][] = [
  [
    'a listener',
    async (handler) => {
      const listener = await listen(handler);
      return [await connectTo(listener.port), () => listener.close({ graceMilliseconds: 0 })];
    },
  ],
  [
    'a mounted handler',
    async (handler) => {
      const server = http2.createServer(toNodeHandler(handler)).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
      await once(socket, 'connect');
      return [socket.resume(), () => new Promise((resolve) => server.close(resolve))];
    },
  ],
];

describe.each(ways)('a request to %s that is reset before its body has arrived', (_, connect) => {
  const resets = [
    ['NO_ERROR', frame(RESET, 0, 1, NO_ERROR)],
    ['CANCEL', frame(RESET, 0, 1, CANCEL)],
    ['the end of its connection', undefined],
  ] as const;
  it.each(resets.flatMap(([how, reset]) => [true, false].map((isReading) => ({ how, reset, isReading }))))(
    'has no body: by $how, while it is read: $isReading',
    async ({ reset, isReading }) => {
      const results: unknown[] = [];
      let begun = false;
      let gone = false;
      const [socket, close] = await connect(
        answering(async ({ body, signal }) => {
          signal?.addEventListener('abort', () => (gone = true));
          begun = true;
          if (!isReading) await until(() => gone);
          results.push(await (body?.type === 'bytes' ? body.read(1000) : undefined)?.catch((error) => error.name));
          return text('here');
        }),
      );
      socket.write(
        Buffer.concat([PREFACE, frame(HEADERS, END_HEADERS, 1, POST), frame(DATA, 0, 1, Buffer.from('{}'))]),
      );
      await until(() => begun);
      if (reset === undefined) socket.destroy();
      else socket.write(reset);
      await until(() => results.length > 0);
      expect(results).toEqual(['CallerGoneError']);
      socket.destroy();
      await close();
    },
  );
});

it('resets the stream of a response that fails, so that it does not look complete', async () => {
  const stream = new FakeStream();
  const listener = await listen(
    answering(() => streaming(stream)),
    { onError: () => undefined },
  );
  const session = http2.connect(listener.url, { rejectUnauthorized: false });
  const request = session.request({ ':path': '/' }).on('error', () => undefined);
  await once(request, 'response');
  stream.take = () => {
    throw new Error('broken');
  };
  stream.onReadable?.();
  request.resume();
  await until(() => request.destroyed);
  expect(request.rstCode).toBe(http2.constants.NGHTTP2_INTERNAL_ERROR);
  session.destroy();
  await listener.close({ graceMilliseconds: 0 });
});

it('does not begin requests that are reset in the same turn', async () => {
  let begun = 0;
  const listener = await listen(
    answering(() => {
      begun++;
      return text('here');
    }),
  );
  const socket = await connectTo(listener.port);
  let received = '';
  socket.on('data', (chunk) => (received += String(chunk)));
  const frames: Buffer[] = [PREFACE];
  for (let stream = 1; stream < 100; stream += 2)
    frames.push(frame(HEADERS, END_OF_ALL, stream, GET), frame(RESET, 0, stream, CANCEL));
  frames.push(frame(HEADERS, END_OF_ALL, 101, GET));
  socket.write(Buffer.concat(frames));
  await until(() => received.includes('here'));
  expect(begun).toBe(1);
  socket.destroy();
  await listener.close({ graceMilliseconds: 0 });
});

it('keeps nothing of requests whose clients have left before the response', async () => {
  const streams: WeakRef<object>[] = [];
  const responses: (() => void)[] = [];
  const handler = toNodeHandler(
    answering(async () => {
      await new Promise<void>((resolve) => responses.push(resolve));
      return { ...text('x'.repeat(5000)), gzip: true };
    }),
  );
  const server = http2.createServer((incoming, outgoing) => {
    streams.push(new WeakRef(outgoing.stream));
    handler(incoming, outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(Buffer.concat([PREFACE, frame(HEADERS, END_OF_ALL, 1, GET), frame(HEADERS, END_HEADERS, 3, POST)]));
  await until(() => responses.length === 2);
  socket.destroy();
  await new Promise((resolve) => server.close(resolve));
  for (const respond of responses.splice(0)) respond();
  const kept = () => {
    collectGarbage();
    return streams.filter((stream) => stream.deref() !== undefined).length;
  };
  // This is shorter than the time for which the rest of a body is discarded.
  await expect.poll(kept, { timeout: 5000 }).toBe(0);
});
