import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ApiResponse } from '../requests/api-request.js';
import { halfClose, lingerAtEnd } from './end-connection.js';

const TEXT = 'text/plain; charset=utf-8';

/** Returns a plain-text response to a request that does not reach the API server's handlers. The connection ends after a 431. */
export function plainAnswer(status: number, text = statusText(status)): ApiResponse {
  const bytes = new TextEncoder().encode(text);
  return {
    status,
    headers: { 'Content-Type': TEXT, ...(status === 431 && { Connection: 'close' }) },
    body: { type: 'bytes', chunks: [bytes], length: bytes.length },
  };
}

/** Returns a plain-text error response as an HTTP/1.1 message, for a connection that ends because its request could not be parsed. */
export function plainAnswerBytes(status: number): string {
  const text = statusText(status);
  return `HTTP/1.1 ${text}\r\nContent-Type: ${TEXT}\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`;
}

const statusText = (status: number) => `${status} ${STATUS_CODES[status] ?? 'Error'}`;

/** The response status for each error code of Node's parser; all other errors are answered with 400. */
const STATUS_OF_ERROR: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Connections that end after their last response. Further parse errors on them are ignored, because they must not cut off that response.
 */
const answered = new WeakSet<Duplex>();

/** The connection of an HTTP/1.x request. */
export interface Http1Socket extends Duplex {
  /** The response that Node is currently writing. This is an internal property of Node. */
  readonly _httpMessage?: ServerResponse | null;
}

/**
 * Ends an HTTP/1.x connection on which a request is malformed, too large, or arrives too slowly. As in upstream, earlier requests are
 * answered first. If the newest complete request is still unanswered, the connection ends after the response to it, and no error response
 * is sent. A response may count as unsent although the client has already received all of it.
 * @param last the response to the newest request; undefined if it has been sent
 */
export function answerClientError(error: Error, socket: Http1Socket, last: ServerResponse | undefined): void {
  if (answered.has(socket)) return;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  answered.add(socket);
  if (last?.req.complete) endAfter(last);
  else refuse(socket, last, STATUS_OF_ERROR[code] ?? 400);
}

/** Ends a connection after its last response. This response gets `Connection: close` unless its headers have already been sent. */
function endAfter(last: ServerResponse): void {
  if (!last.headersSent) last.shouldKeepAlive = false;
  lingerAtEnd(last);
  last.once('close', () => halfClose(last.req.socket));
}

/**
 * Sends an error response after the responses to earlier requests, and ends the connection.
 * @param broken the response to a request whose body has not been received whole; the error is sent in its place
 */
function refuse(socket: Http1Socket, broken: ServerResponse | undefined, status: number): void {
  const current = socket._httpMessage ?? broken;
  if (socket.destroyed) return;
  if (current !== broken) {
    current?.once('close', () => refuse(socket, broken, status));
  } else if (broken?.headersSent) {
    // The response to a request whose own body is broken may never end, so the connection is destroyed at once.
    socket.destroy();
  } else {
    socket.end(plainAnswerBytes(status));
    // A client that continues to send must not keep the connection open, so the time is limited.
    const timer = setTimeout(() => socket.destroy(), 1000);
    timer.unref();
    socket.resume().once('close', () => clearTimeout(timer));
  }
}
