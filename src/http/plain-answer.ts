import { STATUS_CODES } from 'node:http';
import type { ApiResponse } from '../requests/api-request.js';

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
