import { validateHeaderValue } from 'node:http';
import type { OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { ApiResponse } from '../requests/api-request.js';
import { BODY_SLICE_BYTES } from './bodies/body-pump.js';
import { sendGzip } from './bodies/gzip-body.js';
import { chunkFraming, type Framing, StreamPump } from './bodies/stream-pump.js';
import { cutOff, type Sink } from './end-connection.js';
import { Http1Connection } from './http1-connection.js';
import { COUNTED_BYTES, noteProgress, type OpenAnswers } from './open-answers.js';
import { isStream, type Outgoing } from './stream-request.js';
import { answerHandshake, requestsWebSocket } from './web-socket/handshake.js';
import { openChannel } from './web-socket/open-channel.js';
import { acceptHandshake, eventFrames, webSocketFraming } from './web-socket/open-web-socket.js';

const NOT_ASCII = /[^\0-\x7f]/;
/** The size above which a body over HTTP/1.1 is sent with chunked coding and without a Content-Length, as Go's net/http does. */
const MAX_COUNTED_BYTES = 2048;

/** The options of `writeResponse` besides the response itself. */
export interface WriteOptions {
  /** Tracks the responses in progress. A response is removed when it ends. */
  readonly open: OpenAnswers;
  /**
   * Called with an error that occurs after `writeResponse` has returned: the headers of a compressed response cannot be sent, or the stream
   * of the body failed.
   */
  readonly onFault: (error: unknown) => void;
}

/**
 * Writes a response. A body of one chunk is sent together with the headers. A response to HEAD, and a 204 or 304, has no body. Throws if a
 * header cannot be sent (a line break in its value), in which case nothing has been sent.
 */
export function writeResponse(
  outgoing: Outgoing,
  method: string,
  response: ApiResponse,
  { open, onFault }: WriteOptions,
): void {
  const { body } = response;
  const bodiless = method === 'HEAD' || response.status === 204 || response.status === 304;
  // The client has disconnected. A response to it would stay in `open` forever, because its event `close` has already been emitted.
  if (outgoing.destroyed) {
    if (body.type === 'stream') body.stream.close();
    return;
  }
  if (open.closing && 'shouldKeepAlive' in outgoing) outgoing.shouldKeepAlive = false;
  if (body.type === 'lost') {
    cutOff(outgoing);
    return;
  }
  const connection = isStream(outgoing) ? undefined : Http1Connection.of(outgoing.req.socket);
  if (body.type === 'channel') {
    openChannel(connection, response.headers, body.channel);
    return;
  }
  if (connection?.upgrade && body.type === 'stream' && body.events && requestsWebSocket(connection.upgrade.incoming)) {
    const { incoming } = connection.upgrade;
    const head = connection.upgrade.takeBytes();
    const { accepted, response: answer } = answerHandshake(incoming);
    if (!accepted) {
      body.stream.close();
      connection.socket.write(answer, 'latin1');
      connection.end();
      connection.socket.resume();
      return;
    }
    // This is a watch over a WebSocket (spec 4.16).
    acceptHandshake(connection, answer, head);
    open.sendEvents(eventFrames(body.stream, body.events), connection.socket, { onFault, framing: webSocketFraming });
    return;
  }
  const { status, headers } = response;
  const head: Head = { status, headers, length: contentLength(response, method), alone: body.type === 'stream' };
  if (response.gzip && !bodiless) {
    const compressed = compressedHeaders(headers);
    const begin = (length: number | undefined) =>
      respond(outgoing, connection, { ...head, headers: compressed, length });
    sendGzip(body, outgoing, open, { begin, holds: MAX_COUNTED_BYTES, onFault });
    return;
  }
  const sink = respond(outgoing, connection, head);
  if (sink === undefined || bodiless || body.type !== 'stream') {
    if (body.type === 'stream') body.stream.close();
    if (sink === undefined) return;
    if (bodiless || body.type !== 'bytes' || body.length === 0) {
      open.watchOver(outgoing);
      sink.end();
    } else if (body.length < COUNTED_BYTES) {
      open.watchOver(outgoing, body.length);
      sink.end(joined(body.chunks));
    } else {
      const answer = open.watchOver(outgoing);
      open.sendBody(answer, body.length > BODY_SLICE_BYTES ? body.chunks : [joined(body.chunks)], sink);
    }
    return;
  }
  const pumping = { onFault, framing: framingOf(outgoing) };
  if (!body.finite) {
    if (connection && !isStream(outgoing)) connection.watch = outgoing;
    open.sendEvents(body.stream, sink, pumping);
    return;
  }
  // A large list has the time limit of ordinary responses, and unlike a watch it is not ended by a shutdown.
  new StreamPump(body.stream, sink, { ...pumping, sliceBytes: BODY_SLICE_BYTES });
  noteProgress(open.watchOver(outgoing, BODY_SLICE_BYTES), outgoing);
}

/**
 * Returns the bytes of a body as one chunk, because joining chunks costs less than writing them one by one. A single chunk stays the same
 * object, by which responses that share it are counted.
 */
function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
}

