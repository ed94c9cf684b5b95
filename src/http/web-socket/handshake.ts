import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

// RFC 6455, section 1.3 defines this value.
const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const KEY = /^[A-Za-z0-9+/]{22}==$/;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const BEARER = /^base64url\.bearer\.authorization\./;

/** Returns whether an upgrade request asks for a WebSocket. */
export const asksForWebSocket = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket';

/** Returns the head of the response that accepts a WebSocket handshake; undefined if the handshake is invalid. */
export function acceptance({ method, headers }: IncomingMessage): string | undefined {
  const key = headers['sec-websocket-key'];
  if (method !== 'GET' || headers['sec-websocket-version'] !== '13' || key === undefined || !KEY.test(key))
    return undefined;
  const accept = createHash('sha1')
    .update(key + MAGIC)
    .digest('base64');
  const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
  lines.push(`Sec-WebSocket-Accept: ${accept}`);
  // A subprotocol that contains the caller's token must not be sent back.
  const offeredProtocols = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  const protocol = offeredProtocols.find((name) => TOKEN.test(name) && !BEARER.test(name));
  if (protocol !== undefined) lines.push(`Sec-WebSocket-Protocol: ${protocol}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}
