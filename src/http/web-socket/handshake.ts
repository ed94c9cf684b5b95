import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** A client that waits for the response to its WebSocket handshake. */
export interface Handshake {
  readonly socket: Duplex;
  /** The bytes that the client sent after its request. */
  readonly head: Uint8Array;
  /** The head of the 101 response; undefined if the handshake is invalid. */
  readonly answer: string | undefined;
}

const handshakes = new WeakMap<object, Handshake>();

/** Returns the handshake of a request that may be answered with a WebSocket; undefined if the client did not request one. */
export function handshakeOf(outgoing: object): Handshake | undefined {
  return handshakes.get(outgoing);
}

/** A connection that may be handed over to another protocol. */
export type OpenConnection = Pick<Handshake, 'socket' | 'head'>;

const connections = new WeakMap<object, OpenConnection>();

/** Records that the response to a request may be a protocol upgrade on this connection. */
export function awaitUpgrade(outgoing: object, connection: OpenConnection): void {
  connections.set(outgoing, connection);
}

/** Returns the connection that the response to an upgrade request may hand over to another protocol. */
export const connectionOf = (outgoing: object): OpenConnection | undefined => connections.get(outgoing);
export const isUpgradable = (outgoing: object): boolean => connections.has(outgoing);

const channels = new WeakSet<Duplex>();

/** Records that a connection has been handed over to another protocol. */
export function noteChannel(socket: Duplex): void {
  channels.add(socket);
}

export const isChannel = (socket: Duplex): boolean => channels.has(socket);

/** Records that the response to a request may be a WebSocket. */
export function awaitWebSocket(outgoing: object, incoming: IncomingMessage, socket: Duplex, head: Uint8Array): void {
  handshakes.set(outgoing, { socket, head, answer: acceptance(incoming) });
}

// RFC 6455, section 1.3 defines this value.
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
  // A subprotocol that contains the caller's token must not be sent back.
  const offeredProtocols = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  const protocol = offeredProtocols.find((name) => TOKEN.test(name) && !BEARER.test(name));
  if (protocol !== undefined) lines.push(`Sec-WebSocket-Protocol: ${protocol}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}
