import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, type Http2Session, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex, Writable } from 'node:stream';
import { isStream, type Outgoing } from './stream-request.js';

/** Milliseconds that a client has to read its response and to stop sending, after the server has closed its side of the connection. */
const LINGER = 1_000;

const ending = new WeakSet<Duplex>();

/**
 * Ends a connection without losing the bytes just written, by closing only its writable side first. If both sides were closed while the
 * client still sends, TCP would reset the connection, and the client would discard the response.
 */
export function halfClose(socket: Duplex, linger = LINGER): void {
  if (socket.destroyed || ending.has(socket)) return;
  ending.add(socket);
  socket.end();
  const timer = setTimeout(() => socket.destroy(), linger);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
}

/**
 * Delays the closing of a connection after a response that ends the connection. Node would close the connection at once, and TCP would then
 * reset it if the client's bytes have not all been read.
 */
export function lingerAtEnd({ shouldKeepAlive, req }: ServerResponse): void {
  if (shouldKeepAlive) return;
  const { socket } = req;
  socket.destroySoon = () => halfClose(socket);
}

/** The responses of each HTTP/1.x connection that wait, or have waited, for the responses to earlier requests. */
const queued = new WeakMap<Socket, Set<ServerResponse>>();

/**
 * Closes a response together with its connection if it must wait for the responses to earlier requests. Node emits 'close' only for the
 * response that it is sending, so a waiting response and what it holds, such as a watch, would stay forever.
 */
export function closeWithConnection({ socket }: IncomingMessage, outgoing: ServerResponse): void {
  if (outgoing.socket !== null) return;
  let waiting = queued.get(socket);
  if (waiting === undefined) {
    const responses = new Set<ServerResponse>();
    // Responses that Node closes itself, in this turn, are no longer among them in the next.
    socket.once('close', () => process.nextTick(closeAll, responses));
    queued.set(socket, responses);
    waiting = responses;
  }
  waiting.add(outgoing);
  outgoing.once('close', () => waiting.delete(outgoing));
}

function closeAll(responses: ReadonlySet<ServerResponse>): void {
  for (const response of responses) {
    response.destroy();
    response.emit('close');
  }
}

/** The writable side of a response: a ServerResponse or an HTTP/2 stream. */
export type Sink = Pick<Writable, 'write' | 'end' | 'on' | 'once' | 'destroy' | 'destroyed' | 'writableEnded'>;

/** Milliseconds that the client of an HTTP/2 session has to answer a ping. */
const PATIENCE = 2_000;

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
