import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, type Http2Session, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { plainAnswerBytes } from './plain-answer.js';

/** The most bytes of a request's line and headers; more is answered with 431. */
export const MAX_HEADER_BYTES = 1024 * 1024;
/** Milliseconds between two checks. */
const INTERVAL = 100;

/** The memory that one byte of an HTTP/2 header block may take, because a single byte can repeat a whole header. */
const HTTP2_EXPANSION = 80;
/** The most memory that a header block takes, because the number and the size of its headers are limited. */
const HTTP2_MOST = 2 * MAX_HEADER_BYTES;
/**
 * The most bytes of memory that are counted for a head until a ping has been unanswered for the milliseconds below, because the client may
 * only be slow.
 */
const HTTP2_MOST_AT_FIRST = HTTP2_MOST / 8;
const HTTP2_PATIENCE = 3_000;
/** The number of bytes that is ignored, because clients send small frames, such as window updates, all the time. */
const HTTP2_SMALL = 512;

/** A connection that may hold an incomplete head. */
export interface HeadReader {
  /** Returns about how many bytes of memory the incomplete head takes. */
  incompleteBytes(): number;
  /** Ends the connection. */
  refuse(): void;
}

/**
 * Limits the memory that all connections of a listener together take before they have a request: incomplete TLS handshakes and heads. Above
 * the limit, those that take most are refused until half of it is free.
 */
export class IncompleteHeads {
  readonly #readers = new Set<HeadReader>();
  readonly #maxBytes: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(reader: HeadReader): void {
    this.#readers.add(reader);
    if (this.#mayExceedLimit()) this.#timer ??= setInterval(() => this.#check(), INTERVAL).unref();
  }

  delete(reader: HeadReader): void {
    this.#readers.delete(reader);
    if (!this.#mayExceedLimit()) this.stop();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #mayExceedLimit(): boolean {
    return this.#readers.size * HTTP2_MOST > this.#maxBytes;
  }

  #check(): void {
    const heads: { reader: HeadReader; bytes: number }[] = [];
    let total = 0;
    for (const reader of this.#readers) {
      const bytes = reader.incompleteBytes();
      if (bytes === 0) continue;
      heads.push({ reader, bytes });
      total += bytes;
    }
    if (total <= this.#maxBytes) return;
    for (const { reader, bytes } of heads.sort((a, b) => b.bytes - a.bytes)) {
      reader.refuse();
      total -= bytes;
      if (total <= this.#maxBytes / 2) return;
    }
  }
}

/** A connection whose handshake is not complete. */
export class Handshake implements HeadReader {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  incompleteBytes(): number {
    return this.#socket.bytesRead;
  }

  refuse(): void {
    this.#socket.destroy();
  }
}

/** A connection of HTTP/1.x with its requests in progress. */
export class Http1Connection implements HeadReader {
  readonly #socket: Socket;
  /** The number of requests that are not answered yet. */
  requests = 0;
  /** The answer to the newest of these requests; undefined if there is none. */
  lastAnswer: ServerResponse | undefined;
  /** When the last answer ended, by `performance.now()`; -Infinity before the first. */
  last = Number.NEGATIVE_INFINITY;
  /** Bytes that had been read when the last request was complete. */
  #complete = 0;
  /** The request whose body is arriving. */
  #arriving: IncomingMessage | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Records that the head of a request is complete. */
  begin(incoming: IncomingMessage, outgoing: ServerResponse): void {
    this.requests++;
    this.lastAnswer = outgoing;
    this.#complete = this.#socket.bytesRead;
    if (!hasBody(incoming.rawHeaders)) return;
    this.#arriving = incoming;
    incoming.once('end', () => {
      if (this.#arriving !== incoming) return;
      this.#arriving = undefined;
      this.#complete = this.#socket.bytesRead;
    });
  }

  /** Records that a request was answered. */
  end(): void {
    if (--this.requests === 0) this.lastAnswer = undefined;
    this.last = performance.now();
  }

  /** Whether no bytes have arrived since the last request. */
  get isSilent(): boolean {
    return this.#socket.bytesRead === this.#complete;
  }

  incompleteBytes(): number {
    return this.#arriving ? 0 : this.#socket.bytesRead - this.#complete;
  }

  refuse(): void {
    const socket = this.#socket;
    // A 431 in the middle of another answer would be read as part of it.
    if (socket.writable && this.requests === 0) socket.write(plainAnswerBytes(431));
    // Reading stops at once: while the client reads the answer, the head must not grow further.
    socket.destroySoon();
    socket.pause();
  }
}

/** Returns whether headers announce a body. Lengths of names are compared first, because that rules out most names cheaply. */
function hasBody(rawHeaders: readonly string[]): boolean {
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === 14 && name.toLowerCase() === 'content-length') return Number(rawHeaders[i + 1]) > 0;
    if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') return true;
  }
  return false;
}

/**
 * A connection of HTTP/2. Node does not report whether a header block has begun. But within one a client may send no other frame, so a
 * client that answers a ping is not within one.
 */
export class Http2Connection implements HeadReader {
  readonly #session: Http2Session;
  /** Bytes that had been read when the connection was last known to be outside a header block. */
  #complete = 0;
  /** When the unanswered ping was sent, by `performance.now()`; undefined if there is none. */
  #pinged: number | undefined;
  /** Requests whose bodies are arriving. */
  readonly #arriving = new Set<ServerHttp2Stream>();

  constructor(session: Http2Session) {
    this.#session = session;
    session.on('stream', (stream: ServerHttp2Stream) => {
      this.#complete = this.#read();
      if (stream.endAfterHeaders) return;
      this.#arriving.add(stream);
      const end = () => this.#arriving.delete(stream);
      stream.once('end', end).once('close', end);
    });
  }

  incompleteBytes(): number {
    const bytes = this.#read() - this.#complete;
    if (bytes <= HTTP2_SMALL || this.#isUploading()) return 0;
    if (this.#pinged === undefined) {
      this.#ping();
      return 0;
    }
    const isPingOverdue = performance.now() - this.#pinged > HTTP2_PATIENCE;
    return Math.min(bytes * HTTP2_EXPANSION, isPingOverdue ? HTTP2_MOST : HTTP2_MOST_AT_FIRST);
  }

  refuse(): void {
    if (this.#session.destroyed) return;
    this.#session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    this.#session.destroy();
  }

  #read(): number {
    return this.#session.destroyed ? 0 : this.#session.socket.bytesRead;
  }

  /**
   * Returns whether a body is arriving. Bodies of requests that are answered already do not count, because a client could go on sending one
   * for long.
   */
  #isUploading(): boolean {
    for (const stream of this.#arriving) if (!stream.headersSent) return true;
    return false;
  }

  #ping(): void {
    if (this.#session.destroyed) return;
    const isSent = this.#session.ping((error) => {
      this.#pinged = undefined;
      if (!error) this.#complete = this.#read();
    });
    if (isSent) this.#pinged = performance.now();
  }
}
