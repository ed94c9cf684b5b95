import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ApiResponse } from '../requests/api-request.js';
import { halfClose, lingerAtEnd } from './end-connection.js';

const TEXT = 'text/plain; charset=utf-8';

/** Returns an answer in plain text to a request that does not reach the core. The connection ends after a 431. */
export function plainAnswer(status: number, text = statusText(status)): ApiResponse {
  const bytes = new TextEncoder().encode(text);
  return {
    status,
    headers: { 'Content-Type': TEXT, ...(status === 431 && { Connection: 'close' }) },
    body: { type: 'bytes', chunks: [bytes], length: bytes.length },
  };
}

/** Returns such an answer as bytes of HTTP/1.1, for a connection that ends because its request could not be parsed. */
export function plainAnswerBytes(status: number): string {
  const text = statusText(status);
  return `HTTP/1.1 ${text}\r\nContent-Type: ${TEXT}\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`;
}

const statusText = (status: number) => `${status} ${STATUS_CODES[status] ?? 'Error'}`;

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
 * Ends an HTTP/1.x connection on which something arrived that is not a request, is too large, or comes too slowly. The requests before it
 * are answered first, as upstream does; a client often has the whole answer before this server knows that it is sent.
 * @param last the answer to the newest request; undefined if it has been sent
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

/** Ends a connection after its last answer. If that answer has not begun, it announces the end. */
function endAfter(last: ServerResponse): void {
  if (!last.headersSent) last.shouldKeepAlive = false;
  lingerAtEnd(last);
  last.once('close', () => halfClose(last.req.socket));
}

/**
 * Answers a connection with an error after the answers to earlier requests, and ends it.
 * @param broken the answer to a request whose body is not received whole, instead of which the error is sent
 */
function refuse(socket: Http1Socket, broken: ServerResponse | undefined, status: number): void {
  const current = socket._httpMessage ?? broken;
  if (socket.destroyed) return;
  if (current !== broken) {
    current?.once('close', () => refuse(socket, broken, status));
  } else if (broken?.headersSent) {
    // The answer to a request whose own body is broken may never end.
    socket.destroy();
  } else {
    socket.end(plainAnswerBytes(status));
    // A client that goes on sending must not keep the connection open.
    const timer = setTimeout(() => socket.destroy(), 1000);
    timer.unref();
    socket.resume().once('close', () => clearTimeout(timer));
  }
}
