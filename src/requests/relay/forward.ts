import { apiError, isApiError } from '../../meta/api-error.js';
import type { FetchOptions, OutboundBody, Upgraded } from '../../meta/fetch.js';
import type { UserInfo } from '../../meta/user-info.js';
import { AddressNotAllowedError } from '../../outbound/ip-address.js';
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
  upgradeHeaders,
} from './forwarded-headers.js';
import { linkRewriting } from './html-links.js';
import { type ProxiedAt, rewriteLocation } from './locations.js';
import { type OutgoingBody, outgoingBody } from './outgoing-body.js';
import { encodeQuery, escapePath } from './outgoing-url.js';

/** Where a request is passed on to. */
export interface Destination {
  /** `https://host:port`. */
  readonly origin: string;
  /** Not escaped; each character is a byte. */
  readonly path: string;
  /** Whether that server learns who the caller is. */
  readonly namesUser: boolean;
  /** Where what that server says of its own paths is found here. Undefined: it has the same paths, and its redirects are left as they are. */
  readonly proxiedAt?: ProxiedAt;
  /** Whether the embedder has set the origin: its address is dialled whatever it is. Default false. */
  readonly isTarget?: boolean;
  fetch(url: string, options: FetchOptions, user: UserInfo): Promise<Response>;
  /** Absent: bodies are read whole before they are sent. */
  upload?(url: string, options: FetchOptions, body: OutboundBody, user: UserInfo): Promise<Response>;
  upgrade?(url: string, options: FetchOptions, user: UserInfo): Promise<Upgraded | Response>;
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH']);
/** Times that one request may come by here: more is a circle. */
const MAX_PASSES = 4;
const REDIRECTED = 'the backend attempted to redirect this request, which is not permitted';

/**
 * Passes a request on to another server and its answer back, as it comes (spec 24.4). So does its body, until the answer has ended.
 * A connection that is to become another protocol's is handed over when that server agrees.
 * @throws ApiError 405, 504; 413 for a body that must be read whole; 500 and 503 for what is proxied and cannot be reached.
 */
export async function forward(exchange: Exchange, to: Destination): Promise<Result> {
  const { request, environment, deadline, user, info } = exchange;
  const { method } = request;
  if (!METHODS.has(method)) throw apiError.methodNotAllowed();
  if (to.path.split('/').some((segment) => segment === '.' || segment === '..'))
    throw apiError.badRequest('path not allowed');
  const auditId = auditIdOf(exchange);
  const left = enter(environment.underway, `${auditId} ${method} ${to.path}`);
  if (!left) return textResult(503, 'service unavailable\n');
  let body: OutgoingBody | undefined;
  const leave = () => {
    left();
    body?.leave();
  };
  let sent: Promise<Upgraded | Response> | undefined;
  const upgrade = request.takesChannel && request.body === undefined ? to.upgrade : undefined;
  try {
    body = await outgoingBody(exchange, to.upload !== undefined);
    const longLived = isLongRunning(info);
    const signal = longLived ? followed(request.signal) : deadline.signal;
    const { headers, addsGzip } = outgoingHeaders(exchange, to, auditId);
    const given = to.proxiedAt ? rawQuery(request.query) : encodeQuery(request.query);
    const url = `${to.origin}${escapePath(to.path)}${given}`;
    const options: FetchOptions = {
      method: method as FetchOptions['method'], // one of METHODS
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
    deadline.stop();
    if ('channel' in response) {
      leave();
      return handedOver(response);
    }
    if (upgrade && response.status < 400) {
      response.body?.cancel().catch(() => {});
      throw new Error(`invalid upgrade response: status code ${response.status}`);
    }
    return answered(response, { addsGzip, isHead: method === 'HEAD', proxiedAt: to.proxiedAt }, leave);
  } catch (error) {
    leave();
    // Should it answer after all, the answer is not read.
    sent?.then(discard).catch(() => {});
    if (isApiError(error) || error instanceof CallerGoneError) throw error;
    if (causeOf(error) instanceof AddressNotAllowedError) throw apiError.badRequest('address not allowed');
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

/** What a caller reads whose request did not arrive. @throws ApiError for what is proxied */
function unreachable({ proxiedAt }: Destination, status: 500 | 503, message: string): Result {
  if (!proxiedAt) return textResult(503, `${message}\n`);
  throw status === 500 ? apiError.unknown(message) : apiError.serviceUnavailable(message);
}

/** Its caller is gone. */
async function discard(late: Upgraded | Response): Promise<void> {
  if (!('channel' in late)) return void (await late.body?.cancel());
  await Promise.allSettled([late.channel.readable.cancel(), late.channel.writable.abort()]);
}

/** The answer of a server that agreed to another protocol. */
function handedOver({ headers, channel }: Upgraded): Result {
  const upgrade = headers.get('upgrade') ?? '';
  return {
    type: 'relayed',
    status: 101,
    headers: { Connection: ['Upgrade'], ...(upgrade === '' ? {} : { Upgrade: [upgrade] }), ...titledAll(headers) },
    body: { type: 'channel', channel },
  };
}

function titledAll(headers: Headers): HeaderLists {
  const lists = Object.entries(returnedHeaders(headers)).filter(
    ([name]) => name !== 'content-length' && name !== 'audit-id',
  );
  return Object.fromEntries(lists.map(([name, values]) => [titled(name), values]));
}

const causeOf = (error: unknown): unknown =>
  error instanceof TypeError && error.cause !== undefined ? error.cause : error;

/** Counts a request on its way; undefined when it has come by too often. The function that is returned uncounts it, once. */
function enter(underway: Map<string, number>, key: string): (() => void) | undefined {
  const passes = underway.get(key) ?? 0;
  if (passes >= MAX_PASSES) return undefined;
  underway.set(key, passes + 1);
  let left = false;
  return () => {
    if (left) return;
    left = true;
    const others = (underway.get(key) ?? 1) - 1;
    if (others === 0) underway.delete(key);
    else underway.set(key, others);
  };
}

function followed(caller: AbortSignal | undefined): AbortSignal {
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
  // Callers in this process send objects, which become JSON.
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

/** What is proxied sees the name by which its caller asked. */
const hostHeader = ({ callersHost }: ProxiedAt): FetchOptions['headers'] =>
  callersHost === '' ? {} : { host: callersHost };

const rawQuery = (query: string): string => (query === '' ? '' : `?${query}`);

interface Answering {
  readonly addsGzip: boolean;
  readonly isHead: boolean;
  readonly proxiedAt: ProxiedAt | undefined;
}

function answered(response: Response, { addsGzip, isHead, proxiedAt }: Answering, leave: () => void): Result {
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
  if (proxiedAt && location !== undefined) lists['location'] = [rewriteLocation(location, proxiedAt)];
  const { 'audit-id': _own, 'cache-control': caching, ...others } = lists;
  const headers: HeaderLists = caching ? { 'Cache-Control': ['no-cache, private', ...caching] } : {};
  for (const [name, values] of Object.entries(others)) headers[titled(name)] = values;
  if (!body) {
    leave();
    // A length without the bytes would make the next answer the body of this one.
    if (!isHead) delete headers['Content-Length'];
    return { type: 'relayed', status, headers, body: { type: 'none' } };
  }
  const unpacked = isPacked ? body.pipeThrough(new DecompressionStream('gzip') as unknown as Piece) : body;
  const shown = proxiedAt && location === undefined ? withLinksFrom(unpacked, headers, proxiedAt) : unpacked;
  const length = isHead ? undefined : headers['Content-Length']?.[0];
  const stream = answerStream(shown, leave, length === undefined ? undefined : Number(length));
  return { type: 'relayed', status, headers, body: { type: 'stream', stream } };
}

/** How pages may be packed. */
const PACKING: Readonly<Record<string, 'gzip' | 'deflate-raw'>> = { gzip: 'gzip', deflate: 'deflate-raw' };

/** A page of what is proxied, whose links lead back through the proxy; anything else as it is. */
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
  const rewriting = linkRewriting((url) => rewriteLocation(url, proxiedAt));
  if (packed === undefined) return body.pipeThrough(rewriting);
  return body
    .pipeThrough(new DecompressionStream(packed) as unknown as Piece)
    .pipeThrough(rewriting)
    .pipeThrough(new CompressionStream(packed) as unknown as Piece);
}

type Piece = ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array>;

/** `content-type` -> `Content-Type`. */
const titled = (name: string): string => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
