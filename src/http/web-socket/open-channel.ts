import { validateHeaderValue } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ByteChannel, discardChannel } from '../../meta/fetch.js';
import type { ApiResponse } from '../../requests/api-request.js';
import type { Http1Connection } from '../http1-connection.js';

/** Milliseconds that the other server has to close its connection after the client has closed its own. */
const LINGER = 1_000;

/**
 * Answers with 101, and then forwards the bytes that either end sends, only as fast as the other end reads. When one end closes or
 * disconnects, both connections end.
 * @param connection undefined for a connection of HTTP/2
 * @throws Error if a header cannot be sent, or the connection cannot be handed over; nothing has been sent then.
 */
export function openChannel(
  connection: Http1Connection | undefined,
  headers: ApiResponse['headers'],
  channel: ByteChannel,
): void {
  const upgrade = connection?.upgrade;
  let lines = 'HTTP/1.1 101 Switching Protocols\r\n';
  try {
    if (!upgrade) throw new Error('this connection cannot be upgraded');
    for (const [name, value] of Object.entries(headers))
      for (const each of typeof value === 'string' ? [value] : value) {
        validateHeaderValue(name, each);
        lines += `${name}: ${each}\r\n`;
      }
  } catch (error) {
    discardChannel(channel);
    throw error;
  }
  const { socket } = connection;
  if (socket.destroyed || socket.writableEnded) {
    discardChannel(channel);
    return;
  }
  connection.isHandedOver = true;
  socket.write(`${lines}\r\n`, 'latin1');
  const bytes = upgrade.takeBytes();
  if (bytes.length > 0) socket.unshift(bytes);
  forwardBytes(connection, channel);
}

/**
 * Forwards bytes in both directions until one end closes. The streams are not joined by `pipeTo`, which waits for the bytes that it has
 * taken to be written before it cancels anything, and would keep both connections if one end stopped reading.
 */
function forwardBytes(connection: Http1Connection, { readable, writable }: ByteChannel): void {
  const { socket } = connection;
  const reader = readable.getReader();
  const writer = writable.getWriter();
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    clearTimeout(timer);
    socket.off('data', send);
    reader.cancel().catch(() => undefined);
    writer.abort().catch(() => undefined);
    socket.resume();
    connection.end();
  };
  const send = (chunk: Uint8Array) => {
    writer.write(chunk).catch(end);
    if ((writer.desiredSize ?? 0) > 0) return;
    socket.pause();
    writer.ready.then(() => socket.resume(), end);
  };
  // The other server can see that the client has closed, and end by itself, before its connection is destroyed.
  const leave = () => {
    if (timer) return;
    socket.off('data', send);
    timer = setTimeout(end, LINGER).unref();
    writer.close().catch(end);
  };
  const receive = async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read())
      if (!socket.destroyed && !socket.write(part.value)) await waitForDrain(socket);
  };
  socket.on('data', send);
  socket.once('end', leave);
  socket.once('close', leave);
  socket.resume();
  receive().then(end, end);
}

/** Resolves when the connection accepts more bytes, or is closed. */
const waitForDrain = (socket: Duplex): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    socket.on('drain', done);
    socket.on('close', done);
  });
