import { createHash } from 'node:crypto';
import { IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { halfClose } from '../half-close.js';
import type { NodeHandler } from '../node-handler.js';
import { plainAnswerBytes } from '../plain-answer.js';

/** A client that waits for the answer to its handshake. */
export interface Handshake {
  readonly socket: Duplex;
  /** What the client has sent behind its request. */
  readonly head: Uint8Array;
  /** The lines of a 101; undefined where the client asks in a wrong way. */
  readonly answer: string | undefined;
}

const handshakes = new WeakMap<object, Handshake>();

/** The handshake that an answer may accept by opening a WebSocket. */
export function handshakeOf(outgoing: object): Handshake | undefined {
  return handshakes.get(outgoing);
}

/**
 * Answers requests that ask for another protocol. Whoever answers one may open a WebSocket (`handshakeOf`); all other answers are plain,
 * and end the connection: its bytes are no longer read as HTTP. A request that has a body, too, is refused unless its length is known.
 */
export function serveUpgrades(server: Server, handler: NodeHandler): void {
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => undefined);
    const length = bodyLength(incoming);
    if (Number.isNaN(length)) {
      socket.end(plainAnswerBytes(400));
      return;
    }
    // Node's own sockets are what a server is given.
    const request = length > 0 ? withBody(incoming, socket as Socket, head, length) : incoming;
    const outgoing = new ServerResponse(request);
    outgoing.shouldKeepAlive = false;
    outgoing.assignSocket(socket as Socket);
    outgoing.once('finish', () => halfClose(socket));
    if (request === incoming && incoming.headers.upgrade?.toLowerCase() === 'websocket')
      handshakes.set(outgoing, { socket, head, answer: acceptance(incoming) });
    handler(request, outgoing);
  });
}

/** NaN for a body of unknown length. */
function bodyLength({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return Number.NaN;
  return Number(headers['content-length'] ?? 0);
}

/** The same request with its body, which the parser has left on the connection. */
function withBody(incoming: IncomingMessage, socket: Socket, head: Buffer, length: number): IncomingMessage {
  const request = new IncomingMessage(socket);
  const { method, url, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor } = incoming;
  Object.assign(request, { method, url, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor });
  let left = length;
  const take = (chunk: Buffer) => {
    const part = chunk.subarray(0, left);
    left -= part.length;
    if (!request.push(part)) socket.pause();
    if (left > 0) return;
    socket.off('data', take);
    request.complete = true;
    request.push(null);
  };
  request._read = () => void socket.resume();
  socket.once('close', () => request.destroy());
  if (head.length > 0) take(head);
  if (left > 0) socket.on('data', take);
  return request;
}

// RFC 6455, 1.3.
const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const KEY = /^[A-Za-z0-9+/]{22}==$/;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const BEARER = /^base64url\.bearer\.authorization\./;

function acceptance({ method, headers }: IncomingMessage): string | undefined {
  const key = headers['sec-websocket-key'];
  if (method !== 'GET' || headers['sec-websocket-version'] !== '13' || key === undefined || !KEY.test(key))
    return undefined;
  const accept = createHash('sha1')
    .update(key + MAGIC)
    .digest('base64');
  const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
  lines.push(`Sec-WebSocket-Accept: ${accept}`);
  // One that is no token of the caller's.
  const wanted = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  const protocol = wanted.find((name) => TOKEN.test(name) && !BEARER.test(name));
  if (protocol !== undefined) lines.push(`Sec-WebSocket-Protocol: ${protocol}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}
