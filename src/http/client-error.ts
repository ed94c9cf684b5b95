import type { Duplex } from 'node:stream';
import { plainAnswerBytes } from './plain-answer.js';

/** The status for each way in which a request can fail to be one; all others are 400. */
const STATUS_OF_ERROR: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Connections that end with their answer: what else the client sends is no error any more, and must not cut the answer off. */
const answered = new WeakSet<Duplex>();

/** Answers a connection of HTTP/1.x whose request cannot be parsed, is too large or too slow, and ends it. */
export function answerClientError(error: Error, socket: Duplex): void {
  if (answered.has(socket)) return;
  const { code = '' } = error as NodeJS.ErrnoException;
  // In the middle of an answer, a second one would be read as part of the first.
  const answering = (socket as { _httpMessage?: { headersSent?: boolean } })._httpMessage?.headersSent === true;
  if (!socket.writable || answering || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  answered.add(socket);
  socket.end(plainAnswerBytes(STATUS_OF_ERROR[code] ?? 400));
  // A client that keeps sending must not keep the connection.
  const timer = setTimeout(() => socket.destroy(), 1000);
  timer.unref();
  socket.resume().once('close', () => clearTimeout(timer));
}
