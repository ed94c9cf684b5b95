import type { Http2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { halfClose } from './half-close.js';
import { Handshake, Http1Connection, Http2Connection, IncompleteHeads } from './incomplete-heads.js';
import type { NodeHandler } from './node-handler.js';
import type { NodeOutgoing } from './node-request.js';

/** Milliseconds in which a client that asked lately may send its next request after the shutdown began. */
const NEXT_REQUEST = 300;
/** They pass in steps: while this process itself was held up, which shortens one of them, no client could be heard. */
const STEPS = 6;
/** Milliseconds since its last request for which a client counts as one that asked lately. */
const LATELY = 2_000;
/** The highest stream of a client: with it, a session says that it will end but takes in what is on its way. */
const LAST_STREAM = 2 ** 31 - 1;

/**
 * The connections of a listener, and how many requests each is busy with: what a clean shutdown needs to know.
 * A connection of HTTP/2 is its session, which closes itself after its last request.
 */
export class OpenConnections {
  readonly #sockets = new Map<Socket, Http1Connection>();
  readonly #sessions = new Set<Http2Session>();
  readonly #raw = new Set<Socket>();
  readonly #handshakes = new Map<string, Handshake>();
  readonly #heads: IncompleteHeads;
  #closing = false;
  #onEmpty: (() => void) | undefined;

  /** @param maxHeadBytes of handshakes and heads that are not complete, all connections together */
  constructor(maxHeadBytes: number) {
    this.#heads = new IncompleteHeads(maxHeadBytes);
  }

  /** Counts a connection before its handshake: it may never come to speak a protocol. */
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

  /** The handshake of a connection is complete. */
  endHandshake(secure: Socket): void {
    const peer = peerOf(secure);
    const handshake = this.#handshakes.get(peer);
    if (!handshake) return;
    this.#handshakes.delete(peer);
    this.#heads.delete(handshake);
  }

  /** Counts a connection of HTTP/1.x, until it closes. */
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

  /** Counts a connection of HTTP/2, until it closes. */
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

  /** The handler with its requests counted. */
  counting(handler: NodeHandler): NodeHandler {
    return (incoming, outgoing) => {
      const { socket } = incoming;
      const connection = incoming.httpVersionMajor === 1 ? this.#sockets.get(socket) : undefined;
      if (connection !== undefined) {
        // What comes after the end of a connection could not be answered, and so must not be done.
        if (socket.writableEnded) {
          incoming.resume();
          return;
        }
        connection.begin(incoming);
        outgoing.once('close', () => this.#release(socket, connection, outgoing));
      }
      handler(incoming, outgoing);
    };
  }

  /** Closes what is idle now, and the others as they become so; resolves when none is left. */
  closeIdle(): Promise<void> {
    this.#closing = true;
    const now = performance.now();
    for (const [socket, connection] of this.#sockets) {
      if (connection.requests > 0) continue;
      // A client that has been busy may be about to send: it learns from the next answer that the connection ends.
      if (now - connection.last < LATELY) this.#closeLater(socket, connection);
      else this.#closeIfIdle(socket, connection);
    }
    for (const session of this.#sessions) sendAway(session);
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
      this.#checkEmpty();
    });
  }

  /** Ends everything at once. */
  destroyAll(): void {
    this.#heads.stop();
    for (const socket of this.#sockets.keys()) socket.destroy();
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#raw) socket.destroy();
  }

  #release(socket: Socket, connection: Http1Connection, outgoing: NodeOutgoing): void {
    connection.end();
    if (!this.#closing || connection.requests > 0) return;
    // An answer that had begun before has promised that the connection goes on.
    if ('shouldKeepAlive' in outgoing && outgoing.shouldKeepAlive) this.#closeLater(socket, connection);
    else halfClose(socket);
  }

  #closeLater(socket: Socket, connection: Http1Connection, steps = STEPS): void {
    const next = () =>
      steps > 1 ? this.#closeLater(socket, connection, steps - 1) : this.#closeIfIdle(socket, connection);
    setTimeout(next, NEXT_REQUEST / STEPS).unref();
  }

  /** Where the next request has begun to arrive, its answer ends the connection. */
  #closeIfIdle(socket: Socket, connection: Http1Connection): void {
    if (connection.requests === 0 && connection.isSilent) halfClose(socket);
  }

  #checkEmpty(): void {
    if (this.#sockets.size === 0 && this.#sessions.size === 0) this.#onEmpty?.();
  }
}

/** The same for a connection and for what TLS makes of it, which Node does not link. */
const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/** Announces to a session that it will end, and ends it once what was on its way by then has arrived. */
function sendAway(session: Http2Session): void {
  if (session.destroyed || session.closed) return;
  session.goaway(0, LAST_STREAM);
  const timer = setTimeout(() => session.close(), NEXT_REQUEST);
  timer.unref();
  session.once('close', () => clearTimeout(timer));
  // What a client had queued when it answers the first follows its answer; the second comes after that.
  session.ping(() => {
    if (session.destroyed) return;
    session.ping(() => {
      clearTimeout(timer);
      if (!session.destroyed) session.close();
    });
  });
}
