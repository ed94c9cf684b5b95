import tls from 'node:tls';
import {
  CONTINUATION,
  DATA,
  END_HEADERS,
  END_STREAM,
  frame,
  GOAWAY,
  HEADERS,
  headerBlock,
  MAGIC,
  PING,
  PRIORITY,
  RESET,
  SETTINGS,
  WINDOW_UPDATE,
} from '../support/http2-frames.mjs';
import { isFault } from './meant-500s.mjs';
import { sendInPieces } from './send.mjs';

/** The milliseconds after which a session counts as hanging. */
const PATIENCE = 20_000;

const UNKNOWN = 200;
const PADDED = 8;
const WITH_PRIORITY = 32;
const INITIAL_WINDOW_SIZE = 4;
const MAX_FRAME_BYTES = 9 + 16_384;

const MAPS = '/api/v1/namespaces/default/configmaps';
/** The namespace in which no object may be created, because all requests for it have incomplete bodies. */
export const NEVER_CREATED = '/api/v1/namespaces/kube-public/secrets';
const PATHS = ['/version', '/api', '/nowhere', '/openapi/v2', `${MAPS}?limit=3`, `${MAPS}?watch=1&timeoutSeconds=1`];
const CREDENTIALS = [['authorization', 'Bearer admin'], ['authorization', 'Bearer bob'], undefined];
/** Error codes of resets, except those after which the server ends a session (INTERNAL_ERROR and ENHANCE_YOUR_CALM). */
const RESETS = [0, 1, 3, 5, 7, 8, 13, 1000];
/** Headers that a request must not have, or that the server does not know. */
const ODD = [
  [':method', 'GET'],
  [':status', '200'],
  [':protocol', 'websocket'],
  [':path', 'no-slash'],
  [':authority', 'a b'],
  ['connection', 'close'],
  ['transfer-encoding', 'chunked'],
  ['te', 'gzip'],
  ['content-length', '7'],
  ['expect', '100-continue'],
  ['X-Upper', 'a'],
  ['x-control', 'a\0b'],
  ['x space', 'a'],
  ['x-spaces', ' a '],
  ['', 'a'],
  ['x-long', 'x'.repeat(20_000)],
];

const number = (value) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const setting = (id, value) => Buffer.concat([Buffer.from([0, id]), number(value)]);
const noise = (random, most) => Buffer.from(Array.from({ length: random.below(most) }, () => random.below(256)));

/** The frames of one session, drawn one action at a time. */
class Frames {
  /** Streams that the server must answer. */
  answered = new Set();
  /** Streams with incomplete bodies. */
  #unfinished = new Set();
  #random;
  #next = 1;

  constructor(random) {
    this.#random = random;
  }

