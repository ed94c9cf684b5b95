import type { ServerResponse } from 'node:http';
import { Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { UserInfo } from '../meta/user-info.js';
import { type ApiRequest, type ApiResponse, CallerGoneError } from '../requests/api-request.js';
import { refuseUnknownMembers } from '../values/did-you-mean.js';
import { BODY_SLICE_BYTES } from './bodies/body-pump.js';
import { announceEnd, discardRest } from './bodies/discard-rest.js';
import { COMPRESSION_BYTES } from './bodies/gzip-body.js';
import { whenReaderGone } from './bodies/request-body.js';
import { checkHead } from './check-head.js';
import type { ConnectionLimits } from './connection-limits.js';
import { cutOff } from './end-connection.js';
import { Http1Connection } from './http1-connection.js';
import { NodeRequest, parseTarget, type RequestTarget } from './node-request.js';
import { OpenAnswers } from './open-answers.js';
import { plainAnswer } from './plain-answer.js';
import type { RequestHandler } from './request-handler.js';
import { writeResponse } from './response-writer.js';
import {
  bodyOf,
  fromCompatibility,
  type Incoming,
  isStream,
  type NodeIncoming,
  type NodeOutgoing,
  type Outgoing,
  StreamRequest,
} from './stream-request.js';

/** A request listener for servers of node:http, node:https and node:http2. */
export type NodeHandler = (incoming: NodeIncoming, outgoing: NodeOutgoing) => void;

/** The options of `toNodeHandler`. */
export interface NodeHandlerOptions {
  /**
   * Returns the user of a request if the program has already authenticated the request. If it returns undefined (the default), the server
   * authenticates the request. If it throws or rejects, the request ends with a 500.
   */
  readonly user?: (incoming: NodeIncoming) => UserInfo | undefined | Promise<UserInfo | undefined>;
  /** Called with unexpected errors: a handler that rejected, or a response that was not sent. Default: they are printed on stderr. */
  readonly onError?: (error: unknown) => void;
  /** Limits on the resources that clients may occupy; `maxConnections` and `maxStreams` are set on the Node server itself. */
  readonly limits?: Omit<ConnectionLimits, 'maxConnections' | 'maxStreams'>;
}

/**
 * Mounts a server in an existing Node server: `http.createServer(toNodeHandler(server))`. HTTP/1.1 and HTTP/2 are supported, and client
 * certificates if the Node server requests them. Watches end when `server` shuts down. On Node 24, an HTTPS server that verifies client
 * certificates itself (`ca`) loses the intermediate certificates that a client sends. Leave verification to `server`, or configure the
 * intermediates in its authenticator.
 * @throws TypeError without a server, for an option that does not exist, and for a limit outside its range.
 */
export function toNodeHandler(server: RequestHandler, options: NodeHandlerOptions = {}): NodeHandler {
  refuseUnknownMembers('toNodeHandler', options, ['user', 'onError', 'limits']);
  if (typeof server?.handle !== 'function') throw new TypeError('toNodeHandler: the first argument must be a server');
  const handler = protocolHandler(server, options.onError, new OpenAnswers(options.limits));
  const { user } = options;
  return (incoming, outgoing) => {
    const userOf = user && (() => user(incoming));
    if (incoming instanceof Http2ServerRequest)
      // The response to an HTTP/2 request is always of this type, so the cast is safe.
      handler(fromCompatibility(incoming), (outgoing as Http2ServerResponse).stream, userOf);
    else handler(incoming, outgoing as ServerResponse, userOf);
  };
}

/** Returns the user of a request that the program has already authenticated. */
type UserOf = () => UserInfo | undefined | Promise<UserInfo | undefined>;

/** Handles requests of HTTP/1.x and HTTP/2. */
export type ProtocolHandler = (incoming: Incoming, outgoing: Outgoing, userOf?: UserOf) => void;

/**
 * Creates a handler that tracks its open responses in `answers`, so that the caller can end them.
 * @param schedule runs a callback that begins a request. Default: at once, because a program that mounts the handler may keep data of the
 * request in an AsyncLocalStorage.
 */
export function protocolHandler(
  server: RequestHandler,
  onError: (error: unknown) => void = (error) => console.error(error),
  answers: OpenAnswers,
  schedule: (begin: () => void) => void = (begin) => begin(),
): ProtocolHandler {
  const send = (incoming: Incoming, outgoing: Outgoing, response: ApiResponse) => {
    const isComplete = incoming.complete;
    if (!isComplete) announceEnd(incoming, outgoing, answers.limits);
    const onFault = (error: unknown) => {
      if (response.body.type === 'stream') response.body.stream.close();
      if (isGone(outgoing)) return;
      onError(error);
      fail(incoming, outgoing, answers);
    };
    try {
      const answer = refuseWithoutRoom(answers, incoming, response);
      writeResponse(outgoing, incoming.method ?? 'GET', answer, { open: answers, onFault });
    } catch (error) {
      onFault(error);
    }
    if (isComplete) return;
    // With HPACK a few kilobytes become headers that take megabytes, and a client can leave many bodies unfinished on one session.
    if (incoming instanceof StreamRequest) incoming.rawHeaders.length = 0;
    whenReaderGone(bodyOf(incoming), () => discardRest(incoming, outgoing, answers.limits));
  };

  // The function is async, so that an exception of the server cannot prevent the requests that are scheduled after this one from beginning.
  const serve = async (incoming: Incoming, outgoing: Outgoing, target: RequestTarget, userOf?: UserOf) => {
    // If a client opens a stream and resets it at once, the request is not executed.
    if (isGone(outgoing)) return;
    // The types differ only in that `peerCertificates` may be present with the value undefined here. All readers treat this like an absent
    // member, so the cast is safe.
    const request = new NodeRequest(incoming, outgoing, target) as ApiRequest;
    let response: ApiResponse;
    try {
      response = await (userOf ? server.handle(request, { user: await userOf() }) : server.handle(request));
    } catch (error) {
      if (!(error instanceof CallerGoneError)) onError(error);
      fail(incoming, outgoing, answers);
      return;
    }
    send(incoming, outgoing, response);
    if (response.body.type === 'stream' && response.body.finite !== true) request.dropHead?.();
  };

  return (incoming, outgoing, userOf) => {
    const target = parseTarget(incoming.url, incoming.method);
    const refusal = checkHead(incoming);
    const isRefused = refusal !== undefined || target === undefined;
    const answer = () => {
      if (isRefused) send(incoming, outgoing, refusal ?? plainAnswer(400));
      else schedule(() => void serve(incoming, outgoing, target, userOf));
    };
    if (incoming instanceof StreamRequest) {
      answer();
      return;
    }
    const connection = Http1Connection.of(incoming.socket);
    // Every request other than a StreamRequest is of HTTP/1.x, so the cast is safe.
    const response = outgoing as ServerResponse;
    connection.add(response);
    // An invalid head is refused at once, because Node's parser may soon find the same error and would send its own response.
    connection.inTurn(response, isRefused, answer);
  };
}

/** Returns the response, or a 429 if the memory for waiting responses has no room for it. The response to a write is always returned. */
function refuseWithoutRoom(answers: OpenAnswers, { method }: Incoming, response: ApiResponse): ApiResponse {
  const { body, gzip } = response;
  // The bytes that the response holds at most while its client does not read. A watch has limits of its own, so it counts as 0.
  const held = body.type === 'bytes' ? body.length : body.type === 'stream' && body.finite ? BODY_SLICE_BYTES : 0;
  if (answers.hasRoomFor(gzip ? held + COMPRESSION_BYTES : held) || method !== 'GET') return response;
  if (body.type === 'stream') body.stream.close();
  const refusal = plainAnswer(429, 'Too many requests, please try again later.\n');
  return { ...refusal, headers: { ...refusal.headers, 'Retry-After': '1' } };
}

/**
 * Returns whether the client has disconnected or reset the HTTP/2 stream. In this case no response can be sent, and this is not an error of
 * the server.
 */
function isGone(outgoing: Outgoing): boolean {
  return outgoing.destroyed || (isStream(outgoing) && outgoing.closed);
}

/** Answers an unexpected error with a fixed message; only the operator sees the cause. */
function fail(incoming: Incoming, outgoing: Outgoing, answers: OpenAnswers): void {
  if (isGone(outgoing)) return;
  if (outgoing.headersSent) {
    cutOff(outgoing);
    return;
  }
  const text = 'This request caused apiserver to panic. Look in the logs for details.\n';
  writeResponse(outgoing, incoming.method ?? 'GET', plainAnswer(500, text), {
    open: answers,
    onFault: () => undefined,
  });
}
