import type { NativeSocket } from './native-http.js';

/** The milliseconds in which a connection must be opened, and those in which its TLS handshake must end, as in Go's clients. */
const DIAL_TIMEOUT = 30_000;
const HANDSHAKE_TIMEOUT = 10_000;

/**
 * Destroys the socket of a request if it is not connected in time. Without these limits, a request for a long-lived response would wait for
 * a server that does not answer until its caller leaves. The timers are the runtime's own, because a connection has no other clock.
 * @param url the URL of the server or proxy that is dialed
 */
export function limitConnecting(socket: NativeSocket, url: string): void {
  if (!socket.connecting) {
    limitHandshake(socket);
    return;
  }
  const stop = destroyAfter(socket, DIAL_TIMEOUT, () => `dial tcp ${placeOf(url)}: i/o timeout`);
  socket.once('connect', () => {
    stop();
    limitHandshake(socket);
  });
}

/** Destroys a socket if its TLS handshake does not end in time. It has no effect for a socket without TLS. */
export function limitHandshake(socket: NativeSocket): void {
  if (socket.secureConnecting !== true) return;
  const stop = destroyAfter(socket, HANDSHAKE_TIMEOUT, () => 'net/http: TLS handshake timeout');
  socket.once('secureConnect', stop);
}

function destroyAfter(socket: NativeSocket, milliseconds: number, message: () => string): () => void {
  const timer = setTimeout(() => socket.destroy(new Error(message())), milliseconds);
  const stop = () => clearTimeout(timer);
  socket.on('close', stop);
  return stop;
}

function placeOf(url: string): string {
  const { protocol, host, port } = new URL(url);
  return port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host;
}
