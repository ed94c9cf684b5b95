import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants } from 'node:http2';
import type { Socket } from 'node:net';
import type { ConnectionLimits } from '../connection-limits.js';
import { halfClose, lingerAtEnd } from '../end-connection.js';
import { waitsForContinue } from '../expectations.js';
import { bodyOf, type Incoming, isStream, type Outgoing, StreamRequest } from '../stream-request.js';

type DiscardLimits = Pick<Required<ConnectionLimits>, 'discardBytes' | 'discardTimeout'>;

/** The number of bytes that a chunk counts for at least, because a small chunk costs no less to receive. */
const LEAST_BYTES = 1024;

/** Returns whether the body of an answered request has not been received to its end. */
export function hasRest(incoming: Incoming): boolean {
  if (incoming instanceof StreamRequest) return !incoming.stream.endAfterHeaders && !incoming.stream.readableEnded;
  return !incoming.complete;
}

/**
 * Prepares an HTTP/1.x answer for the rest of its request's body: announces the end of the connection if more bytes are announced than
 * would be discarded, or if the client still waits for `100 Continue` and may or may not send its body.
 */
export function announceEnd(incoming: Incoming, outgoing: Outgoing, limits: DiscardLimits): void {
  if (incoming instanceof StreamRequest || isStream(outgoing)) return;
  const announced = Number(incoming.headers['content-length'] ?? 0);
  if (announced > limits.discardBytes || waitsForContinue(outgoing)) outgoing.shouldKeepAlive = false;
}

/**
 * Receives and discards the rest of a request's body after the answer, so that the connection can be reused. A client that sends too much
 * or too slowly is stopped: an HTTP/1.x connection is closed, and an HTTP/2 stream is reset with NO_ERROR, which is the last resort,
 * because clients lose track of what they have queued for a stream that is reset.
 */
export function discardRest(incoming: Incoming, outgoing: Outgoing, limits: DiscardLimits): void {
  const body = bodyOf(incoming);
  let stopped = false;
  const stop = () => {
    if (stopped) return;
    stopped = true;
    clearTimeout(timer);
    if (!(incoming instanceof StreamRequest)) halfClose(incoming.socket);
    else if (!incoming.stream.destroyed) incoming.stream.close(constants.NGHTTP2_NO_ERROR);
  };
  const timer = setTimeout(stop, limits.discardTimeout);
  timer.unref();
  let left = limits.discardBytes;
  body.on('data', (chunk: Uint8Array) => {
    left -= Math.max(chunk.length, LEAST_BYTES);
    if (left < 0) stop();
  });
  body.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  body.on('error', () => undefined);
  if (!(incoming instanceof StreamRequest)) lingerAtEnd(outgoing as ServerResponse);
  body.resume();
}

/** The number of pipelined requests on one connection that are read before earlier answers are sent. */
const MOST = 32;

const ahead = new WeakMap<Socket, number>();

/**
 * Resumes an HTTP/1.x connection that Node has paused because the previous answer is still in the socket's buffer. Node pauses its
 * parser as well, but TLS goes on delivering records it has already received; the paused parser reports them as `HPE_PAUSED`, which
 * would end the connection. Beyond a number of pipelined requests Node's pause stays, because the client is not reading the answers.
 */
export function keepReading(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const socket = incoming.socket as Socket & { _paused?: boolean };
  if (socket._paused !== true || incoming.complete) return;
  const count = (ahead.get(socket) ?? 0) + 1;
  if (count > MOST) return;
  ahead.set(socket, count);
  outgoing.once('close', () => ahead.set(socket, (ahead.get(socket) ?? 1) - 1));
  socket._paused = false;
  socket.resume();
}
