import { validateHeaderValue } from 'node:http';
import { Duplex } from 'node:stream';
import type { ByteChannel } from '../../meta/fetch.js';
import type { ApiResponse } from '../../requests/api-request.js';
import { halfClose } from '../end-connection.js';
import { connectionOf, noteChannel } from './handshake.js';

/**
 * Answers with 101, and then forwards the bytes that either end sends, only as fast as the other end reads. When one end closes or
 * disconnects, both connections end.
 * @throws Error if a header cannot be sent, or the connection cannot be handed over; nothing has been sent then.
 */
export function openChannel(
  outgoing: object,
  headers: ApiResponse['headers'],
  { readable, writable }: ByteChannel,
): void {
  const connection = connectionOf(outgoing);
  const stop = new AbortController();
  const end = () => stop.abort();
  const gone = () => {
    readable.cancel().catch(() => undefined);
    writable.abort().catch(() => undefined);
  };
  let lines = 'HTTP/1.1 101 Switching Protocols\r\n';
  try {
    if (!connection) throw new Error('this connection cannot be handed over');
    for (const [name, value] of Object.entries(headers))
      for (const each of typeof value === 'string' ? [value] : value) {
        validateHeaderValue(name, each);
        lines += `${name}: ${each}\r\n`;
      }
  } catch (error) {
    gone();
    throw error;
  }
  const { socket, head } = connection;
  if (socket.destroyed || socket.writableEnded) {
    gone();
    return;
  }
  noteChannel(socket);
  socket.write(`${lines}\r\n`, 'latin1');
  if (head.length > 0) socket.unshift(head);
  // Node declares its own types for web streams, which are the same classes, so the cast is safe.
  const own = Duplex.toWeb(socket) as unknown as ByteChannel;
  const { signal } = stop;
  Promise.allSettled([
    own.readable.pipeTo(writable, { signal }).finally(end),
    readable.pipeTo(own.writable, { signal, preventAbort: true }).finally(end),
  ]).then(() => halfClose(socket));
}
