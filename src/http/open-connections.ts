import type { Http2Session } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { NodeHandler } from './node-handler.js';

/**
 * The connections of a listener, and how many requests each is busy with: what a clean shutdown needs to know.
 * A connection of HTTP/2 is its session, which closes itself after its last request.
 */
export class OpenConnections {
  readonly #busy = new Map<Socket, number>();
  readonly #sessions = new Set<Http2Session>();
  readonly #raw = new Set<Duplex>();
  #closing = false;
  #onEmpty: (() => void) | undefined;

  /** Remembers a connection before its protocol is known: it may never come to speak one. */
  addRaw(socket: Duplex): void {
    this.#raw.add(socket);
    socket.once('close', () => this.#raw.delete(socket));
  }

  /** Counts a connection of HTTP/1.x, until it closes. */
  addSocket(socket: Socket): void {
    if (this.#busy.has(socket)) return;
    this.#busy.set(socket, 0);
    socket.once('close', () => {
      this.#busy.delete(socket);
      this.#checkEmpty();
    });
  }

  /** Counts a connection of HTTP/2, until it closes. */
  addSession(session: Http2Session): void {
    this.#sessions.add(session);
    session.once('close', () => {
      this.#sessions.delete(session);
      this.#checkEmpty();
    });
  }

  /** The handler with its requests counted. */
  counting(handler: NodeHandler): NodeHandler {
    return (incoming, outgoing) => {
      const { socket } = incoming;
      const count = incoming.httpVersionMajor === 1 ? this.#busy.get(socket) : undefined;
      if (count !== undefined) {
        this.#busy.set(socket, count + 1);
        outgoing.once('close', () => this.#release(socket));
        if (this.#closing && 'shouldKeepAlive' in outgoing) outgoing.shouldKeepAlive = false;
      }
      handler(incoming, outgoing);
    };
  }

  /** Closes what is idle now, and the others as they become so; resolves when none is left. */
  closeIdle(): Promise<void> {
    this.#closing = true;
    for (const [socket, count] of this.#busy) if (count === 0) socket.destroySoon();
    for (const session of this.#sessions) session.close();
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
      this.#checkEmpty();
    });
  }

  /** Ends everything at once. */
  destroyAll(): void {
    for (const socket of this.#busy.keys()) socket.destroy();
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#raw) socket.destroy();
  }

  #release(socket: Socket): void {
    const count = this.#busy.get(socket);
    if (count === undefined) return;
    this.#busy.set(socket, count - 1);
    if (this.#closing && count === 1) socket.destroySoon();
  }

  #checkEmpty(): void {
    if (this.#busy.size === 0 && this.#sessions.size === 0) this.#onEmpty?.();
  }
}
