import type { Duplex } from 'node:stream';

/** Milliseconds a client has to read its answer and to stop sending, after the connection was closed for writing. */
const LINGER = 1_000;

const ending = new WeakSet<Duplex>();

/**
 * Ends a connection without losing what was just written, by closing it for writing first. If it were closed in both directions while the
 * client still sends, it would be reset, and the client's side would discard the answer.
 */
export function halfClose(socket: Duplex, linger = LINGER): void {
  if (socket.destroyed || ending.has(socket)) return;
  ending.add(socket);
  socket.end();
  const timer = setTimeout(() => socket.destroy(), linger);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
}
