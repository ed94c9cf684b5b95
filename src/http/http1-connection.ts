import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HeadReader } from './incomplete-heads.js';
import { plainAnswerBytes } from './plain-answer.js';
import { announcesBody } from './stream-request.js';

/** Methods that change nothing, so that requests with them may be handled at the same time. */
const SAFE: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** The number of requests of one connection that may wait for their turn before the server stops reading from the connection. */
const MOST_WAITING = 32;
/** The number of unanswered requests above which a connection that Node has paused stays paused. */
const MOST_AHEAD = 128;
/** Milliseconds that a client has to read its response and to stop sending, after the server has closed its side of the connection. */
const LINGER = 1_000;

/** Milliseconds that a recently active client has for its next request after the shutdown began. */
export const NEXT_REQUEST = 300;
/**
 * The number of steps that `NEXT_REQUEST` is split into. A pause of this process, during which it receives nothing, can shorten one step
 * but not all.
 */
const STEPS = 6;
/** Milliseconds since its last response within which a client counts as recently active. */
const LATELY = 2_000;

/** The response status for each error code of Node's parser; all other errors are answered with 400. */
const STATUS_OF_ERROR: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** A request for a protocol upgrade. */
export interface Upgrade {
  readonly incoming: IncomingMessage;
  /**
   * Stops reading ahead, pauses the connection, and returns the bytes that the client sent after the request. Must be called before the
   * connection is used for anything else.
   */
  takeBytes(): Uint8Array;
}

// The record is a property of the socket, because the values of a WeakMap would reference their keys. V8 collects such pairs late.
const RECORD = Symbol('HTTP/1.x connection');
interface RecordedSocket extends Socket {
  [RECORD]?: Http1Connection;
  /** Node's own record of whether it has paused the connection. */
  _paused?: boolean;
}

/** An HTTP/1.x connection with its requests that are not answered yet, in the order in which they arrived. */
export class Http1Connection implements HeadReader {
  /** Returns the record of a connection, which the first call creates. */
  static of(socket: Socket): Http1Connection {
    const recorded: RecordedSocket = socket;
    recorded[RECORD] ??= new Http1Connection(socket);
    return recorded[RECORD];
  }

  readonly socket: RecordedSocket;
  /** The client's address. It is read once, because the socket's property is a slow getter. */
  readonly remoteAddress: string | undefined;
  /** The upgrade request that may be answered with another protocol. It is the last request of its connection. */
  upgrade: Upgrade | undefined;
  /** Whether the connection has been handed over to another server, whose protocol it speaks. */
  isHandedOver = false;
  /** The response of a watch in progress, which does not end by itself. */
  watch: ServerResponse | undefined;
  /**
   * The listener that accepted the connection; undefined in the server of an embedding program. While it closes, the connection ends after
   * its last response.
   */
  listener: { readonly closing: boolean } | undefined;
  /**
   * The responses that have not ended, in the order of their requests. In the server of an embedding program, only those that had to wait
   * for an earlier response.
   */
  readonly #answers: ServerResponse[] = [];
  /** Whether a safe request that arrives next may begin at once. */
  #isShared = true;
  /** The number of requests that wait for their turn. */
  #waiting = 0;
  /** The time at which the last response ended, by `performance.now()`; -Infinity before the first. */
  #last = Number.NEGATIVE_INFINITY;
  /** Bytes that had been read when the last request was complete. */
  #complete = 0;
  /** The request whose body is arriving. */
  #arriving: IncomingMessage | undefined;
  #isBroken = false;
  #isEnding = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    this.remoteAddress = socket.remoteAddress;
    // Node emits 'close' only for the response that it is sending, in this turn. Afterwards the responses that wait behind it are closed, since
    // a waiting response and what it holds, such as a watch, would stay forever.
    socket.once('close', () =>
      process.nextTick(() => {
        for (const outgoing of [...this.#answers]) {
          outgoing.destroy();
          outgoing.emit('close');
        }
      }),
    );
  }

