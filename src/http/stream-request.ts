import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse, ServerHttp2Stream } from 'node:http2';
import type { Readable } from 'node:stream';

/** A request of Node's HTTP/1.x server, or of the compatibility layer of its HTTP/2 server. */
export type NodeIncoming = IncomingMessage | Http2ServerRequest;
/** A response of Node's HTTP/1.x server, or of the compatibility layer of its HTTP/2 server. */
export type NodeOutgoing = ServerResponse | Http2ServerResponse;

/** A request over HTTP/1.x, or over HTTP/2. */
export type Incoming = IncomingMessage | StreamRequest;
/** The object that a response is written to: the HTTP/1.x response, or the HTTP/2 stream. */
export type Outgoing = ServerResponse | ServerHttp2Stream;

/**
 * A request over HTTP/2, with its stream and its head. It is used instead of the request of Node's compatibility layer, which would create
 * two more streams per request and double the cost of the protocol.
 */
export class StreamRequest {
  readonly httpVersionMajor = 2;
  readonly httpVersionMinor = 0;
  readonly stream: ServerHttp2Stream;
  readonly method: string;
  url: string;
  readonly authority: string | undefined;
  /** Alternating header names and values, including the pseudo-headers. */
  readonly rawHeaders: string[];
  /**
   * The source of the body: the stream, or the request of Node's compatibility layer if the server of an embedding program uses that layer.
   */
  readonly body: Readable;

  constructor(stream: ServerHttp2Stream, headers: Head, rawHeaders: string[], body: Readable = stream) {
    this.stream = stream;
    this.method = headers[':method'] ?? 'GET';
    this.url = headers[':path'] ?? '';
    this.authority = headers[':authority'] ?? headers.host;
    this.rawHeaders = rawHeaders;
    this.body = body;
  }

  /** Properties of the connection. They are read once, because the socket property of an HTTP/2 session is a slow proxy object. */
  get connection(): ConnectionFacts | undefined {
    const { session } = this.stream;
    if (session === undefined) return undefined;
    let facts = connections.get(session);
    if (facts === undefined) {
      const { socket } = session;
      facts = { remoteAddress: socket.remoteAddress, entriesRead: entriesRead(socket) };
      connections.set(session, facts);
    }
    return facts;
  }

  /** Whether the body has been received, as `complete` of an HTTP/1.x request. */
  get complete(): boolean {
    return this.stream.endAfterHeaders || this.stream.readableEnded;
  }
}

interface Head {
  readonly ':method'?: string | undefined;
  readonly ':path'?: string | undefined;
  readonly ':authority'?: string | undefined;
  readonly host?: string | undefined;
}

/** The total number of header names and values that Node reads by default. */
export const NODES_ENTRIES = 2000;

/** Returns the maximum number of header names and values that the server of a connection reads. */
export function entriesRead(socket: object): number {
  const { server } = socket as { readonly server?: { readonly maxHeadersCount?: number | null } };
  const { maxHeadersCount: count = null } = server ?? {};
  if (count === null) return NODES_ENTRIES;
  return count > 0 ? 2 * count : Number.POSITIVE_INFINITY;
}

interface ConnectionFacts {
  readonly remoteAddress: string | undefined;
  readonly entriesRead: number;
}
const connections = new WeakMap<object, ConnectionFacts>();

/**
 * Converts a request of Node's HTTP/2 compatibility layer. Such requests come only from the Node server of a program that mounts this
 * server.
 */
export const fromCompatibility = (incoming: Http2ServerRequest): StreamRequest =>
  new StreamRequest(incoming.stream, incoming.headers as Head, incoming.rawHeaders, incoming);

/** Returns the stream that the body of a request is read from. */
export const bodyOf = (incoming: Incoming): Readable => (incoming instanceof StreamRequest ? incoming.body : incoming);

/** Returns whether a request announces a body. The lengths of header names are compared first, because that rules out most headers cheaply. */
export function announcesBody(incoming: Incoming): boolean {
  const isHttp2 = incoming instanceof StreamRequest;
  if (isHttp2 && incoming.stream.endAfterHeaders) return false;
  const { rawHeaders } = incoming;
  let isUnmeasured = isHttp2;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === 14 && name.toLowerCase() === 'content-length') return Number(rawHeaders[i + 1]) !== 0;
    if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') isUnmeasured = true;
  }
  return isUnmeasured;
}

/** Returns whether a response is written to an HTTP/2 stream. Such a stream has a reset code (`rstCode`), unlike an HTTP/1.x response. */
export const isStream = (outgoing: object): outgoing is ServerHttp2Stream => 'rstCode' in outgoing;
