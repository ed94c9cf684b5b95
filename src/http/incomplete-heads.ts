import { constants, type Http2Session, type ServerHttp2Stream } from 'node:http2';

/** The maximum size in bytes of a request's line and headers; a larger head is answered with 431. */
export const MAX_HEADER_BYTES = 1024 * 1024;
/** Milliseconds between two measurements of the incomplete heads. */
const INTERVAL = 100;

/** The number of bytes of memory that one byte of an HTTP/2 header block can take: with HPACK, a single byte can repeat a whole header. */
const HTTP2_EXPANSION = 80;
/** The maximum memory in bytes that one header block can take. It follows from the limits on the number and the size of headers. */
const HTTP2_MOST = 2 * MAX_HEADER_BYTES;
/**
 * The maximum number of bytes that are counted for an incomplete head during the first `HTTP2_PATIENCE` milliseconds after a ping was sent.
 * The count is low at first, because a client that has not answered may only be slow.
 */
const HTTP2_MOST_AT_FIRST = HTTP2_MOST / 8;
const HTTP2_PATIENCE = 3_000;
/**
 * The number of bytes after the last known complete header block that are not counted, because clients send small frames, such as window
 * updates, all the time.
 */
const HTTP2_SMALL = 512;

/** A connection that may hold an incomplete head. */
export interface HeadReader {
  /** Returns an estimate of the memory that the incomplete head takes, in bytes. */
  incompleteBytes(): number;
  /** Ends the connection. */
  refuse(): void;
}

/**
 * Limits the memory for incomplete TLS handshakes and request heads on all connections of a listener together. Above the limit, the
 * connections that use the most memory are closed until the total is at most half of the limit.
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
    if (this.#timer && !this.#mayExceedLimit()) this.stop();
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

/**
 * An HTTP/2 connection. Node does not report whether a header block has begun. Within a header block, however, a client may not send any
 * other frame, so a client that answers a ping is outside of one.
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
   * Returns whether the body of a request without a response is arriving. The body of an answered request does not count, because a client
   * could continue to send it for a long time.
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
