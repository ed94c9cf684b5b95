import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The number of pipelined requests on one connection that are read before earlier answers are sent. */
const MOST = 32;

const ahead = new WeakMap<Socket, number>();

/**
 * Resumes an HTTP/1.x connection that Node has paused because the previous answer is still in the socket's buffer. Node pauses its
 * parser as well, but TLS goes on delivering records it has already received; the paused parser reports them as `HPE_PAUSED`, which
 * would end the connection. Beyond a number of pipelined requests Node's pause stays, because the client is not reading the answers.
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
