import type { Http2Session } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { NodeIncoming } from './bodies/request-body.js';
import { halfClose } from './half-close.js';
import type { NodeHandler } from './node-handler.js';
import type { NodeOutgoing } from './node-request.js';
import { plainAnswerBytes } from './plain-answer.js';

/** Milliseconds in which a client that asked lately may send its next request after the shutdown began. */
const NEXT_REQUEST = 300;
/** They pass in steps: while this process itself was held up, which shortens one of them, no client could be heard. */
const STEPS = 6;
/** Milliseconds since its last request for which a client counts as one that asked lately. */
const LATELY = 2_000;
/** The highest stream of a client: with it, a session says that it will end but takes in what is on its way. */
const LAST_STREAM = 2 ** 31 - 1;

/** Bytes of a request's line and headers; more is answered with 431. */
export const MAX_HEADER_BYTES = 1024 * 1024;
/** Milliseconds between two checks of the incomplete heads. */
const HEADS_INTERVAL = 100;

/** What is known of a connection of HTTP/1.x. */
interface Use {
  /** Requests it is busy with. */
  requests: number;
  /** When the last one ended, by `performance.now()`, and how much had been read by then. */
  last: number;
  bytes: number;
  /** The request whose answer came before the end of its body, while the rest is read and discarded. */
  discarded?: NodeIncoming | undefined;
}

/**
 * The connections of a listener, and how many requests each is busy with: what a clean shutdown needs to know.
 * A connection of HTTP/2 is its session, which closes itself after its last request.
 */
export class OpenConnections {
  readonly #sockets = new Map<Socket, Use>();
  readonly #sessions = new Set<Http2Session>();
  readonly #raw = new Set<Duplex>();
  readonly #maxHeadBytes: number;
  #headsTimer: NodeJS.Timeout | undefined;
  #closing = false;
  #onEmpty: (() => void) | undefined;

  /** @param maxHeadBytes of heads that are not complete, all connections of HTTP/1.x together */
  constructor(maxHeadBytes: number) {
    this.#maxHeadBytes = maxHeadBytes;
  }

  /** Remembers a connection before its protocol is known: it may never come to speak one. */
  addRaw(socket: Duplex): void {
    this.#raw.add(socket);
    socket.once('close', () => this.#raw.delete(socket));
  }

  /** Counts a connection of HTTP/1.x, until it closes. */
  addSocket(socket: Socket): void {
    if (this.#sockets.has(socket)) return;
    this.#sockets.set(socket, { requests: 0, last: Number.NEGATIVE_INFINITY, bytes: 0 });
    socket.once('close', () => {
      this.#sockets.delete(socket);
      if (!this.#couldExceedHeads()) this.#stopHeadsTimer();
      this.#checkEmpty();
    });
    if (this.#couldExceedHeads()) this.#headsTimer ??= setInterval(() => this.#boundHeads(), HEADS_INTERVAL).unref();
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
      const use = incoming.httpVersionMajor === 1 ? this.#sockets.get(socket) : undefined;
      if (use !== undefined) {
        // What comes after the end of a connection could not be answered, and so must not be done.
        if (socket.writableEnded) {
          incoming.resume();
          return;
        }
        use.requests++;
        outgoing.once('close', () => this.#release(socket, use, incoming, outgoing));
      }
      handler(incoming, outgoing);
    };
  }

  /** Closes what is idle now, and the others as they become so; resolves when none is left. */
  closeIdle(): Promise<void> {
    this.#closing = true;
    const now = performance.now();
    for (const [socket, use] of this.#sockets) {
      if (use.requests > 0) continue;
      // A client that has been busy may be about to send: it learns from the next answer that the connection ends.
      if (now - use.last < LATELY) this.#closeLater(socket, use);
      else this.#closeIfIdle(socket, use);
    }
    for (const session of this.#sessions) sendAway(session);
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
      this.#checkEmpty();
    });
  }

  /** Ends everything at once. */
  destroyAll(): void {
    this.#stopHeadsTimer();
    for (const socket of this.#sockets.keys()) socket.destroy();
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#raw) socket.destroy();
  }

  #couldExceedHeads(): boolean {
    return this.#sockets.size * MAX_HEADER_BYTES > this.#maxHeadBytes;
  }

  #stopHeadsTimer(): void {
    clearInterval(this.#headsTimer);
    this.#headsTimer = undefined;
  }

  /** Refuses the largest incomplete heads while all of them together exceed the limit. */
  #boundHeads(): void {
    const heads: { socket: Socket; bytes: number }[] = [];
    let total = 0;
    for (const [socket, use] of this.#sockets) {
      if (use.requests > 0 || isDiscarding(socket, use)) continue;
      const bytes = socket.bytesRead - use.bytes;
      if (bytes === 0) continue;
      heads.push({ socket, bytes });
      total += bytes;
    }
    if (total <= this.#maxHeadBytes) return;
    for (const { socket, bytes } of heads.sort((a, b) => b.bytes - a.bytes)) {
      if (socket.writable) socket.write(plainAnswerBytes(431));
      // Reading stops at once: while the client reads the answer, the head must not grow further.
      socket.destroySoon();
      socket.pause();
      total -= bytes;
      if (total <= this.#maxHeadBytes / 2) return;
    }
  }

  #release(socket: Socket, use: Use, incoming: NodeIncoming, outgoing: NodeOutgoing): void {
    use.requests--;
    use.last = performance.now();
    use.bytes = socket.bytesRead;
    use.discarded = incoming.complete ? undefined : incoming;
    if (!this.#closing || use.requests > 0) return;
    // An answer that had begun before has promised that the connection goes on.
    if ('shouldKeepAlive' in outgoing && outgoing.shouldKeepAlive) this.#closeLater(socket, use);
    else halfClose(socket);
  }

  #closeLater(socket: Socket, use: Use, steps = STEPS): void {
    const next = () => (steps > 1 ? this.#closeLater(socket, use, steps - 1) : this.#closeIfIdle(socket, use));
    setTimeout(next, NEXT_REQUEST / STEPS).unref();
  }

  /** Where the next request has begun to arrive, its answer ends the connection. */
  #closeIfIdle(socket: Socket, use: Use): void {
    if (use.requests === 0 && socket.bytesRead === use.bytes) halfClose(socket);
  }

  #checkEmpty(): void {
    if (this.#sockets.size === 0 && this.#sessions.size === 0) this.#onEmpty?.();
  }
}

/** Whether a refused request's body is still arriving. Once it is complete, counting of the next head starts from here. */
function isDiscarding(socket: Socket, use: Use): boolean {
  if (use.discarded === undefined) return false;
  if (!use.discarded.complete) return true;
  use.discarded = undefined;
  use.bytes = socket.bytesRead;
  return false;
}

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
