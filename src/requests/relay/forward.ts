import { apiError, isApiError } from '../../meta/api-error.js';
import type { FetchOptions } from '../../meta/fetch.js';
import type { Query } from '../../meta/query.js';
import type { UserInfo } from '../../meta/user-info.js';
import { transportMessage } from '../../outbound/transport-message.js';
import { CallerGoneError } from '../api-request.js';
import { bodyBytes } from '../bodies/body.js';
import type { Exchange } from '../exchange.js';
import { type Result, textResult } from '../result.js';
import { auditIdOf } from '../steps/audit.js';
import { answerStream } from './answer-stream.js';
import { forwardedHeaders, type HeaderLists, identityHeaders, returnedHeaders } from './forwarded-headers.js';

/** Where a request is passed on to. */
export interface Destination {
  /** `https://host:port`. */
  readonly origin: string;
  /** Not escaped. */
  readonly path: string;
  /** Whether that server is told who the caller is. */
  readonly namesUser: boolean;
  fetch(url: string, options: FetchOptions, user: UserInfo): Promise<Response>;
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH']);
/** Times that one request may come by here: more is a circle. */
const MAX_PASSES = 4;
const REDIRECTED = 'the backend attempted to redirect this request, which is not permitted';

/**
 * Passes a request on to another server and its answer back, as it comes (spec 24.4). The body is bounded as every body is.
 * @throws ApiError 405, 413, 504.
 */
export async function forward(exchange: Exchange, to: Destination): Promise<Result> {
  const { request, environment, deadline, user, info, query } = exchange;
  const { method } = request;
  if (!METHODS.has(method)) throw apiError.methodNotAllowed();
  if (to.path.split('/').some((segment) => segment === '.' || segment === '..'))
    throw apiError.badRequest('path not allowed');
  const auditId = auditIdOf(exchange);
  const leave = enter(environment.underway, `${auditId} ${method} ${to.path}`);
  if (!leave) return textResult(503, 'service unavailable\n');
  let sent: Promise<Response> | undefined;
  try {
    const bytes = await bodyBytes(exchange);
    const longLived = info.verb === 'watch';
    const signal = longLived ? followed(request.signal) : deadline.signal;
    const { headers, addsGzip } = outgoingHeaders(exchange, to, auditId);
    sent = to.fetch(
      `${to.origin}${escapePath(to.path)}${encodeQuery(query, request.query)}`,
      {
        method: method as FetchOptions['method'], // one of METHODS
        headers: {},
        repeatedHeaders: headers,
        signal,
        redirect: 'manual',
        ...(bytes.length === 0 ? {} : bodyOf(bytes)),
        ...(longLived ? { longLived } : {}),
      },
      user,
    );
    const response = await (longLived ? sent : deadline.within(sent));
    deadline.stop();
    return answered(response, addsGzip, leave);
  } catch (error) {
    leave();
    // Should it answer after all, nobody reads that.
    sent?.then((late) => late.body?.cancel()).catch(() => {});
    if (isApiError(error) || error instanceof CallerGoneError) throw error;
    return unreachable(error);
  }
}

/** What a caller reads whose request did not arrive. */
const unreachable = (error: unknown): Result =>
  textResult(503, `error trying to reach service: ${transportMessage(causeOf(error))}\n`);

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
  { request, user }: Exchange,
  { origin, path, namesUser }: Destination,
  auditId: string,
): { readonly headers: HeaderLists; readonly addsGzip: boolean } {
  const headers = forwardedHeaders(request.headers);
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
      'x-forwarded-host': [host],
      'x-forwarded-proto': [scheme],
      'x-forwarded-uri': [escapePath(path)],
      'audit-id': [auditId],
      ...(namesUser ? identityHeaders(user) : {}),
    },
    addsGzip,
  };
}

/** Text goes as text: not every `fetch` sends bytes. */
function bodyOf(bytes: Uint8Array): Pick<FetchOptions, 'body' | 'bytes'> {
  try {
    return { body: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { bytes: bytes as Uint8Array<ArrayBuffer> }; // nothing here shares memory between threads
  }
}

function answered(response: Response, addsGzip: boolean, leave: () => void): Result {
  const { status, body } = response;
  if (status >= 300 && status < 400 && response.headers.has('location')) {
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
  const { 'audit-id': _own, 'cache-control': caching, ...others } = lists;
  const headers: HeaderLists = caching ? { 'Cache-Control': ['no-cache, private', ...caching] } : {};
  for (const [name, values] of Object.entries(others)) headers[titled(name)] = values;
  if (!body) {
    leave();
    return { type: 'relayed', status, headers, body: { type: 'none' } };
  }
  const unpacked = isPacked ? body.pipeThrough(new DecompressionStream('gzip') as unknown as Unpacking) : body;
  return { type: 'relayed', status, headers, body: { type: 'stream', stream: answerStream(unpacked, leave) } };
}

type Unpacking = ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>;

/** `content-type` -> `Content-Type`. */
const titled = (name: string): string => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());

const hex = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;

/** A path as the field's clients write it. */
const escapePath = (path: string): string =>
  encodeURIComponent(path)
    .replace(/%(24|26|2B|2C|2F|3A|3B|3D|40)/g, (escaped) => decodeURIComponent(escaped))
    .replace(/[!'()*]/g, hex);

const escapeParameter = (text: string): string =>
  encodeURIComponent(text)
    .replaceAll('%20', '+')
    .replace(/[!'()*]/g, hex);

/** The parameters again, in the order of their names, those that do not decode left out; with the question mark. */
function encodeQuery(query: Query, raw: string): string {
  if (raw === '') return '';
  const names = [...new Set(new URLSearchParams(raw).keys())].sort();
  const pairs = names.flatMap((name) =>
    query.all(name).map((value) => `${escapeParameter(name)}=${escapeParameter(value)}`),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
