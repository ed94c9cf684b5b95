import type { ServerResponse } from 'node:http';
import { constants, type Http2Session, type ServerHttp2Stream } from 'node:http2';
import type { Duplex, Writable } from 'node:stream';
import { isStream, type Outgoing } from './stream-request.js';

/** Milliseconds a client has to read its answer and to stop sending, after the connection was closed for writing. */
const LINGER = 1_000;

const ending = new WeakSet<Duplex>();

/**
 * Ends a connection without losing what was just written, by closing it for writing first. If it were closed in both directions while the
 * client still sends, it would be reset, and the client's side would discard the answer.
 */
export function halfClose(socket: Duplex, linger = LINGER): void {
  if (socket.destroyed || ending.has(socket)) return;
  ending.add(socket);
  socket.end();
  const timer = setTimeout(() => socket.destroy(), linger);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
}

/** Makes a connection linger after an answer that ends it. Node closes it at once; if bytes were unread, the client would get a reset. */
export function lingerAtEnd({ shouldKeepAlive, req }: ServerResponse): void {
  if (shouldKeepAlive) return;
  const { socket } = req;
  socket.destroySoon = () => halfClose(socket);
}

/** The writable side of a response: a ServerResponse or an HTTP/2 stream. */
export type Sink = Pick<Writable, 'write' | 'end' | 'on' | 'once' | 'destroy' | 'destroyed' | 'writableEnded'>;

/** Milliseconds that an HTTP/2 session has to answer a ping. */
const PATIENCE = 2_000;

const cut = new WeakSet<object>();

/** Returns whether the server itself has cut off an answer over HTTP/2. */
export const isCutOff = (stream: ServerHttp2Stream): boolean => cut.has(stream);

/**
 * Aborts an answer whose client does not read: destroys the connection of HTTP/1.x, or the stream of HTTP/2, and then its session if that
 * does not respond either.
 */
export function cutOff(sink: Sink | Outgoing): void {
  if (!isStream(sink)) {
    sink.destroy();
    return;
  }
  const stream: ServerHttp2Stream = sink;
  const { session } = stream;
  cut.add(stream);
  // Node ends the writable side before it resets the stream, and a client takes an answer that ends for whole.
  stream._final = () => {};
  if (!stream.destroyed) stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  stream.destroy();
  if (session !== undefined) destroyIfSilent(session);
}

const pinged = new WeakSet<Http2Session>();

/** Destroys a session that does not answer a ping, because what is queued for it would stay in memory forever. */
export function destroyIfSilent(session: Http2Session, patience = PATIENCE): void {
  if (session.destroyed || pinged.has(session)) return;
  pinged.add(session);
  const timer = setTimeout(() => session.destroy(), patience);
  timer.unref();
  const answered = () => {
    clearTimeout(timer);
    pinged.delete(session);
  };
  session.once('close', () => clearTimeout(timer));
  session.ping(answered);
}
