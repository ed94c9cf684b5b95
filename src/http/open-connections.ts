import type { ServerResponse } from 'node:http';
import type { Http2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { halfClose } from './end-connection.js';
import { Handshake, Http1Connection, Http2Connection, IncompleteHeads } from './incomplete-heads.js';
import type { Http1Handler, ProtocolHandler } from './node-handler.js';

/** Milliseconds that a recently active client has for its next request after the shutdown began. */
const NEXT_REQUEST = 300;
/**
 * The number of steps that `NEXT_REQUEST` is split into. A pause of this process, during which it receives nothing, can shorten one step
 * but not all.
 */
const STEPS = 6;
/** Milliseconds since its last request within which a client counts as recently active. */
const LATELY = 2_000;
/**
 * The highest possible stream number. A GOAWAY with it announces the end of a session, but requests that are already on their way are still
 * accepted.
 */
const LAST_STREAM = 2 ** 31 - 1;

/**
 * The open connections of a listener and the number of open requests on each, for a graceful shutdown. An HTTP/2 connection is represented
 * by its session, which closes itself after its last request.
 */
export class OpenConnections {
  readonly #sockets = new Map<Socket, Http1Connection>();
  readonly #sessions = new Set<Http2Session>();
  readonly #raw = new Set<Socket>();
  readonly #handshakes = new Map<string, Handshake>();
  readonly #heads: IncompleteHeads;
  #closing = false;
  #onEmpty: (() => void) | undefined;

  /** @param maxHeadBytes the maximum memory in bytes for incomplete handshakes and heads, on all connections together */
  constructor(maxHeadBytes: number) {
    this.#heads = new IncompleteHeads(maxHeadBytes);
  }

  /** Counts a connection before its handshake, which may never complete. */
  addRaw(socket: Socket): void {
    this.#raw.add(socket);
    const peer = peerOf(socket);
    const handshake = new Handshake(socket);
    this.#handshakes.set(peer, handshake);
    this.#heads.add(handshake);
    socket.once('close', () => {
      this.#raw.delete(socket);
      this.#heads.delete(handshake);
      if (this.#handshakes.get(peer) === handshake) this.#handshakes.delete(peer);
    });
  }

  /** Records that the handshake of a connection is complete. */
  endHandshake(secure: Socket): void {
    const peer = peerOf(secure);
    const handshake = this.#handshakes.get(peer);
    if (!handshake) return;
    this.#handshakes.delete(peer);
    this.#heads.delete(handshake);
  }

  /** Counts an HTTP/1.x connection until it closes. */
  addSocket(socket: Socket): void {
    if (this.#sockets.has(socket)) return;
    const connection = new Http1Connection(socket);
    this.#sockets.set(socket, connection);
    this.#heads.add(connection);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#heads.delete(connection);
      this.#checkEmpty();
    });
  }

  /** Counts an HTTP/2 connection until it closes. */
  addSession(session: Http2Session): void {
    const connection = new Http2Connection(session);
    this.#sessions.add(session);
    this.#heads.add(connection);
    session.once('close', () => {
      this.#sessions.delete(session);
      this.#heads.delete(connection);
      this.#checkEmpty();
    });
  }

  /** Wraps a handler so that its HTTP/1.x requests are counted. HTTP/2 sessions count their own requests. */
  counting(handler: ProtocolHandler): Http1Handler {
    return (incoming, outgoing) => {
      const { socket } = incoming;
      const connection = this.#sockets.get(socket);
      if (connection !== undefined) {
        connection.begin(incoming, outgoing);
        outgoing.once('close', () => this.#release(socket, connection, outgoing));
      }
      handler(incoming, outgoing);
    };
  }

  /** Returns the response to the newest request of an HTTP/1.x connection; undefined if it has been sent. */
  lastAnswer(socket: Socket): ServerResponse | undefined {
    return this.#sockets.get(socket)?.lastAnswer;
  }

  /** Closes idle connections at once, and all others when they become idle; resolves when no connection is left. */
  closeIdle(): Promise<void> {
    this.#closing = true;
    const now = performance.now();
    for (const [socket, connection] of this.#sockets) {
      if (connection.requests > 0) continue;
      // A recently active client may be about to send a request, so its connection stays open a little longer. The response to that request
      // announces the end of the connection.
      if (now - connection.last < LATELY) this.#closeLater(socket, connection);
      else this.#closeIfIdle(socket, connection);
    }
    for (const session of this.#sessions) closeGracefully(session);
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
      this.#checkEmpty();
    });
  }

  /** Destroys all connections at once. */
  destroyAll(): void {
    this.#heads.stop();
    for (const socket of this.#sockets.keys()) socket.destroy();
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#raw) socket.destroy();
  }

  #release(socket: Socket, connection: Http1Connection, outgoing: ServerResponse): void {
    connection.end();
    if (!this.#closing || connection.requests > 0) return;
    // The head of this response was sent before the shutdown and announced that the connection stays open, so the client may send another
    // request.
    if (outgoing.shouldKeepAlive) this.#closeLater(socket, connection);
    else halfClose(socket);
  }

  #closeLater(socket: Socket, connection: Http1Connection, steps = STEPS): void {
    const next = () =>
      steps > 1 ? this.#closeLater(socket, connection, steps - 1) : this.#closeIfIdle(socket, connection);
    setTimeout(next, NEXT_REQUEST / STEPS).unref();
  }

  /**
   * Closes an HTTP/1.x connection if it has no open request and the next request has not begun to arrive. Otherwise the response to the
   * newest request closes the connection.
   */
  #closeIfIdle(socket: Socket, connection: Http1Connection): void {
    if (connection.requests === 0 && connection.isSilent) halfClose(socket);
  }

  #checkEmpty(): void {
    if (this.#sockets.size === 0 && this.#sessions.size === 0) this.#onEmpty?.();
  }
}

/** Returns a key that is equal for a TCP socket and the TLS socket of the same connection, because Node does not link the two. */
const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/** Announces the end of a session with GOAWAY, and closes it once the requests that were already on their way have arrived. */
function closeGracefully(session: Http2Session): void {
  if (session.destroyed || session.closed) return;
  session.goaway(0, LAST_STREAM);
  const timer = setTimeout(() => session.close(), NEXT_REQUEST);
  timer.unref();
  session.once('close', () => clearTimeout(timer));
  // Two pings are needed: requests that the client had queued when it answered the first ping are sent after that answer, but before the
  // answer to the second ping.
  session.ping(() => {
    if (session.destroyed) return;
    session.ping(() => {
      clearTimeout(timer);
      if (!session.destroyed) session.close();
    });
  });
}
