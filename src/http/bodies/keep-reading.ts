import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection whose bodies may be read while answers before them wait for their client. */
const MOST = 32;

const ahead = new WeakMap<Socket, number>();

/**
 * Goes on reading a connection of HTTP/1.x that Node has paused because the answer before is not sent yet. Node pauses its parser
 * together with the socket, but TLS still delivers the records that it has received, and the paused parser takes them for an error
 * that ends the connection (`HPE_PAUSED`). Node's pause stays where a client sends many requests without reading the answers.
 */
export function keepReading(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const socket = incoming.socket as Socket & { _paused?: boolean };
  if (socket._paused !== true || incoming.complete) return;
  const count = (ahead.get(socket) ?? 0) + 1;
  if (count > MOST) return;
  ahead.set(socket, count);
  outgoing.once('close', () => ahead.set(socket, (ahead.get(socket) ?? 1) - 1));
  socket._paused = false;
  socket.resume();
}
