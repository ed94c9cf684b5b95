import { apiError, isApiError } from '../../meta/api-error.js';
import { discardChannel, type FetchOptions, type OutboundBody, type Upgraded } from '../../meta/fetch.js';
import type { UserInfo } from '../../meta/user-info.js';
import { AddressNotAllowedError } from '../../outbound/ip-address.js';
import { AuthoritiesError } from '../../outbound/required-authorities.js';
import { transportMessage } from '../../outbound/transport-message.js';
import { countWeakCertificates } from '../../outbound/weak-certificates.js';
import { CallerGoneError } from '../api-request.js';
import { annotate, type Exchange } from '../exchange.js';
import { isLongRunning } from '../request-info.js';
import { type Result, textResult } from '../result.js';
import { auditIdOf } from '../steps/audit.js';
import { answerStream } from './answer-stream.js';
import {
  forwardedHeaders,
  type HeaderLists,
  identityHeaders,
  returnedHeaders,
  textOfWire,
  upgradeHeaders,
  wireBytes,
} from './forwarded-headers.js';
import { linkRewriting } from './html-links.js';
import { type OutgoingBody, outgoingBody } from './outgoing-body.js';
import { encodeQuery, escapePath } from './outgoing-url.js';
import { type ProxiedAt, rewriteLocation } from './rewrite-location.js';

