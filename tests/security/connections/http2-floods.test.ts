import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import {
  CONTINUATION,
  DATA,
  END_HEADERS,
  END_STREAM,
  frame,
  GOAWAY,
  HEADERS,
  headerBlock,
  hpackInteger,
  PING,
  PREFACE,
  PRIORITY,
  RESET,
  SETTINGS,
  WINDOW_UPDATE,
} from '../../../bench/support/http2-frames.mjs';
import { type ConnectionLimits, type Listener, listen } from '../../../src/http/index.js';
import type { RequestHandler } from '../../../src/http/request-handler.js';
import { exchange1, until } from '../../http/exchange.js';
import { serverEnds } from '../../http/server-ends.js';
import { answering, FakeStream, streaming, text } from '../../http/stub-server.js';
import { reachableMegabytes } from '../../support/collect-garbage.js';

/* Clients that send frames of HTTP/2 without end, or frames that are not allowed. */
const UNKNOWN = 99;
const CANCEL = Buffer.from([0, 0, 0, 8]);

const open: Listener[] = [];
const ends = serverEnds();
afterEach(async () => {
  for (const listener of open.splice(0)) await listener.close({ graceMilliseconds: 0 });
});
async function start(handler: RequestHandler, limits: ConnectionLimits = {}): Promise<Listener> {
  const listener = await listen(handler, { limits });
  open.push(listener);
  return listener;
}

/** Opens a session, and returns the server's end of its connection. */
async function connect({ port }: Listener) {
  const raw = net.connect({ port, host: '127.0.0.1' });
  const socket = tls.connect({ socket: raw, rejectUnauthorized: false, ALPNProtocols: ['h2'] });
  socket.on('error', () => undefined).resume();
  await once(socket, 'secureConnect');
  socket.write(PREFACE);
  await until(() => ends.of(raw) !== undefined);
  return { socket, end: ends.of(raw) };
}

const head = (method: string, path: string, more: readonly (readonly [string, string])[] = []) =>
  headerBlock([[':method', method], [':scheme', 'https'], [':path', path], [':authority', 'x'], ...more]);
const GET = head('GET', '/');
const POST = head('POST', '/');

it('keep no heads of requests whose answers did not wait for their bodies', async () => {
  let answered = 0;
  const listener = await start(
    answering(() => {
      answered++;
      return text('no', 403);
    }),
  );
  const { socket } = await connect(listener);
  const before = reachableMegabytes();
  // One header is added to the HPACK table, and then repeated by one byte each time.
  const added = Buffer.concat([Buffer.from([0x40, 1]), Buffer.from('x'), hpackInteger(64, 7), Buffer.alloc(64, 'y')]);
  const repeated = Buffer.alloc(9000, 0xbe);
  const STREAMS = 60;
  for (let i = 0; i < STREAMS; i++)
    socket.write(frame(HEADERS, END_HEADERS, 2 * i + 1, Buffer.concat([POST, added, repeated])));
  await until(() => answered === STREAMS);
  await expect.poll(() => reachableMegabytes() - before, { timeout: 8000 }).toBeLessThan(STREAMS / 4);
  socket.destroy();
});

it.each([
  ['a frame that must follow another', frame(CONTINUATION, END_HEADERS, 1)],
  ['a frame that is too long', frame(DATA, 0, 1, Buffer.alloc(20_000))],
  ['data of a stream that has ended', frame(DATA, 0, 1, Buffer.from('x'))],
  ['headers that cannot be decoded', frame(HEADERS, END_HEADERS, 3, Buffer.from([0xfe]))],
  ['a ping of another length', frame(PING, 0, 0, Buffer.alloc(7))],
])('lose their connection and their watches after %s', async (_, wrong) => {
  const stream = new FakeStream();
  const listener = await start(
    answering(() => streaming(stream)),
    { watchStallTimeout: 500, answerTimeout: 500 },
  );
  const { socket, end } = await connect(listener);
  socket.write(frame(HEADERS, END_HEADERS | END_STREAM, 1, GET));
  await until(() => stream.onReadable !== undefined);
  socket.write(wrong);
  await until(() => stream.closed === 1 && end?.destroyed === true);
});