  /** Frames that every server must accept. */
  valid() {
    const random = this.#random;
    return random.pick([
      () => this.#get(),
      () => this.#get(),
      () => this.#post(),
      () => this.#unfinishedPost(),
      () => this.#reset(),
      () => [frame(PING, 0, 0, Buffer.alloc(8))],
      () => [frame(SETTINGS, 0, 0, setting(1, random.below(8192)))],
      () => [frame(WINDOW_UPDATE, 0, 0, number(1 + random.below(1000)))],
      () => [frame(PRIORITY, 0, this.#next + 100, Buffer.from([0, 0, 0, 0, random.below(256)]))],
      () => [frame(UNKNOWN, random.below(256), random.below(4), noise(random, 100))],
    ])();
  }

  /** Frames that are forbidden, or end the session. */
  wrong() {
    const random = this.#random;
    return random.pick([
      () => [this.#anyFrame()],
      () => [this.#anyFrame()],
      () => this.#open(this.#block('GET', random.pick(PATHS), [random.pick(ODD)]), true),
      () => this.#open(noise(random, 60), random.often(0.5)),
      // Newer versions of Node end the session if a request has more data than announced.
      () => this.#unfinishedPost(-1),
      () =>
        this.#open(
          headerBlock([
            [':method', 'CONNECT'],
            [':authority', 'a:1'],
          ]),
          random.often(0.5),
        ),
      () => [frame(GOAWAY, 0, 0, Buffer.concat([number(0), number(random.pick([0, 0, 2]))]))],
      () => [frame(SETTINGS, 0, 0, setting(random.below(9), random.below(2 ** 32)))],
      () => [noise(random, 40)],
    ])();
  }

  #block(method, path, more = []) {
    const credentials = this.#random.pick(CREDENTIALS);
    const names = [
      [':method', method],
      [':scheme', 'https'],
      [':path', path],
      [':authority', 'a'],
    ];
    return headerBlock([...names, ...(credentials ? [credentials] : []), ...more]);
  }

  /** Opens a stream with one or more frames, with or without padding and a priority. */
  #open(block, ends, stream = this.#take()) {
    const random = this.#random;
    let flags = ends ? END_STREAM : 0;
    const pieces = [];
    while (block.length > 0 && random.often(0.2) && pieces.length < 4) {
      const at = random.below(block.length);
      pieces.push(block.subarray(0, at));
      block = block.subarray(at);
    }
    pieces.push(block);
    const padding = random.often(0.2) ? random.below(50) : undefined;
    const priority = random.often(0.2) ? Buffer.from([0, 0, 0, 0, 9]) : Buffer.alloc(0);
    if (padding !== undefined) flags |= PADDED;
    if (priority.length > 0) flags |= WITH_PRIORITY;
    const first = Buffer.concat([
      Buffer.from(padding === undefined ? [] : [padding]),
      priority,
      pieces[0],
      Buffer.alloc(padding ?? 0),
    ]);
    return pieces.map((piece, index) => {
      const last = index === pieces.length - 1 ? END_HEADERS : 0;
      return index === 0 ? frame(HEADERS, flags | last, stream, first) : frame(CONTINUATION, last, stream, piece);
    });
  }

  #take() {
    const stream = this.#next;
    this.#next += 2;
    return stream;
  }

