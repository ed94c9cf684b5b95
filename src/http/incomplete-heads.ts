import { constants, type Http2Session, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { NodeIncoming } from './bodies/request-body.js';
import { plainAnswerBytes } from './plain-answer.js';

/** Bytes of a request's line and headers; more is answered with 431. */
export const MAX_HEADER_BYTES = 1024 * 1024;
/** Milliseconds between two checks. */
const INTERVAL = 100;

/** Memory that one byte of an HTTP/2 header block may take: in one byte a client can repeat a whole header. */
const HTTP2_EXPANSION = 80;
/** Memory that a header block takes at most, since the number and the size of its headers are bounded. */
const HTTP2_MOST = 2 * MAX_HEADER_BYTES;
/** What is counted at most while a ping has been unanswered for no longer than these milliseconds: the client may only be slow. */
const HTTP2_MOST_AT_FIRST = HTTP2_MOST / 8;
const HTTP2_PATIENCE = 3_000;
/** So few bytes are ignored, since clients send small frames, such as window updates, all the time. */
const HTTP2_SMALL = 512;

/** A connection that may hold the beginning of a head. */
export interface HeadReader {
  /** About how many bytes of memory a head that is not complete takes now. */
  incompleteBytes(): number;
  /** Ends the connection. */
  refuse(): void;
}

/**
 * Bounds what all connections of a listener together keep before there is a request: handshakes of TLS and heads that are not
 * complete. Beyond the bound those that take most are refused until half of it is free.
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
    if (this.#couldExceed()) this.#timer ??= setInterval(() => this.#check(), INTERVAL).unref();
  }

  delete(reader: HeadReader): void {
    this.#readers.delete(reader);
    if (!this.#couldExceed()) this.stop();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #couldExceed(): boolean {
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

/** A connection before its handshake is complete. */
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

/** A connection of HTTP/1.x, and the requests it is busy with. */
export class Http1Connection implements HeadReader {
  readonly #socket: Socket;
  /** Requests that are not answered. */
  requests = 0;
  /** When the last one ended, by `performance.now()`. */
  last = Number.NEGATIVE_INFINITY;
  /** Bytes that had been read when the last request was complete. */
  #complete = 0;
  /** The request whose body is arriving. */
  #arriving: NodeIncoming | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** The head of a request is complete. */
  begin(incoming: NodeIncoming): void {
    this.requests++;
    this.#complete = this.#socket.bytesRead;
    if (!hasBody(incoming.rawHeaders)) return;
    this.#arriving = incoming;
    incoming.once('end', () => {
      if (this.#arriving !== incoming) return;
      this.#arriving = undefined;
      this.#complete = this.#socket.bytesRead;
    });
  }

  /** A request was answered. */
  end(): void {
    this.requests--;
    this.last = performance.now();
  }

  /** Whether nothing has come since the last request. */
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

/** Whether headers announce a body. Lengths of names are compared first, as most names differ in them. */
function hasBody(rawHeaders: readonly string[]): boolean {
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === 14 && name.toLowerCase() === 'content-length') return Number(rawHeaders[i + 1]) > 0;
    if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') return true;
  }
  return false;
}

/**
 * A connection of HTTP/2. Node does not tell whether a header block has begun. But in the middle of one a client may send nothing else,
 * so a client that answers a ping is not in one.
 */
export class Http2Connection implements HeadReader {
  readonly #session: Http2Session;
  /** Bytes that had been read when it was last known that no header block had begun. */
  #complete = 0;
  /** When a ping was sent that is not answered, by `performance.now()`. */
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
    const isLate = performance.now() - this.#pinged > HTTP2_PATIENCE;
    return Math.min(bytes * HTTP2_EXPANSION, isLate ? HTTP2_MOST : HTTP2_MOST_AT_FIRST);
  }

  refuse(): void {
    if (this.#session.destroyed) return;
    this.#session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    this.#session.destroy();
  }

  #read(): number {
    return this.#session.destroyed ? 0 : this.#session.socket.bytesRead;
  }

  /** Bodies of requests that were answered already do not count, as any client could go on sending one for long. */
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