// Node 22 would abort the process without this check.
it('end their session before the requests that follow', async () => {
  const listener = await start(answering(() => text('here')));
  const { socket, end } = await connect(listener);
  const internalError = Buffer.from([0, 0, 0, 0, 0, 0, 0, 2]);
  const post = [frame(HEADERS, END_HEADERS, 1, POST), frame(DATA, 0, 1, Buffer.from('x'))];
  socket.write(Buffer.concat([frame(GOAWAY, 0, 0, internalError), ...post]));
  await until(() => end?.destroyed === true);
  expect((await exchange1(listener.url)).body).toBe('here');
});

// Node 20 would corrupt its memory without this check.
it('close their session after the requests that follow', async () => {
  const listener = await start(answering(() => text('here')));
  const { socket, end } = await connect(listener);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  const noError = Buffer.alloc(8);
  const get = frame(HEADERS, END_HEADERS | END_STREAM, 1, GET);
  socket.write(Buffer.concat([frame(GOAWAY, 0, 0, noError), get]));
  await until(() => end?.destroyed === true);
  expect(received).toContain('here');
});

/** Returns the frame that is sent repeatedly, by the number of the round. */
const floods: Readonly<Record<string, (round: number) => Buffer[]>> = {
  'requests that are reset': (round) => [
    frame(HEADERS, END_HEADERS | END_STREAM, 2 * round + 1, GET),
    frame(RESET, 0, 2 * round + 1, CANCEL),
  ],
  'requests that the server must reset': (round) => [
    frame(HEADERS, END_HEADERS, 2 * round + 1, head('POST', '/', [['content-length', '1']])),
    frame(DATA, 0, 2 * round + 1, Buffer.from('12')),
  ],
  'requests without a method': (round) => [
    frame(HEADERS, END_HEADERS | END_STREAM, 2 * round + 1, headerBlock([[':path', '/']])),
  ],
  'requests that never end': (round) => [frame(HEADERS, END_HEADERS, 2 * round + 1, POST)],
  pings: () => [frame(PING, 0, 0, Buffer.alloc(8))],
  settings: () => [frame(SETTINGS, 0, 0)],
  'empty data': (round) => [...(round === 0 ? [frame(HEADERS, END_HEADERS, 1, POST)] : []), frame(DATA, 0, 1)],
  'header blocks that go on': (round) => [
    round === 0 ? frame(HEADERS, END_STREAM, 1, GET) : frame(CONTINUATION, 0, 1, headerBlock([[`x-${round}`, 'y']])),
  ],
  priorities: (round) => [frame(PRIORITY, 0, 2 * round + 1, Buffer.from([0, 0, 0, 0, 5]))],
  'window updates': () => [frame(WINDOW_UPDATE, 0, 0, Buffer.from([0, 0, 0, 1]))],
  'unknown frames': () => [frame(UNKNOWN, 0, 0, Buffer.alloc(10))],
};
const ROUNDS = 20_000;

describe.each(Object.entries(floods))('a flood of %s', (_, send) => {
  it.each([true, false])(
    'costs others nothing, and does not hold up a shutdown: its client reads: %s',
    async (reads) => {
      const listener = await start(answering(() => text('here')));
      const before = reachableMegabytes();
      const { socket } = await connect(listener);
      if (!reads) socket.pause();
      for (let round = 0; round < ROUNDS && socket.writable; ) {
        const frames: Buffer[] = [];
        for (let i = 0; i < 500; i++) frames.push(...send(round++));
        socket.write(Buffer.concat(frames));
        await new Promise(setImmediate);
      }
      expect((await exchange1(listener.url)).body).toBe('here');
      // Bytes that the client has not sent yet are counted as well.
      expect(reachableMegabytes() - before).toBeLessThan(20);
      const closed = listener.close({ graceMilliseconds: 500 });
      await closed;
      socket.destroy();
    },
  );
});
