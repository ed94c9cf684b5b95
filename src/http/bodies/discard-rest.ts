import type { ServerResponse } from 'node:http';
import { constants, Http2ServerRequest } from 'node:http2';
import type { Socket } from 'node:net';
import type { ConnectionLimits } from '../connection-limits.js';
import { waitsForContinue } from '../expectations.js';
import { halfClose } from '../half-close.js';
import type { NodeOutgoing } from '../node-request.js';
import type { NodeIncoming } from './request-body.js';

type DiscardLimits = Pick<Required<ConnectionLimits>, 'discardBytes' | 'discardTimeout'>;

/** Bytes that a chunk counts for at least: to take in a small one costs no less. */
const LEAST_BYTES = 1024;

/** Whether a request that is answered now has a body that did not come to its end. */
export function hasRest(incoming: NodeIncoming): boolean {
  if (incoming instanceof Http2ServerRequest) return !incoming.stream.endAfterHeaders && !incoming.stream.readableEnded;
  return !incoming.complete;
}

/**
 * Before an answer of HTTP/1.x: says that the connection ends when more is announced than would be discarded, or when the
 * client was never asked for its body and may send it or not.
 */
export function announceEnd(incoming: NodeIncoming, outgoing: NodeOutgoing, limits: DiscardLimits): void {
  if (!('shouldKeepAlive' in outgoing)) return;
  const announced = Number(incoming.headers['content-length'] ?? 0);
  if (announced > limits.discardBytes || waitsForContinue(outgoing)) outgoing.shouldKeepAlive = false;
}

/**
 * After an answer: takes in and forgets the rest of its request's body, so that the connection can go on. A client that
 * sends too much or too slowly is stopped: a stream of HTTP/2 is reset with NO_ERROR (clients lose track of what they had
 * queued for a stream that is reset, so that is the last resort), a connection of HTTP/1.x is closed.
 */
export function discardRest(incoming: NodeIncoming, outgoing: NodeOutgoing, limits: DiscardLimits): void {
  const two = incoming instanceof Http2ServerRequest;
  let stopped = false;
  const stop = () => {
    if (stopped) return;
    stopped = true;
    clearTimeout(timer);
    if (!two) halfClose(incoming.socket);
    else if (!incoming.stream.destroyed) incoming.stream.close(constants.NGHTTP2_NO_ERROR);
  };
  const timer = setTimeout(stop, limits.discardTimeout);
  timer.unref();
  let left = limits.discardBytes;
  incoming.on('data', (chunk: Uint8Array) => {
    left -= Math.max(chunk.length, LEAST_BYTES);
    if (left < 0) stop();
  });
  incoming.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  incoming.on('error', () => undefined);
  if (!two) lingerAtEnd(incoming.socket, outgoing as ServerResponse);
  incoming.resume();
}

/** Node closes a connection at once after an answer that ends it; with bytes unread that would be a reset. */
function lingerAtEnd(socket: Socket, outgoing: ServerResponse): void {
  if (outgoing.shouldKeepAlive) return;
  socket.destroySoon = () => halfClose(socket);
}
