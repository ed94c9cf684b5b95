import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { halfClose } from './half-close.js';
import { plainAnswerBytes } from './plain-answer.js';

/** The status by the error code of Node's parser; all others are 400. */
const STATUS_OF_ERROR: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Connections that end after their answer: further errors of what the client sends must not cut that answer off. */
const answered = new WeakSet<Duplex>();

interface Http1Socket extends Duplex {
  /** The answer that is being written, in Node's internal property. */
  readonly _httpMessage?: ServerResponse | null;
}

/**
 * Answers an HTTP/1.x connection whose request cannot be parsed, is too large or too slow, and ends it. An answer that has begun is sent to
 * its end first.
 */
export function answerClientError(error: Error, socket: Http1Socket): void {
  if (answered.has(socket)) return;
  const { code = '' } = error as NodeJS.ErrnoException;
  const startedResponse = socket._httpMessage?.headersSent ? socket._httpMessage : undefined;
  // The answer to a request whose own body is broken may never end, so the connection is destroyed.
  if (!socket.writable || code === 'ECONNRESET' || startedResponse?.req.complete === false) {
    socket.destroy();
    return;
  }
  answered.add(socket);
  if (startedResponse) {
    // A second answer would be read as part of the first, or as the answer to the next request.
    startedResponse.once('close', () => halfClose(socket));
    return;
  }
  socket.end(plainAnswerBytes(STATUS_OF_ERROR[code] ?? 400));
  // A client that goes on sending must not keep the connection open.
  const timer = setTimeout(() => socket.destroy(), 1000);
  timer.unref();
  socket.resume().once('close', () => clearTimeout(timer));
}
