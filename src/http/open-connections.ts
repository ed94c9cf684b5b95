import type { Http2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { Http1Connection, NEXT_REQUEST } from './http1-connection.js';
import { type HeadReader, Http2Connection, IncompleteHeads } from './incomplete-heads.js';

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
  /** Whether connections end when they become idle. */
  closing = false;
  readonly #connections = new Set<Http1Connection>();
  readonly #sessions = new Set<Http2Session>();
  readonly #raw = new Set<Socket>();
  readonly #handshakes = new Map<string, HeadReader>();
  readonly #heads: IncompleteHeads;
  #onEmpty: (() => void) | undefined;

  /** @param maxHeadBytes the maximum memory in bytes for incomplete handshakes and heads, on all connections together */
  constructor(maxHeadBytes: number) {
    this.#heads = new IncompleteHeads(maxHeadBytes);
  }

  /** Counts a connection before its handshake, which may never complete. */
  addRaw(socket: Socket): void {
    this.#raw.add(socket);
    const peer = peerOf(socket);
    const handshake = { incompleteBytes: () => socket.bytesRead, refuse: () => void socket.destroy() };
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
    const connection = Http1Connection.of(socket);
    connection.listener = this;
    this.#connections.add(connection);
    this.#heads.add(connection);
    socket.once('end', () => connection.endRequests());
    socket.once('close', () => {
      this.#connections.delete(connection);
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

  /** Closes idle connections at once, and all others when they become idle; resolves when no connection is left. */
  closeIdle(): Promise<void> {
    this.closing = true;
    for (const connection of this.#connections) connection.close();
    for (const session of this.#sessions) closeGracefully(session);
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
      this.#checkEmpty();
    });
  }

  /** Destroys all connections at once. */
  destroyAll(): void {
    this.#heads.stop();
    for (const { socket } of this.#connections) socket.destroy();
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#raw) socket.destroy();
  }

  #checkEmpty(): void {
    if (this.#connections.size === 0 && this.#sessions.size === 0) this.#onEmpty?.();
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
