import type { IncomingMessage, ServerResponse } from 'node:http';
import { Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { UserInfo } from '../meta/user-info.js';
import { type ApiRequest, type ApiResponse, CallerGoneError } from '../requests/api-request.js';
import { announceEnd, discardRest, hasRest, keepReading } from './bodies/discard-rest.js';
import { whenReaderGone } from './bodies/request-body.js';
import { checkHead } from './check-head.js';
import type { ConnectionLimits } from './connection-limits.js';
import { NodeRequest, targetOf } from './node-request.js';
import { OpenAnswers } from './open-answers.js';
import { plainAnswer } from './plain-answer.js';
import type { RequestHandler } from './request-handler.js';
import { writeResponse } from './response-writer.js';
import {
  bodyOf,
  fromCompatibility,
  type Incoming,
  type NodeIncoming,
  type NodeOutgoing,
  type Outgoing,
  StreamRequest,
} from './stream-request.js';

/** Answers requests of node:http, node:https and node:http2. */
export type NodeHandler = (incoming: NodeIncoming, outgoing: NodeOutgoing) => void;

export interface NodeHandlerOptions {
  /**
   * Returns the user of a request if the program has authenticated it already; undefined (the default) leaves that to the server. If it
   * throws or rejects, the request ends with a 500.
   */
  readonly user?: (incoming: NodeIncoming) => UserInfo | undefined | Promise<UserInfo | undefined>;
  /** Called with faults: a handler that rejected, or an answer that was not sent. Default: they are printed on stderr. */
  readonly onError?: (error: unknown) => void;
  /** Limits of what clients may occupy; `maxConnections` and `maxStreams` are set on the Node server itself. */
  readonly limits?: Omit<ConnectionLimits, 'maxConnections' | 'maxStreams'>;
}

/**
 * Mounts a server in an existing Node server: `http.createServer(toNodeHandler(server))`. Serves HTTP/1.1 and HTTP/2, with client
 * certificates if the socket requests them. Streams end when `server` ends them. On Node 24 an HTTPS server that verifies client
 * certificates itself (`ca`) loses the intermediates that a client sends: leave verification to `server`, or give the intermediates to its
 * authenticator.
 */
export function toNodeHandler(server: RequestHandler, options: NodeHandlerOptions = {}): NodeHandler {
  const handler = protocolHandler(server, options.onError, new OpenAnswers(options.limits));
  const { user } = options;
  return (incoming, outgoing) => {
    const userOf = user && (() => user(incoming));
    if (incoming instanceof Http2ServerRequest)
      handler(fromCompatibility(incoming), (outgoing as Http2ServerResponse).stream, userOf); // a request of HTTP/2 has such a response
    else handler(incoming, outgoing as ServerResponse, userOf);
  };
}

/** Finds the user of a request that the program has authenticated already. */
type UserOf = () => UserInfo | undefined | Promise<UserInfo | undefined>;

/** Answers requests of either protocol. */
export type ProtocolHandler = (incoming: Incoming, outgoing: Outgoing, userOf?: UserOf) => void;

/** Answers requests of HTTP/1.x. */
export type Http1Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * Makes a handler whose open answers are tracked in `answers`, so that the owner can end them.
 * @param schedule runs a callback that begins a request. Default: at once, because a program that mounts the handler may keep what belongs
 *   to a request in an AsyncLocalStorage.
 */
export function protocolHandler(
  server: RequestHandler,
  onError: (error: unknown) => void = (error) => console.error(error),
  answers: OpenAnswers,
  schedule: (begin: () => void) => void = (begin) => begin(),
): ProtocolHandler {
  const send = (incoming: Incoming, outgoing: Outgoing, response: ApiResponse) => {
    const rest = hasRest(incoming);
    if (rest) announceEnd(incoming, outgoing, answers.limits);
    const onFault = (error: unknown) => {
      if (response.body.type === 'stream') response.body.stream.close();
      if (isGone(outgoing)) return;
      onError(error);
      fail(incoming, outgoing, answers);
    };
    try {
      const answer = inRoom(answers, incoming, response);
      writeResponse(outgoing, incoming.method ?? 'GET', answer, { open: answers, onFault });
    } catch (error) {
      onFault(error);
    }
    if (rest) whenReaderGone(bodyOf(incoming), () => discardRest(incoming, outgoing, answers.limits));
  };

  return (incoming, outgoing, userOf) => {
    if (!(incoming instanceof StreamRequest)) keepReading(incoming, outgoing as ServerResponse); // every other request is of HTTP/1.x
    // A bad head is refused at once, because Node's parser may soon find the same fault and would answer it in its own way.
    const refusal = checkHead(incoming);
    const target = targetOf(incoming);
    if (refusal !== undefined || target === undefined) {
      send(incoming, outgoing, refusal ?? plainAnswer(400));
      return;
    }
    schedule(() => {
      // A client that opens a stream and resets it at once must not make the server work.
      if (isGone(outgoing)) return;
      // The type has to be asserted because `peerCertificates` may be undefined rather than absent, which no reader distinguishes.
      const request = new NodeRequest(incoming, outgoing, target) as ApiRequest;
      handle(server, request, userOf).then(
        (response) => {
          send(incoming, outgoing, response);
          if (response.body.type === 'stream' && response.body.finite !== true) request.dropHead?.();
        },
        (error: unknown) => {
          if (!(error instanceof CallerGoneError)) onError(error);
          fail(incoming, outgoing, answers);
        },
      );
    });
  };
}

/** Hands a request over. A handler that throws does so in the promise, because several requests begin one after the other. */
async function handle(server: RequestHandler, request: ApiRequest, userOf: UserOf | undefined): Promise<ApiResponse> {
  return userOf === undefined ? server.handle(request) : server.handle(request, { user: await userOf() });
}

/** Returns the answer, or a 429 if the memory for waiting answers has no room for it; an answer to a write is always sent. */
function inRoom(answers: OpenAnswers, { method }: Incoming, response: ApiResponse): ApiResponse {
  if (method !== 'GET' || response.body.type !== 'bytes' || answers.hasRoomFor(response.body.length)) return response;
  const refusal = plainAnswer(429, 'Too many requests, please try again later.\n');
  return { ...refusal, headers: { ...refusal.headers, 'Retry-After': '1' } };
}

/** Returns whether the client has disconnected, so that no answer can be sent; this is not a fault of the server. */
function isGone(outgoing: Outgoing): boolean {
  return outgoing.destroyed;
}

/** Answers an unexpected fault with a fixed text; only the operator sees the cause. */
function fail(incoming: Incoming, outgoing: Outgoing, answers: OpenAnswers): void {
  if (isGone(outgoing)) return;
  if (outgoing.headersSent) {
    outgoing.destroy();
    return;
  }
  const text = 'This request caused apiserver to panic. Look in the logs for details.\n';
  writeResponse(outgoing, incoming.method ?? 'GET', plainAnswer(500, text), {
    open: answers,
    onFault: () => undefined,
  });
}