  #get() {
    const stream = this.#take();
    this.answered.add(stream);
    const method = this.#random.pick(['GET', 'GET', 'GET', 'HEAD', 'OPTIONS']);
    return this.#open(this.#block(method, this.#random.pick(PATHS)), true, stream);
  }

  /** A complete request to create an object, with or without trailers. */
  #post() {
    const random = this.#random;
    const stream = this.#take();
    this.answered.add(stream);
    const body = Buffer.from(JSON.stringify({ metadata: { generateName: 'c-' } }));
    const length = random.often(0.5) ? [['content-length', String(body.length)]] : [];
    const block = this.#block('POST', `${MAPS}?dryRun=All`, [['content-type', 'application/json'], ...length]);
    const trailers = random.often(0.3);
    return [
      ...this.#open(block, false, stream),
      ...this.#data(body, stream, !trailers),
      ...(trailers ? this.#open(headerBlock([['x-trailer', 'a']]), true, stream) : []),
    ];
  }

  /** A request to create an object whose body is never complete: it does not end, or has another length than announced. */
  #unfinishedPost(surplus = this.#random.pick([1, 1000])) {
    const random = this.#random;
    const stream = this.#take();
    this.#unfinished.add(stream);
    const body = Buffer.from(JSON.stringify({ metadata: { generateName: 'never-' } }));
    const lies = random.often(0.5);
    const announced = String(body.length + surplus);
    const block = this.#block('POST', NEVER_CREATED, [
      ['content-type', 'application/json'],
      ...(lies ? [['content-length', announced]] : []),
    ]);
    return [
      ...this.#open(block, false, stream),
      ...this.#data(body, stream, lies && random.often(0.5)),
      ...(random.often(0.3) ? [frame(RESET, 0, stream, number(random.pick(RESETS)))] : []),
    ];
  }

  #data(body, stream, ends) {
    const random = this.#random;
    const frames = [];
    for (let at = 0; at < body.length; ) {
      const size = random.often(0.5) ? body.length - at : random.below(20);
      const piece = body.subarray(at, at + size);
      at += size;
      const flags = at >= body.length && ends ? END_STREAM : 0;
      const padding = random.below(20);
      const padded = Buffer.concat([Buffer.from([padding]), piece, Buffer.alloc(padding)]);
      frames.push(random.often(0.2) ? frame(DATA, flags | PADDED, stream, padded) : frame(DATA, flags, stream, piece));
    }
    return frames;
  }

  #reset() {
    const open = [...this.answered];
    if (open.length === 0) return [];
    const stream = this.#random.pick(open);
    this.answered.delete(stream);
    return [frame(RESET, 0, stream, number(this.#random.pick(RESETS)))];
  }

  /** A frame of any kind that does not complete an incomplete body. */
  #anyFrame() {
    const random = this.#random;
    const stream = random.below(this.#next + 2);
    return frame(random.below(12), random.below(256), this.#unfinished.has(stream) ? 0 : stream, noise(random, 60));
  }
}

/**
 * Opens an HTTP/2 session, sends frames in pieces of random size without waiting for responses, and leaves at a random moment or after all
 * responses.
 * @returns the bytes that were sent, in hex, and the problem, if the server did not answer what it had to or got stuck
 */
export function randomSession({ port, ca }, random) {
  const isValid = random.often(0.5);
  const leaves = random.often(0.3);
  const isBlocked = random.often(0.3);
  const frames = new Frames(random);
  const drawn = Array.from({ length: 1 + random.below(12) }, () =>
    isValid || random.often(0.7) ? frames.valid() : frames.wrong(),
  );
  // A window of zero delays responses until the last SETTINGS frame.
  const first = frame(SETTINGS, 0, 0, setting(INITIAL_WINDOW_SIZE, isBlocked ? 0 : 65_535));
  const last = [
    frame(SETTINGS, 0, 0, setting(INITIAL_WINDOW_SIZE, 2 ** 24)),
    frame(WINDOW_UPDATE, 0, 0, number(2 ** 30)),
  ];
  // Forbidden bytes complete a frame with a wrong length.
  const rest = isValid ? [] : [Buffer.alloc(MAX_FRAME_BYTES)];
  const ping = frame(PING, 0, 0, Buffer.from('the last'));
  const bytes = Buffer.concat([MAGIC, first, ...drawn.flat(), ...last, ping, ...rest]);
  return new Promise((resolve) => {
    const socket = tls.connect({ host: '127.0.0.1', port, ca, ALPNProtocols: ['h2'] });
    const received = new Received();
    const end = (problem) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ problem: problem ?? received.fault, text: bytes.toString('hex') });
    };
    const missing = () => [...frames.answered].filter((stream) => !received.ended.has(stream));
    const timer = setTimeout(() => end(`stuck: no end of the streams ${missing()}`), PATIENCE);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received.add(chunk);
      // After a forbidden frame, the server may end the session or continue.
      if (received.goaway !== undefined) end(isValid ? `the session was ended with ${received.goaway}` : undefined);
      else if (received.pinged && (!isValid || missing().length === 0)) end();
    });
    socket.on('close', () => end(isValid && !leaves ? 'the connection was closed' : undefined));
    socket.once('secureConnect', () => sendInPieces(socket, bytes, { leaves, most: 200, random }));
  });
}

/** Parses the frames that the server sends. */
class Received {
  /** Streams that the server has ended or reset. */
  ended = new Set();
  pinged = false;
  /** The error code of GOAWAY; undefined if there was none. */
  goaway;
  fault;
  #rest = Buffer.alloc(0);

  add(chunk) {
    let bytes = Buffer.concat([this.#rest, chunk]);
    while (bytes.length >= 9) {
      const length = 9 + bytes.readUIntBE(0, 3);
      if (bytes.length < length) break;
      this.#take(bytes[3], bytes[4], bytes.readUInt32BE(5), bytes.subarray(9, length));
      bytes = bytes.subarray(length);
    }
    this.#rest = bytes;
  }

  #take(type, flags, stream, payload) {
    if ((type === DATA || type === HEADERS) && flags & END_STREAM) this.ended.add(stream);
    if (type === RESET) this.ended.add(stream);
    if (type === PING && payload.toString() === 'the last') this.pinged = true;
    if (type === GOAWAY) this.goaway = payload.readUInt32BE(4);
    if (type === DATA && isFault(payload.toString('utf8', 0, 4000)))
      this.fault = `a fault: ${payload.toString('utf8', 0, 300)}`;
  }
}
