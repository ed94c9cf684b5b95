import type { ApiResponse } from '../requests/api-request.js';
import { plainAnswer } from './plain-answer.js';
import { entriesRead, type Incoming, NODES_ENTRIES, StreamRequest } from './stream-request.js';

/** The maximum number of headers of a request, if the HTTP server was created by this library. */
export const MAX_HEADERS = 10_000;
/**
 * The maximum length of a header's value, in bytes. It is far above the length of any credential, and far below the limit for all headers
 * together.
 */
const MAX_VALUE_BYTES = 64 * 1024;
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i;
const HOST = /^[\w!$%&'()*+,\-.:;=@[\]~]*$/;

/** Checks the headers of a request before any other code reads them. Returns the error response, or undefined if they are valid. */
export function checkHead(incoming: Incoming): ApiResponse | undefined {
  const { rawHeaders, httpVersionMajor: major, httpVersionMinor: minor } = incoming;
  const isHttp2 = incoming instanceof StreamRequest;
  // Only HTTP/1.x and HTTP/2 are supported. Node also accepts request lines with HTTP/0.9.
  if (!isHttp2 && major !== 1)
    return endingConnection(plainAnswer(505, '505 HTTP Version Not Supported: unsupported protocol version'));
  // Node silently drops names and values beyond its limit, and headers set by a proxy could be among them.
  const limit = isHttp2 ? (incoming.connection?.entriesRead ?? NODES_ENTRIES) : entriesRead(incoming.socket);
  if (rawHeaders.length >= limit) return plainAnswer(431);
  let hosts = 0;
  let host = '';
  let expectation: string | undefined;
  for (let i = 1; i < rawHeaders.length; i += 2) {
    const value = rawHeaders[i] ?? '';
    if (value.length > MAX_VALUE_BYTES) return plainAnswer(431);
    const name = rawHeaders[i - 1];
    if (name?.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      // HTTP/1.0 has no chunked coding, so a proxy that speaks HTTP/1.0 may have read a different body or none. The request is therefore
      // refused.
      if (minor === 0 && !isHttp2) return badRequest('transfer encoding in HTTP/1.0');
      if (value.toLowerCase() !== 'chunked') return endingConnection(plainAnswer(501, 'Unsupported transfer encoding'));
    }
    if (name?.length === 6 && name.toLowerCase() === 'expect') expectation ??= value;
    if (name?.length === 4 && name.toLowerCase() === 'host') {
      hosts++;
      host = value;
    }
  }
  // Over HTTP/2 the `:authority` takes precedence over the Host header, and upstream ignores expectations other than `100-continue`.
  if (isHttp2) return undefined;
  // A proxy and this server could each use a different one of several Host headers.
  if (hosts > 1) return badRequest('too many Host headers');
  if (hosts === 0 && minor > 0) return badRequest('missing required Host header');
  if (!HOST.test(host)) return badRequest('malformed Host header');
  if (!expectation || CONTINUE.test(expectation)) return undefined;
  // As in Go's net/http, an unknown expectation is answered with a 417 without a body.
  return endingConnection({ status: 417, headers: {}, body: { type: 'none' } });
}

function badRequest(why: string): ApiResponse {
  return endingConnection(plainAnswer(400, `400 Bad Request: ${why}`));
}

const endingConnection = (answer: ApiResponse): ApiResponse => ({
  ...answer,
  headers: { ...answer.headers, Connection: 'close' },
});
