import type { IncomingMessage, ServerResponse } from 'node:http';
import type { UserInfo } from '../meta/user-info.js';
import { type ApiRequest, type ApiResponse, CallerGoneError } from '../requests/api-request.js';
import { whenLeft } from './bodies/body-stream.js';
import { announceEnd, discardRest, hasRest } from './bodies/discard-rest.js';
import { keepReading } from './bodies/keep-reading.js';
import type { NodeIncoming } from './bodies/request-body.js';
import { checkHead } from './check-head.js';
import type { ConnectionLimits } from './connection-limits.js';
import { type NodeOutgoing, NodeRequest, targetOf } from './node-request.js';
import { OpenAnswers } from './open-answers.js';
import { plainAnswer } from './plain-answer.js';
import type { RequestHandler } from './request-handler.js';
import { writeResponse } from './response-writer.js';

/** Answers requests of node:http, node:https and node:http2. */
export type NodeHandler = (incoming: NodeIncoming, outgoing: NodeOutgoing) => void;

export interface NodeHandlerOptions {
  /**
   * Whose request it is, where the program has found out already; undefined: the server's authentication decides, as it does
   * by default. One that throws or rejects ends the request with a 500.
   */
  readonly user?: (incoming: NodeIncoming) => UserInfo | undefined | Promise<UserInfo | undefined>;
  /** Called with faults: a handler that rejected, an answer that was not sent. Printed on stderr unless given. */
  readonly onError?: (error: unknown) => void;
  /** What clients may take; `maxConnections` and `maxStreams` are the server's own affair. */
  readonly limits?: Omit<ConnectionLimits, 'maxConnections' | 'maxStreams'>;
}

/**
 * Mounts a server in an existing one of Node: `http.createServer(toNodeHandler(server))`. Serves HTTP/1.1 and HTTP/2,
 * with client certificates where the socket asked for them. Streams end when `server` ends them. On Node 24 an HTTPS server
 * that verifies client certificates itself (`ca`) loses the intermediates a client sends: leave that to `server`, or name the
 * intermediates to its authenticator.
 */
export function toNodeHandler(server: RequestHandler, options: NodeHandlerOptions = {}): NodeHandler {
  return nodeHandler(server, options.onError, new OpenAnswers(options.limits), options.user);
}

/** The same, with its answers in sight of their owner, who can end them. */
export function nodeHandler(
  server: RequestHandler,
  onError: (error: unknown) => void = (error) => console.error(error),
  answers: OpenAnswers,
  userOf?: NodeHandlerOptions['user'],
): NodeHandler {
  const send = (incoming: NodeIncoming, outgoing: NodeOutgoing, response: ApiResponse) => {
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
    if (rest) whenLeft(incoming, () => discardRest(incoming, outgoing, answers.limits));
  };

  return (incoming, outgoing) => {
    if (incoming.httpVersionMajor === 1) keepReading(incoming as IncomingMessage, outgoing as ServerResponse);
    const refusal = checkHead(incoming);
    if (refusal !== undefined) {
      send(incoming, outgoing, refusal);
      return;
    }
    const target = targetOf(incoming);
    if (target === undefined) {
      send(incoming, outgoing, plainAnswer(400));
      return;
    }
    // Its certificates may be undefined rather than absent, which no reader distinguishes.
    const request = new NodeRequest(incoming, outgoing, target) as ApiRequest;
    const answered =
      userOf === undefined
        ? server.handle(request)
        : (async () => server.handle(request, { user: await userOf(incoming) }))();
    answered.then(
      (response) => {
        send(incoming, outgoing, response);
        if (response.body.type === 'stream' && response.body.finite !== true) request.dropHead?.();
      },
      (error: unknown) => {
        if (!(error instanceof CallerGoneError)) onError(error);
        fail(incoming, outgoing, answers);
      },
    );
  };
}

/** The answer, or a refusal where so large a one must not wait for its client; what was written is always answered. */
function inRoom(answers: OpenAnswers, { method }: NodeIncoming, response: ApiResponse): ApiResponse {
  if (method !== 'GET' || response.body.type !== 'bytes' || answers.hasRoomFor(response.body.length)) return response;
  const refusal = plainAnswer(429, 'Too many requests, please try again later.\n');
  return { ...refusal, headers: { ...refusal.headers, 'Retry-After': '1' } };
}

/** The client is gone, so there is no one to answer: not a fault of the server. */
function isGone(outgoing: NodeOutgoing): boolean {
  return 'stream' in outgoing ? outgoing.stream.destroyed : outgoing.destroyed;
}

/** The text of an unexpected fault; the cause is reported to the operator only. */
function fail(incoming: NodeIncoming, outgoing: NodeOutgoing, answers: OpenAnswers): void {
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