interface Head {
  readonly status: number;
  readonly headers: ApiResponse['headers'];
  /** The number of bytes of the body; undefined if it is unknown, or if the headers already contain a Content-Length. */
  readonly length: number | undefined;
  /**
   * Whether the head is written separately from the body: because the body may not exist yet, or because joining head and body costs more
   * than a second write.
   */
  readonly alone: boolean;
}

function compressedHeaders({ 'Content-Length': _plain, ...headers }: ApiResponse['headers']): ApiResponse['headers'] {
  return { ...headers, 'Content-Encoding': 'gzip' };
}

/**
 * Starts a response. Returns the sink of its body, or undefined if the client has disconnected.
 * @param connection the connection of an HTTP/1.x response
 */
function respond(outgoing: Outgoing, connection: Http1Connection | undefined, head: Head): Sink | undefined {
  if (isStream(outgoing)) return respondOverHttp2(outgoing, head);
  // The connection will not be handed over, so further bytes of the client are discarded. Unread bytes would hide its end.
  connection?.upgrade?.takeBytes();
  if (connection?.upgrade) connection.socket.resume();
  if (outgoing.destroyed) return undefined;
  const { status, headers, length, alone } = head;
  // Node writes a flat list of names and values without copying it again.
  const lines: string[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === 'string') lines.push(name, encodeValue(value));
    else for (const one of value ?? []) lines.push(name, encodeValue(one));
  }
  // Node takes the header into account when it ends the connection, but does not change this property.
  if (headers.Connection === 'close') outgoing.shouldKeepAlive = false;
  if (length !== undefined && length <= MAX_COUNTED_BYTES) lines.push('Content-Length', String(length));
  outgoing.writeHead(status, lines);
  // Node's flushHeaders would encode characters beyond ASCII as UTF-8 a second time, so the head is sent with an empty write in latin1.
  if (alone && lines.some((line) => NOT_ASCII.test(line))) outgoing.write('', 'latin1');
  else if (alone) outgoing.flushHeaders();
  return outgoing;
}

/**
 * Disables Node's chunked framing of a started HTTP/1.1 response, and returns the framing to use instead. Returns undefined for HTTP/2 and
 * HTTP/1.0, which have no chunks.
 */
function framingOf(outgoing: Outgoing): Framing | undefined {
  if (isStream(outgoing) || !outgoing.chunkedEncoding) return undefined;
  outgoing.chunkedEncoding = false;
  return chunkFraming;
}

/** Starts an HTTP/2 response. */
function respondOverHttp2(
  stream: ServerHttp2Stream,
  { status, headers: responseHeaders, length }: Head,
): Sink | undefined {
  if (stream.destroyed || stream.closed || stream.headersSent) return undefined;
  const headers: OutgoingHttpHeaders = { ':status': status };
  for (const name in responseHeaders) {
    const key = name.toLowerCase();
    const value = responseHeaders[name];
    if (key === 'connection') {
      // Over HTTP/2, the header `Connection: close` is replaced by GOAWAY before the response, and by closing the session after it. A
      // client that learned it only after the response could have sent its next request already, which would be lost.
      const { session } = stream;
      session?.goaway();
      stream.once('close', () => session?.close());
    } else if (value !== undefined) {
      const values = (typeof value === 'string' ? [value] : value).map(encodeValue);
      // Node would silently omit an invalid header over HTTP/2; over HTTP/1.x it throws, and so does this check.
      for (const one of values) validateHeaderValue(name, one);
      headers[key] = values.length === 1 ? values[0] : values;
    }
  }
  if (length !== undefined) headers['content-length'] = String(length);
  stream.respond(headers);
  return stream;
}

function contentLength({ body, status, headers }: ApiResponse, method: string): number | undefined {
  if (status === 204 || status === 304 || 'Content-Length' in headers) return undefined;
  if (body.type === 'bytes') return body.length;
  return body.type === 'none' && method !== 'HEAD' ? 0 : undefined;
}

/** Encodes a header value so that it is sent as UTF-8, because Node writes one byte for each character. */
function encodeValue(value: string): string {
  return NOT_ASCII.test(value) ? Buffer.from(value, 'utf8').toString('latin1') : value;
}
