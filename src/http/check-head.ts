import { Http2ServerRequest } from 'node:http2';
import type { ApiResponse } from '../requests/api-request.js';
import type { NodeIncoming } from './bodies/request-body.js';
import { plainAnswer } from './plain-answer.js';

/** Headers of a request, where the server is our own. */
export const MAX_HEADERS = 10_000;
/** Entries of names and values that Node reads by default. */
const NODES_ENTRIES = 2000;
/** Bytes of one header's value: far more than any credential, far less than all headers may have together. */
const MAX_VALUE_BYTES = 64 * 1024;
const HOST = /^[\w!$%&'()*+,\-.:;=@[\]~]*$/;

/** The refusal of a request for its headers, before anything reads them; undefined when they are in order. */
export function checkHead(incoming: NodeIncoming): ApiResponse | undefined {
  const { rawHeaders, httpVersionMajor: major, httpVersionMinor: minor } = incoming;
  const isSession = incoming instanceof Http2ServerRequest;
  // HTTP/0.9 has no headers, and HTTP/2 is not written as text.
  if (!isSession && major !== 1)
    return ended(plainAnswer(505, '505 HTTP Version Not Supported: unsupported protocol version'));
  if (rawHeaders.length >= entriesRead(incoming)) return plainAnswer(431);
  let hosts = 0;
  let host = '';
  for (let i = 1; i < rawHeaders.length; i += 2) {
    const value = rawHeaders[i] ?? '';
    if (value.length > MAX_VALUE_BYTES) return plainAnswer(431);
    const name = rawHeaders[i - 1];
    if (name?.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      // Chunks came with HTTP/1.1: whoever passed this on may have read another body, or none.
      if (minor === 0 && !isSession) return badRequest('transfer encoding in HTTP/1.0');
      if (value.toLowerCase() !== 'chunked') return ended(plainAnswer(501, 'Unsupported transfer encoding'));
    }
    if (name?.length === 4 && name.toLowerCase() === 'host') {
      hosts++;
      host = value;
    }
  }
  // HTTP/2 has one authority, which takes precedence over the header.
  return isSession ? undefined : checkHost(incoming, hosts, host);
}

/**
 * Entries of names and values that Node reads at most; it drops the rest without a word, so a list that is full is refused: a
 * proxy's own headers could be among those dropped.
 */
function entriesRead(incoming: NodeIncoming): number {
  const { server } = incoming.socket as { readonly server?: { readonly maxHeadersCount?: number | null } };
  const count = server?.maxHeadersCount;
  if (typeof count !== 'number') return NODES_ENTRIES;
  return count > 0 ? 2 * count : Number.POSITIVE_INFINITY;
}

/** One host is what a request is for: with two, a proxy and this server could each read another one. */
function checkHost(incoming: NodeIncoming, hosts: number, host: string): ApiResponse | undefined {
  if (hosts > 1) return badRequest('too many Host headers');
  if (hosts === 0 && incoming.httpVersionMinor > 0) return badRequest('missing required Host header');
  return HOST.test(host) ? undefined : badRequest('malformed Host header');
}

function badRequest(why: string): ApiResponse {
  return ended(plainAnswer(400, `400 Bad Request: ${why}`));
}

const ended = (answer: ApiResponse): ApiResponse => ({
  ...answer,
  headers: { ...answer.headers, Connection: 'close' },
});
