import type { ServerResponse } from 'node:http';
import { constants } from 'node:http2';
import type { ConnectionLimits } from '../connection-limits.js';
import { Http1Connection } from '../http1-connection.js';
import { bodyOf, type Incoming, isStream, type Outgoing, StreamRequest } from '../stream-request.js';
import { waitsForContinue } from './request-body.js';

type DiscardLimits = Pick<Required<ConnectionLimits>, 'discardBytes' | 'discardTimeout'>;

/**
 * The minimum number of bytes that each chunk is counted as, because receiving a small chunk costs no less than receiving this many bytes.
 */
const LEAST_BYTES = 1024;

/**
 * Prepares an HTTP/1.x response to a request whose body has not been received whole. The response announces `Connection: close` in two
 * cases: the Content-Length exceeds what the server discards, or the client waits for `100 Continue` and may never send its body.
 */
export function announceEnd(incoming: Incoming, outgoing: Outgoing, limits: DiscardLimits): void {
  if (incoming instanceof StreamRequest || isStream(outgoing)) return;
  const announced = Number(incoming.headers['content-length'] ?? 0);
  if (announced > limits.discardBytes || waitsForContinue(outgoing)) outgoing.shouldKeepAlive = false;
}

/**
 * Receives and discards the rest of a request's body after the response, so that the connection can be reused. A client that sends too much
 * or too slowly is stopped: its HTTP/1.x connection is closed, or its HTTP/2 stream is reset with NO_ERROR. The reset is the last resort,
 * because it makes some clients lose track of the data that they have queued for the stream.
 */
export function discardRest(incoming: Incoming, outgoing: Outgoing, limits: DiscardLimits): void {
  const body = bodyOf(incoming);
  // After the client has disconnected, no event would stop the timer, and it would keep the request in memory.
  if (outgoing.destroyed) return;
  let stopped = false;
  const stop = () => {
    if (stopped) return;
    stopped = true;
    clearTimeout(timer);
    if (!(incoming instanceof StreamRequest)) Http1Connection.of(incoming.socket).end();
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
  if (!(incoming instanceof StreamRequest)) Http1Connection.of(incoming.socket).lingerAfter(outgoing as ServerResponse);
  body.resume();
}
