import type { Duplex } from 'node:stream';

/** Milliseconds a client has to read its answer and to stop sending, after the connection was closed for writing. */
const LINGER = 1_000;

/**
 * Ends a connection without losing what was just written: it is closed for writing first. Closed altogether while the
 * client still sends, it would be reset, and the answer be thrown away by the client's side.
 */
export function halfClose(socket: Duplex, linger = LINGER): void {
  if (socket.destroyed) return;
  if (!socket.writableEnded) socket.end();
  const timer = setTimeout(() => socket.destroy(), linger);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
}
