import type { ApiResponse, ByteStream } from '../api-request.js';
import type { Exchange } from '../exchange.js';
import { CONNECTION_LOST, type Interference } from '../interception.js';
import { emptyResult, type Result } from '../result.js';

/**
 * Lets the observer, if the server has one, follow the request, and the interceptor change what becomes of it.
 * @throws ApiError as the interceptor decides.
 */
export function intercept(exchange: Exchange): Result | undefined | Promise<Result | undefined> {
  const { interceptor, observer } = exchange.environment.interception;
  if (observer !== undefined) exchange.observer = observer.observe(exchange);
  if (interceptor === undefined) return undefined;
  const interference = interceptor.intercept(exchange);
  if (interference === undefined) return undefined;
  return interference instanceof Promise ? interfereLater(exchange, interference) : interfere(exchange, interference);
}

async function interfereLater(
  exchange: Exchange,
  waiting: Promise<Interference | undefined>,
): Promise<Result | undefined> {
  exchange.deadline.stop();
  const interference = await waiting;
  // The time that a request is held is the network's, so it does not count against the limit of the server.
  exchange.deadline.restart();
  return interference && interfere(exchange, interference);
}

function interfere(exchange: Exchange, interference: Interference): Result | undefined {
  if (interference.error) throw interference.error;
  exchange.interference = interference.refused ? { ...interference, cutAfter: 0 } : interference;
  // The answer is not sent, so its status appears in logs and metrics only.
  return interference.refused ? emptyResult(503) : undefined;
}

/** Returns an answer that breaks off after some bytes of its body. */
export function cutAnswer(response: ApiResponse, cutAfter: number): ApiResponse {
  const { body, headers } = response;
  if (body.type === 'channel') return response;
  const source = body.type === 'stream' ? body.stream : streamOf(body.type === 'bytes' ? body.chunks : []);
  if (cutAfter === 0) {
    source.close();
    return { status: response.status, headers: {}, body: { type: 'lost', why: CONNECTION_LOST } };
  }
  const { 'Content-Length': _length, ...others } = headers;
  const stream = cutStream(source, cutAfter);
  const finite = body.type === 'stream' ? body.finite : true;
  return { status: response.status, headers: others, body: { type: 'stream', stream, ...(finite ? { finite } : {}) } };
}

function streamOf(chunks: readonly Uint8Array[]): ByteStream {
  let rest = chunks;
  return {
    take() {
      const taken = rest;
      rest = [];
      return taken;
    },
    onReadable: undefined,
    get ended() {
      return rest.length === 0;
    },
    close() {
      rest = [];
    },
  };
}

function cutStream(source: ByteStream, bytes: number): ByteStream {
  let left = bytes;
  const isCut = () => left === 0 || source.ended;
  return {
    take() {
      const chunks: Uint8Array[] = [];
      if (left === 0) return chunks;
      for (const chunk of source.take()) {
        if (left === 0) break;
        const part = chunk.subarray(0, left);
        left -= part.length;
        chunks.push(part);
      }
      if (left === 0) source.close();
      return chunks;
    },
    get onReadable() {
      return source.onReadable;
    },
    set onReadable(callback) {
      source.onReadable = callback;
    },
    get ended() {
      return isCut();
    },
    get broken() {
      return isCut() ? (source.broken ?? CONNECTION_LOST) : undefined;
    },
    hold: () => source.hold?.() ?? (() => {}),
    close: () => source.close(),
  };
}