/** The destination of a forwarded request. */
export interface Destination {
  /** The URL of the backend without a path: `https://host:port`. */
  readonly origin: string;
  /** The unescaped path, in which each character is one byte. */
  readonly path: string;
  /** Whether the destination receives the user of the request in `X-Remote-…` headers. */
  readonly namesUser: boolean;
  /**
   * Where this server exposes the destination's paths, so that links and redirects can be rewritten. If undefined, both servers have the
   * same paths, and redirects are refused with 502.
   */
  readonly proxiedAt?: ProxiedAt;
  /** Whether the embedder set the backend URL. The backend's address is then not checked before the connection is opened. Default false. */
  readonly isTarget?: boolean;
  fetch(url: string, options: FetchOptions, user: UserInfo): Promise<Response>;
  /** Sends a request whose body is streamed. If absent, bodies are read in full before they are sent. */
  upload?(url: string, options: FetchOptions, body: OutboundBody, user: UserInfo): Promise<Response>;
  upgrade?(url: string, options: FetchOptions, user: UserInfo): Promise<Upgraded | Response>;
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH']);
/** The maximum number of times that one request may pass through this server; a higher count means a loop. */
const MAX_PASSES = 4;
const REDIRECTED = 'the backend attempted to redirect this request, which is not permitted';

/**
 * Forwards a request to another server and streams the response back (spec 24.4). The response must end within the time limit of the
 * request, unless the request is long-running. The request body is streamed as well; once the response has ended, the server does not read
 * the remaining request body. If the other server agrees to a protocol upgrade, the connection is
 * handed over.
 * @throws ApiError 405, 504; 413 for a body that must be read in full; 500 and 503 for a proxied destination that cannot be reached.
 */
export async function forward(exchange: Exchange, to: Destination): Promise<Result> {
  const { request, environment, deadline, user, info } = exchange;
  const { method } = request;
  if (!METHODS.has(method)) throw apiError.methodNotAllowed();
  if (to.path.split('/').some((segment) => segment === '.' || segment === '..'))
    throw apiError.badRequest('path not allowed');
  const auditId = auditIdOf(exchange);
  const left = enter(environment.forwardedPasses, `${auditId} ${method} ${to.path}`);
  if (!left) return textResult(503, 'service unavailable\n');
  let body: OutgoingBody | undefined;
  const leave = () => {
    left();
    body?.leave();
    deadline.stop();
  };
  let sent: Promise<Upgraded | Response> | undefined;
  const upgrade = request.takesChannel && request.body === undefined ? to.upgrade : undefined;
  try {
    body = await outgoingBody(exchange, to.upload !== undefined);
    const longLived = isLongRunning(info);
    const signal = longLived ? signalOrNever(request.signal) : deadline.signal;
    const { headers, addsGzip } = outgoingHeaders(exchange, to, auditId);
    const queryText = to.proxiedAt ? rawQuery(request.query) : encodeQuery(request.query);
    const url = `${to.origin}${escapePath(to.path)}${queryText}`;
    const options: FetchOptions = {
      method: method as FetchOptions['method'], // `METHODS` contains only values of this type, so the cast is safe.
      headers: to.proxiedAt ? hostHeader(to.proxiedAt) : {},
      repeatedHeaders: upgrade ? { ...headers, ...upgradeHeaders(request.headers) } : headers,
      signal,
      redirect: 'manual',
      ...body.whole,
      ...(longLived ? { longLived } : {}),
      ...(to.proxiedAt && !to.isTarget && environment.host.fetch.checksAddresses ? { onlyGlobalUnicast: true } : {}),
      ...(to.proxiedAt ? {} : { onWeakCertificate: countedFor(exchange, url) }),
    };
    if (upgrade) sent = upgrade(url, options, user);
    else if (body.stream && to.upload) sent = to.upload(url, options, body.stream, user);
    else sent = to.fetch(url, options, user);
    const response = await (longLived ? sent : deadline.within(sent));
    if ('channel' in response) {
      leave();
      return upgradeResult(response);
    }
    if (upgrade && response.status < 400) {
      response.body?.cancel().catch(() => {});
      throw new Error(`invalid upgrade response: status code ${response.status}`);
    }
    const cutBy = longLived ? undefined : signal;
    return relayedResult(response, { addsGzip, isHead: method === 'HEAD', proxiedAt: to.proxiedAt, cutBy }, leave);
  } catch (error) {
    leave();
    // If the request has failed here first, for example with a timeout, the response may still arrive. It is then discarded.
    sent?.then(discardResponse).catch(() => {});
    if (isApiError(error) || error instanceof CallerGoneError) throw error;
    if (causeOf(error) instanceof AddressNotAllowedError) throw apiError.badRequest('address not allowed');
    if (error instanceof AuthoritiesError) return textResult(500, `${error.message}\n`);
    const why = transportMessage(causeOf(error));
    if (upgrade) return unreachable(to, 500, `error dialing backend: ${why}`);
    return unreachable(to, 503, `error trying to reach service: ${why}`);
  }
}

function countedFor(exchange: Exchange, url: string): NonNullable<FetchOptions['onWeakCertificate']> {
  const { metrics, dialect } = exchange.environment.host;
  const add = (key: string, value: string) => annotate(exchange, key, value);
  return countWeakCertificates(metrics, 'aggregator', { domain: dialect.labelDomain, url, add });
}

/**
 * Returns the plain-text response for an aggregated API server that was not reached.
 * @throws ApiError for the destination of a `proxy` subresource
 */
function unreachable({ proxiedAt }: Destination, status: 500 | 503, message: string): Result {
  if (!proxiedAt) return textResult(503, `${message}\n`);
  throw status === 500 ? apiError.unknown(message) : apiError.serviceUnavailable(message);
}

/** Discards a response that arrived too late for its caller. */
async function discardResponse(abandoned: Upgraded | Response): Promise<void> {
  if ('channel' in abandoned) discardChannel(abandoned.channel);
  else await abandoned.body?.cancel();
}

/** Returns a 101 response with the connection of a server that agreed to a protocol upgrade. */
function upgradeResult({ headers, channel }: Upgraded): Result {
  const upgrade = headers.get('upgrade') ?? '';
  return {
    type: 'relayed',
    status: 101,
    headers: {
      Connection: ['Upgrade'],
      ...(upgrade === '' ? {} : { Upgrade: [upgrade] }),
      ...withTitleCaseNames(headers),
    },
    body: { type: 'channel', channel },
  };
}

function withTitleCaseNames(headers: Headers): HeaderLists {
  const lists = Object.entries(returnedHeaders(headers)).filter(
    ([name]) => name !== 'content-length' && name !== 'audit-id',
  );
  return Object.fromEntries(lists.map(([name, values]) => [titleCase(name), values]));
}

const causeOf = (error: unknown): unknown =>
  error instanceof TypeError && error.cause !== undefined ? error.cause : error;

/**
 * Counts a request as being forwarded; returns undefined if it has passed through this server too often. The returned function removes the
 * request from the count, once.
 */
function enter(passesByRequest: Map<string, number>, key: string): (() => void) | undefined {
  const passes = passesByRequest.get(key) ?? 0;
  if (passes >= MAX_PASSES) return undefined;
  passesByRequest.set(key, passes + 1);
  let left = false;
  return () => {
    if (left) return;
    left = true;
    const others = (passesByRequest.get(key) ?? 1) - 1;
    if (others === 0) passesByRequest.delete(key);
    else passesByRequest.set(key, others);
  };
}

function signalOrNever(caller: AbortSignal | undefined): AbortSignal {
  return caller ?? new AbortController().signal;
}

function outgoingHeaders(
  { request, user, environment }: Exchange,
  { origin, path, namesUser, proxiedAt }: Destination,
  auditId: string,
): { readonly headers: HeaderLists; readonly addsGzip: boolean } {
  const headers = forwardedHeaders(request.headers, environment.proxyHeaders);
  const [scheme = '', host = ''] = origin.split('://');
  const addsGzip = request.method !== 'HEAD' && !headers['accept-encoding'] && !headers['range'];
  const before = headers['x-forwarded-for'] ?? [];
  const callers = [...before, ...(request.remoteAddress === undefined ? [] : [request.remoteAddress])];
  // The body of an in-process caller is an object. It is forwarded as JSON.
  const isObject = request.body?.type === 'object' && !headers['content-type'];
  return {
    headers: {
      ...headers,
      ...(isObject ? { 'content-type': ['application/json'] } : {}),
      ...(addsGzip ? { 'accept-encoding': ['gzip'] } : {}),
      ...(callers.length === 0 ? {} : { 'x-forwarded-for': [callers.join(', ')] }),
      ...(proxiedAt
        ? { 'x-forwarded-uri': [proxiedAt.prefix + escapePath(path)] }
        : {
            'x-forwarded-host': [host],
            'x-forwarded-proto': [scheme],
            'x-forwarded-uri': [escapePath(path)],
            'audit-id': [auditId],
          }),
      ...(namesUser ? identityHeaders(user) : {}),
    },
    addsGzip,
  };
}

/** Returns the Host header for a proxied destination: the host name that the caller used. */
const hostHeader = ({ callersHost }: ProxiedAt): FetchOptions['headers'] =>
  callersHost === '' ? {} : { host: callersHost };

const rawQuery = (query: string): string => (query === '' ? '' : `?${query}`);

interface AnswerOptions {
  readonly addsGzip: boolean;
  readonly isHead: boolean;
  readonly proxiedAt: ProxiedAt | undefined;
  /** Cuts the body off at the time limit of the request. */
  readonly cutBy: AbortSignal | undefined;
}

function relayedResult(
  response: Response,
  { addsGzip, isHead, proxiedAt, cutBy }: AnswerOptions,
  leave: () => void,
): Result {
  const { status, body } = response;
  if (!proxiedAt && status >= 300 && status < 400 && response.headers.has('location')) {
    body?.cancel().catch(() => {});
    leave();
    return textResult(502, REDIRECTED, false);
  }
  const lists = returnedHeaders(response.headers);
  const isPacked = addsGzip && lists['content-encoding']?.[0] === 'gzip';
  if (isPacked) {
    delete lists['content-encoding'];
    delete lists['content-length'];
  }
  const [location] = lists['location'] ?? [];
  if (proxiedAt && location) lists['location'] = [ownLocation(location, proxiedAt)];
  const { 'audit-id': _own, 'cache-control': caching, ...others } = lists;
  const headers: HeaderLists = caching ? { 'Cache-Control': ['no-cache, private', ...caching] } : {};
  for (const [name, values] of Object.entries(others)) headers[titleCase(name)] = values;
  if (!body) {
    leave();
    // A Content-Length without a body would make the client read the next response as this body.
    if (!isHead) delete headers['Content-Length'];
    return { type: 'relayed', status, headers, body: { type: 'none' } };
  }
  const unpacked = isPacked ? body.pipeThrough(new DecompressionStream('gzip') as unknown as Piece) : body;
  const shown = proxiedAt && !location ? withLinksFrom(unpacked, headers, proxiedAt) : unpacked;
  const length = isHead ? undefined : headers['Content-Length']?.[0];
  const stream = answerStream(shown, leave, cutBy, length === undefined ? undefined : Number(length));
  return { type: 'relayed', status, headers, body: { type: 'stream', stream } };
}

/** Rewrites the Location of a redirect. @throws ApiError 500 for one that cannot be parsed */
function ownLocation(location: string, proxiedAt: ProxiedAt): string {
  const rewritten = rewriteLocation(wireBytes(location), proxiedAt);
  if (typeof rewritten === 'string') return textOfWire(rewritten);
  throw apiError.internal(`error trying to parse Location header: ${textOfWire(rewritten.problem)}`);
}

/** The content encodings of pages that can be decompressed. */
const PACKING: Readonly<Record<string, 'gzip' | 'deflate-raw'>> = { gzip: 'gzip', deflate: 'deflate-raw' };

/** Rewrites the links of a proxied HTML page to lead through the proxy; returns any other body unchanged. */
function withLinksFrom(
  body: ReadableStream<Uint8Array>,
  headers: HeaderLists,
  proxiedAt: ProxiedAt,
): ReadableStream<Uint8Array> {
  const [type = ''] = headers['Content-Type']?.[0]?.split(';') ?? [];
  const [packing = ''] = headers['Content-Encoding'] ?? [];
  const packed = PACKING[packing];
  if (type.trim() !== 'text/html' || (packing !== '' && packed === undefined)) return body;
  delete headers['Content-Length'];
  const rewriting = linkRewriting((url) => {
    const rewritten = rewriteLocation(url, proxiedAt);
    return typeof rewritten === 'string' ? rewritten : url;
  });
  if (packed === undefined) return body.pipeThrough(rewriting);
  return body
    .pipeThrough(new DecompressionStream(packed) as unknown as Piece)
    .pipeThrough(rewriting)
    .pipeThrough(new CompressionStream(packed) as unknown as Piece);
}

type Piece = ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array>;

/** Capitalizes a header name: `content-type` becomes `Content-Type`. */
const titleCase = (name: string): string => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