  /** Records that the head of a request is complete. The request counts as open until its response has ended. */
  add(outgoing: ServerResponse): void {
    const { req } = outgoing;
    if (this.socket._paused) this.#keepReading(req);
    if (this.listener === undefined && outgoing.socket !== null) return;
    this.#answers.push(outgoing);
    outgoing.on('close', Http1Connection.#endAnswer);
    this.#complete = this.socket.bytesRead;
    if (announcesBody(req)) {
      this.#arriving = req;
      req.on('end', Http1Connection.#endBody);
    }
  }

  /**
   * Records that the client has closed its side. It may still read the response to what it has sent, but not wait for it for long, because a
   * client that has disconnected looks the same. A watch ends at once.
   */
  endRequests(): void {
    if (this.upgrade !== undefined || this.isHandedOver) return;
    if (this.watch !== undefined) {
      this.socket.destroy();
      return;
    }
    const timer = setTimeout(() => this.socket.destroy(), LINGER);
    timer.unref();
    this.socket.once('close', () => clearTimeout(timer));
  }

  // The next two listeners are the same functions for all requests, because a closure for each request would cost more.

  /** Records that the body of a request has arrived. */
  static readonly #endBody = function (this: IncomingMessage): void {
    const connection = Http1Connection.of(this.socket);
    if (connection.#arriving !== this) return;
    connection.#arriving = undefined;
    connection.#complete = this.socket.bytesRead;
  };

  /** Records that a response has ended. */
  static readonly #endAnswer = function (this: ServerResponse): void {
    const connection = Http1Connection.of(this.req.socket);
    const index = connection.#answers.indexOf(this);
    if (index < 0) return;
    connection.#answers.splice(index, 1);
    if (connection.watch === this) connection.watch = undefined;
    connection.#last = performance.now();
    if (!connection.listener?.closing || connection.#answers.length > 0) return;
    // The head of this response was sent before the shutdown and announced that the connection stays open, so the client may send another
    // request.
    if (this.shouldKeepAlive) connection.#closeLater();
    else connection.end();
  };

  /**
   * Begins a request in its turn. Only safe requests are handled at the same time (RFC 9112, section 9.3.2). Any other request, and all
   * requests after it, wait for the responses to earlier requests, because those may affect its result or end the connection. A request
   * whose connection ends before its turn is not executed, because the client does not receive the response.
   * @param isRefused whether `begin` only sends an error. It is sent at once, and later requests wait for it.
   */
  inTurn(outgoing: ServerResponse, isRefused: boolean, begin: () => void): void {
    const { socket } = this;
    // A request that arrives after its connection was closed for writing cannot be answered, so it must not be executed.
    if (socket.writableEnded) {
      outgoing.req.resume();
      return;
    }
    // Node assigns the connection to a response when it has sent all responses before it, including those of an embedding program.
    const isFirst = outgoing.socket !== null;
    this.#isShared = !isRefused && SAFE.has(outgoing.req.method) && (isFirst || this.#isShared);
    if (isFirst || this.#isShared || isRefused) {
      begin();
      return;
    }
    if (++this.#waiting >= MOST_WAITING) socket.pause();
    const beginNow = () => {
      this.#waiting--;
      // Node resets `readableFlowing` to null for a protocol upgrade, whose handler reads the further bytes itself.
      if (this.#waiting === MOST_WAITING - 1 && socket.readableFlowing === false) socket.resume();
      begin();
    };
    // The event is emitted in the asynchronous context of the earlier request, which matters only in the server of an embedding program.
    outgoing.once('socket', this.listener === undefined ? AsyncResource.bind(beginNow) : beginNow);
  }

  /**
   * Calls `begin` when all requests are answered. Node does not delay an upgrade request as it delays others. `begin` is not called if a
   * response has ended the connection.
   */
  afterAnswers(begin: () => void): void {
    const { socket } = this;
    const proceed = () => {
      if (!socket.destroyed && !socket.writableEnded) begin();
    };
    const last = this.#answers.at(-1);
    if (last === undefined) {
      proceed();
      return;
    }
    // After it has emitted an upgrade request, Node does not report to responses that the connection can be written to again.
    const drained = () => this.#answers[0]?.emit('drain');
    socket.on('drain', drained);
    last.once('close', () => {
      socket.off('drain', drained);
      proceed();
    });
  }

  /**
   * Ends the connection without losing the bytes just written, by closing only its writable side first. If both sides were closed while the
   * client still sends, TCP would reset the connection, and the client would discard the response.
   */
  end(): void {
    const { socket } = this;
    if (socket.destroyed || this.#isEnding) return;
    this.#isEnding = true;
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LINGER);
    timer.unref();
    socket.once('close', () => clearTimeout(timer));
  }

  /**
   * Delays the closing of the connection after a response that ends it. Node would close the connection at once, and TCP would then reset
   * it if the client's bytes have not all been read.
   */
  lingerAfter({ shouldKeepAlive }: ServerResponse): void {
    if (!shouldKeepAlive) this.socket.destroySoon = () => this.end();
  }

  /** Sends an error to a client whose request has no response object, and ends the connection. */
  sendError(status: number): void {
    this.socket.write(plainAnswerBytes(status));
    this.end();
    this.socket.resume();
  }

  /**
   * Ends the connection because a request on it is malformed, too large, or arrives too slowly. As in upstream, earlier requests are
   * answered first. If the newest complete request is still unanswered, the connection ends after the response to it, and no error response
   * is sent. A response may count as unsent although the client has already received all of it.
   */
  break({ code = '' }: NodeJS.ErrnoException): void {
    const { socket } = this;
    // A further error must not cut off the last response.
    if (this.#isBroken) return;
    if (!socket.writable || code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    this.#isBroken = true;
    const last = this.#answers.at(-1);
    if (last?.req.complete) {
      if (!last.headersSent) last.shouldKeepAlive = false;
      this.lingerAfter(last);
      last.once('close', () => this.end());
      return;
    }
    const refuse = () => {
      // The response to a request whose own body is broken may never end, so the connection is destroyed at once.
      if (last?.headersSent) socket.destroy();
      else this.sendError(STATUS_OF_ERROR[code] ?? 400);
    };
    if (last === undefined || last.socket !== null) refuse();
    else last.once('socket', refuse);
  }

  /** Closes the connection if it is idle. */
  close(): void {
    if (this.#answers.length > 0) return;
    // A recently active client may be about to send a request, so its connection stays open a little longer. The response to that request
    // announces the end of the connection.
    if (performance.now() - this.#last < LATELY) this.#closeLater();
    else this.#closeIfIdle();
  }

  incompleteBytes(): number {
    return this.#arriving || this.upgrade ? 0 : this.socket.bytesRead - this.#complete;
  }

  refuse(): void {
    const { socket } = this;
    // The 431 is sent only when no other response is in progress, because the client would read it as part of that response.
    if (socket.writable && this.#answers.length === 0) socket.write(plainAnswerBytes(431));
    // Reading stops at once, so that the head does not grow while the client reads the 431.
    socket.destroySoon();
    socket.pause();
  }

  #closeLater(steps = STEPS): void {
    const next = () => (steps > 1 ? this.#closeLater(steps - 1) : this.#closeIfIdle());
    setTimeout(next, NEXT_REQUEST / STEPS).unref();
  }

  /**
   * Closes the connection if it has no open request and the next request has not begun to arrive. Otherwise the response to the newest
   * request closes the connection.
   */
  #closeIfIdle(): void {
    if (this.#answers.length === 0 && this.socket.bytesRead === this.#complete) this.end();
  }

  /**
   * Resumes a connection that Node has paused because the previous response is still in the socket's buffer. Node pauses its parser as
   * well, but TLS still delivers records that it has already received. The paused parser reports them as the error `HPE_PAUSED`, and this
   * error would end the connection. With too many unanswered requests the connection stays paused, because the client is not reading the
   * responses.
   */
  #keepReading(incoming: IncomingMessage): void {
    if (incoming.complete || this.#answers.length > MOST_AHEAD) return;
    this.socket._paused = false;
    this.socket.resume();
  }
}
