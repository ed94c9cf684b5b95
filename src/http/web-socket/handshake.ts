import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { uriProblem } from '../../values/uri.js';

// RFC 6455, section 1.3 defines this value.
const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const VERSION = '13';
const BEARER = /^base64url\.bearer\.authorization\./;

/** Returns whether an upgrade request asks for a WebSocket. */
export const requestsWebSocket = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket';

/** The response to a WebSocket handshake. A refusal ends the connection. */
export interface Handshake {
  readonly accepted: boolean;
  /** The bytes of the response, one for each character. */
  readonly response: string;
}

/**
 * Returns the response to a WebSocket handshake. As in upstream, any key is accepted, the client must name an origin, and it may offer at
 * most one subprotocol besides the one with its token.
 */
export function answerHandshake(incoming: IncomingMessage): Handshake {
  const { method, headers } = incoming;
  const key = headers['sec-websocket-key'] ?? '';
  if (method !== 'GET' || key === '') return refuse('400 Bad Request', 'mismatch challenge/response');
  if (headers['sec-websocket-version'] !== VERSION)
    return refuse('400 Bad Request', 'missing or bad WebSocket Version', `Sec-WebSocket-Version: ${VERSION}\r\n`);
  if (!isOrigin(headers.origin)) return refuse('403 Forbidden');
  const protocols = offeredProtocols(incoming);
  if (protocols.length > 1) return refuse('400 Bad Request');
  const accept = createHash('sha1')
    .update(key + MAGIC, 'latin1')
    .digest('base64');
  const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
  lines.push(`Sec-WebSocket-Accept: ${accept}`);
  if (protocols[0] !== undefined) lines.push(`Sec-WebSocket-Protocol: ${protocols[0]}`);
  return { accepted: true, response: `${lines.join('\r\n')}\r\n\r\n` };
}

/** Returns a refusal as upstream's WebSocket library writes it: without the headers of HTTP responses. */
const refuse = (status: string, body = '', headers = ''): Handshake => ({
  accepted: false,
  response: `HTTP/1.1 ${status}\r\n${headers}\r\n${body}`,
});

const isOrigin = (origin = ''): boolean => origin !== '' && uriProblem(origin) === undefined;

/** Returns the subprotocols that a client offers. The one with its token must not be sent back. */
function offeredProtocols({ headersDistinct }: IncomingMessage): readonly string[] {
  const values = headersDistinct['sec-websocket-protocol'] ?? [];
  const all = values.flatMap((value) => value.split(',')).map((name) => name.trim());
  const others = all.filter((name) => !BEARER.test(name));
  // As in upstream, only a request with a token has all its header lines considered.
  const offered = (others.length < all.length ? others.join(',') : (values[0] ?? '')).trim();
  return offered === '' ? [] : offered.split(',').map((name) => name.trim());
}
