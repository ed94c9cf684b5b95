import type { TLSSocket } from 'node:tls';
import { sentCertificates } from '../pki/sent-certificates.js';

const chains = new WeakMap<object, readonly Uint8Array[] | 'none'>();

/**
 * Returns the chain that the client presented: DER, leaf first, not verified. It is read once per connection and always the same frozen
 * array, so that results can be cached by its identity.
 * @param connection what identifies the connection: its socket, or the session of HTTP/2.
 * @param socket the connection's socket; undefined after the connection closed.
 */
export function peerCertificates(
  connection: object,
  socket: object | null | undefined,
): readonly Uint8Array[] | undefined {
  let chain = chains.get(connection);
  if (chain === undefined) {
    const sent = isTlsSocket(socket) ? sentCertificates(socket.getPeerX509Certificate()) : [];
    chain = sent.length === 0 ? 'none' : Object.freeze(sent);
    chains.set(connection, chain);
  }
  return chain === 'none' ? undefined : chain;
}

function isTlsSocket(socket: object | null | undefined): socket is TLSSocket {
  // The value is read instead of using `in`, because the proxy object of HTTP/2 has no members of its own.
  return typeof (socket as Partial<TLSSocket> | null | undefined)?.getPeerX509Certificate === 'function';
}
