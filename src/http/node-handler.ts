import type { ApiRequest, ApiResponse } from '../requests/api-request.js';
import { type NodeOutgoing, NodeRequest, parseTarget } from './node-request.js';
import { plainAnswer } from './plain-answer.js';
import { type NodeIncoming, RequestAbortedError } from './request-body.js';
import type { RequestHandler } from './request-handler.js';
import { writeResponse } from './response-writer.js';
import type { StreamPump } from './stream-pump.js';

/**
 * Entries of a request's header list. Node reads no more than this and drops the rest without a word, so a list that
 * is full is refused: a proxy's own headers could be among those dropped.
 */
const RAW_HEADER_LIMIT = 2000;

/** Answers requests of node:http, node:https and node:http2. */
export type NodeHandler = (incoming: NodeIncoming, outgoing: NodeOutgoing) => void;

export interface NodeHandlerOptions {
  /** Told of faults: a handler that rejected, an answer that could not be sent. Printed on stderr unless given. */
  readonly onError?: (error: unknown) => void;
  /** Holds the streams that are open, so that their owner can end them. */
  readonly openStreams?: Set<StreamPump>;
}

/**
 * Mounts a server in an existing one of Node: `http.createServer(toNodeHandler(server))`. Serves HTTP/1.1 and HTTP/2,
 * with client certificates where the socket asked for them. Streams end when `server` ends them.
 */
export function toNodeHandler(server: RequestHandler, options: NodeHandlerOptions = {}): NodeHandler {
  const openStreams = options.openStreams ?? new Set<StreamPump>();
  const onError = options.onError ?? ((error: unknown) => console.error(error));

  const send = (outgoing: NodeOutgoing, method: string, response: ApiResponse) => {
    try {
      writeResponse(outgoing, method, response, openStreams);
    } catch (error) {
      if (response.body.type === 'stream') response.body.stream.close();
      onError(error);
      fail(outgoing, method, openStreams);
    }
  };

  return (incoming, outgoing) => {
    const method = incoming.method ?? 'GET';
    if (incoming.rawHeaders.length >= RAW_HEADER_LIMIT) {
      send(outgoing, method, plainAnswer(431));
      return;
    }
    const target = parseTarget(incoming.url ?? '/');
    if (target === undefined) {
      send(outgoing, method, plainAnswer(400));
      return;
    }
    // Its certificates may be undefined rather than absent, which no reader can tell apart.
    server.handle(new NodeRequest(incoming, outgoing, target) as ApiRequest).then(
      (response) => send(outgoing, method, response),
      (error: unknown) => {
        if (!(error instanceof RequestAbortedError)) onError(error);
        fail(outgoing, method, openStreams);
      },
    );
  };
}

/** The text of an unexpected fault (gap file 7.3); what went wrong is told to the operator only. */
function fail(outgoing: NodeOutgoing, method: string, openStreams: Set<StreamPump>): void {
  if (outgoing.headersSent) {
    outgoing.destroy();
    return;
  }
  const text = 'This request caused apiserver to panic. Look in the logs for details.\n';
  writeResponse(outgoing, method, plainAnswer(500, text), openStreams);
}
