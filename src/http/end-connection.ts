import { constants, type Http2Session, type ServerHttp2Stream } from 'node:http2';
import type { Writable } from 'node:stream';
import { isStream, type Outgoing } from './stream-request.js';

/** The writable side of a response: a ServerResponse or an HTTP/2 stream. */
export type Sink = Pick<Writable, 'write' | 'end' | 'on' | 'once' | 'destroy' | 'destroyed' | 'writableEnded'>;

/** Milliseconds that the client of an HTTP/2 session has to answer a ping. */
const PING_TIMEOUT = 2_000;

const cut = new WeakSet<object>();

/** Returns whether the server itself has cut off a response over HTTP/2. */
export const isCutOff = (stream: ServerHttp2Stream): boolean => cut.has(stream);

/**
 * Aborts a response whose client does not read. An HTTP/1.x connection is destroyed. Over HTTP/2 the stream is destroyed, and also the
 * session if the client does not answer a ping.
 */
export function cutOff(sink: Sink | Outgoing): void {
  if (!isStream(sink)) {
    sink.destroy();
    return;
  }
  const stream: ServerHttp2Stream = sink;
  const { session } = stream;
  cut.add(stream);
  // Node would end the writable side before it resets the stream, and the client would take the truncated response as complete. The empty
  // function prevents this.
  stream._final = () => {};
  if (!stream.destroyed) stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  stream.destroy();
  if (session !== undefined) destroyIfSilent(session);
}

const pinged = new WeakSet<Http2Session>();

/**
 * Destroys an HTTP/2 session if its client does not answer a ping. Otherwise the bytes queued for the client would stay in memory forever.
 */
export function destroyIfSilent(session: Http2Session, timeout = PING_TIMEOUT): void {
  if (session.destroyed || pinged.has(session)) return;
  pinged.add(session);
  const timer = setTimeout(() => session.destroy(), timeout);
  timer.unref();
  const answered = () => {
    clearTimeout(timer);
    pinged.delete(session);
  };
  session.once('close', () => clearTimeout(timer));
  session.ping(answered);
}
