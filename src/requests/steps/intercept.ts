import type { ApiError } from '../../meta/api-error.js';
import { discardChannel } from '../../meta/fetch.js';
import { nameToCreate } from '../../registry/writes/create.js';
import type { ApiResponse, ByteStream } from '../api-request.js';
import { bodyBytes, bodyFormat, decodeObject, nameInBody } from '../bodies/body.js';
import type { Exchange } from '../exchange.js';
import { CONNECTION_LOST, type Interceptor, type Interference } from '../interception.js';
import { emptyResult, type Result } from '../result.js';

/**
 * Passes the request to the observer of the server, and lets the interceptors change or replace its response.
 * @throws ApiError as the interceptors decide.
 */
export function intercept(exchange: Exchange): Result | undefined | Promise<Result | undefined> {
  const { interceptors, observer } = exchange.environment.interception;
  if (observer !== undefined) exchange.observer = observer.observe(exchange);
  const interference = callInTurn(exchange, interceptors, 0, undefined);
  if (interference === undefined) return undefined;
  return interference instanceof Promise ? interfereLater(exchange, interference) : interfere(exchange, interference);
}

type MaybeInterference = Interference | undefined;

/** Calls the interceptors from index `next` on, until one of them returns an error or breaks the connection. */
function callInTurn(
  exchange: Exchange,
  interceptors: readonly Interceptor[],
  next: number,
  before: MaybeInterference,
): MaybeInterference | Promise<MaybeInterference> {
  let interference = before;
  for (let i = next; i < interceptors.length && !interference?.error && !interference?.refused; i++) {
    const answer = interceptors[i]?.intercept(exchange);
    if (answer instanceof Promise) return callOthersLater(exchange, interceptors, i + 1, interference, answer);
    if (answer !== undefined) interference = interference ? combine(interference, answer) : answer;
  }
  return interference;
}

/**
 * Calls the remaining interceptors after one that holds the request. It is a function of its own so that a request that is not held needs
 * no closure.
 */
async function callOthersLater(
  exchange: Exchange,
  interceptors: readonly Interceptor[],
  next: number,
  before: MaybeInterference,
  waiting: Promise<MaybeInterference>,
): Promise<MaybeInterference> {
  const answer = await waiting;
  return await callInTurn(
    exchange,
    interceptors,
    next,
    before && answer ? combine(before, answer) : (answer ?? before),
  );
}

/** Combines the interference of two interceptors; `inner` is nearer to the server. */
function combine(inner: Interference, outer: Interference): Interference {
  // The interceptor that breaks the connection counts the events that the caller receives, so it must be the last one through which they
  // pass.
  const [first, last] = inner.cutAfter === undefined ? [inner.watch, outer.watch] : [outer.watch, inner.watch];
  const { cutAfter = outer.cutAfter } = inner;
  return {
    ...inner,
    ...outer,
    storage: inSequence(inner.storage, outer.storage),
    watch: inSequence(first, last),
    cutAfter: cutAfter === undefined ? undefined : Math.min(cutAfter, outer.cutAfter ?? cutAfter),
    observe:
      inner.observe && outer.observe ? bothObserve(inner.observe, outer.observe) : (inner.observe ?? outer.observe),
  };
}

type Change<T> = ((value: T) => T) | undefined;
const inSequence = <T>(first: Change<T>, last: Change<T>): Change<T> =>
  first && last ? (value) => last(first(value)) : (first ?? last);

function bothObserve(one: Observe, other: Observe): Observe {
  return (outcome) => {
    one(outcome);
    other(outcome);
  };
}
type Observe = NonNullable<Interference['observe']>;

async function interfereLater(
  exchange: Exchange,
  waiting: Promise<Interference | undefined>,
): Promise<Result | undefined> {
  exchange.deadline.stop();
  const interference = await waiting;
  // Holding a request simulates a slow network, so the time does not count against the server's limit.
  exchange.deadline.restart();
  return interference && interfere(exchange, interference);
}

function interfere(exchange: Exchange, interference: Interference): Result | undefined | Promise<never> {
  const { error } = interference;
  exchange.interference = interference.refused ? { ...interference, cutAfter: 0 } : interference;
  if (typeof error === 'function') return refuseObject(exchange, error);
  if (error) throw error;
  // The response is not sent, so its status appears only in logs and metrics.
  return interference.refused ? emptyResult(503) : undefined;
}

async function refuseObject(exchange: Exchange, error: (name: string) => ApiError): Promise<never> {
  const { info, registry, environment } = exchange;
  const resource = registry.find(info.group, info.version, info.resource)?.resource;
  let name = '';
  try {
    const body = { format: bodyFormat(exchange), bytes: await bodyBytes(exchange) };
    name = resource
      ? (nameToCreate((await decodeObject(exchange, resource, body, 'Ignore')).object, environment.host.random) ?? '')
      : await nameInBody(exchange, body);
  } catch {
    // The fault replaces the response of the server, and therefore also the error for a malformed body.
  }
  throw error(name);
}

/** Returns a response whose connection breaks after `cutAfter` bytes of the body. */
export function cutAnswer(response: ApiResponse, cutAfter: number): ApiResponse {
  const { body, headers } = response;
  if (cutAfter === 0) {
    if (body.type === 'channel') discardChannel(body.channel);
    if (body.type === 'stream') body.stream.close();
    return { status: response.status, headers: {}, body: { type: 'lost', why: CONNECTION_LOST } };
  }
  if (body.type === 'channel') return response; // An upgraded connection has no response body.
  const source = body.type === 'stream' ? body.stream : streamOf(body.type === 'bytes' ? body.chunks : []);
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
