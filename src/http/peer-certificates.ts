import type { TLSSocket } from 'node:tls';
import { sentCertificates } from '../pki/sent-certificates.js';

const chains = new WeakMap<object, readonly Uint8Array[] | 'none'>();

/**
 * The chain the client presented: DER, leaf first, not verified yet. Read once per connection: the same frozen
 * array each time, so that what is learned from it can be kept by its identity.
 * @param connection what identifies the connection: its socket, or the session of HTTP/2.
 * @param socket the connection's socket; undefined when it is gone.
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
  // Asked by its value: the proxy that HTTP/2 shows has no members of its own.
  return typeof (socket as Partial<TLSSocket> | null | undefined)?.getPeerX509Certificate === 'function';
}
