import type { ApiServer } from '../../src/api-server.js';
import { headersOf } from '../../src/meta/request-headers.js';
import type { UserInfo } from '../../src/meta/user-info.js';
import type { ApiRequest, ApiResponse, CallerOptions } from '../../src/requests/api-request.js';

export interface Question {
  /** Default GET. */
  readonly method?: string;
  /** The target as on the wire: percent-encoded, not normalized. */
  readonly path?: string;
  readonly query?: string;
  /** Headers in addition to `content-type: application/json`. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** The client certificates of the caller. */
  readonly chain?: readonly Uint8Array[];
  /** An object is sent as JSON; a function returns when the bytes arrive. */
  readonly body?: object | string | Uint8Array | undefined;
  /** Reads the body when it is called, instead of `body`. */
  readonly read?: () => Promise<Uint8Array>;
  readonly signal?: AbortSignal;
  /** Ends a turn of the event loop. */
  readonly pause?: () => Promise<void>;
  readonly remoteAddress?: string;
  /** The `host:port` that the caller used. */
  readonly host?: string;
}

/** Returns a request as bytes, which no client normalizes. */
export function requestOf(question: Question): ApiRequest {
  const { method = 'GET', path = '/', query = '', headers, chain, body, read = readerOf(body), ...more } = question;
  return {
    method,
    path,
    query,
    ...more,
    headers: headersOf({ 'content-type': 'application/json', ...headers }),
    ...(chain && { peerCertificates: chain }),
    ...(read && { body: { type: 'bytes', read } }),
  };
}

function readerOf(body: Question['body']) {
  if (body === undefined) return undefined;
  const bytes =
    body instanceof Uint8Array
      ? body
      : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
  return async () => bytes;
}

/** Sends a request; returns the response as the server creates it. */
export const send = (server: ApiServer, question: Question, caller?: CallerOptions): Promise<ApiResponse> =>
  server.handle(requestOf(question), caller);

/** Sends a request and reads the response. An endless stream is closed unread. */
export async function ask(server: ApiServer, question: Question = {}, caller?: CallerOptions) {
  const { status, headers, body } = await send(server, question, caller);
  if (body.type === 'stream' && !body.finite) body.stream.close();
  const text = textOf(body);
  const value = text.startsWith('{') ? JSON.parse(text) : { message: text };
  return { status, headers, text, value, message: value.message as string };
}

/** The properties of a request in addition to its method, target and body. */
export interface Details extends Omit<Question, 'method' | 'path' | 'query' | 'body'> {
  /** The content type. */
  readonly type?: string | undefined;
  /** The user; without it, the server authenticates the request. */
  readonly user?: UserInfo | undefined;
}

/**
 * Returns functions that send requests by method and read the responses as `ask` does. A target is a path with its query.
 * @param server a function if each test has its own server.
 * @param always the properties of every request that does not override them.
 */
export function requestsTo(server: ApiServer | (() => ApiServer), always: Details = {}) {
  const send = (method: string, target: string, body?: Question['body'], details: Details = {}) => {
    const { user, type, ...more } = { ...always, ...details };
    const headers = { ...(type && { 'content-type': type }), ...always.headers, ...details.headers };
    return ask(
      typeof server === 'function' ? server() : server,
      { method, ...splitTarget(target), body, ...more, headers },
      { user },
    );
  };
  return {
    send,
    get: (target: string, details?: Details) => send('GET', target, undefined, details),
    post: (target: string, body?: Question['body'], details?: Details) => send('POST', target, body, details),
    put: (target: string, body: Question['body'], details?: Details) => send('PUT', target, body, details),
    /** Sends a merge patch. */
    merge: (target: string, body: Question['body'], details?: Details) =>
      send('PATCH', target, body, { type: 'application/merge-patch+json', ...details }),
    /** Applies an object; the query of the target contains the field manager. */
    apply: (target: string, body: Question['body'], details?: Details) =>
      send('PATCH', target, body, { type: 'application/apply-patch+yaml', ...details }),
    remove: (target: string, body?: Question['body'], details?: Details) => send('DELETE', target, body, details),
  };
}

function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const at = target.indexOf('?');
  return at < 0 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at + 1) };
}

export interface FetchDetails extends Omit<RequestInit, 'body' | 'headers'>, Pick<Question, 'body'>, CallerOptions {
  readonly headers?: Readonly<Record<string, string>>;
}

/** Requests a target through `fetch` of a server; an object is sent as JSON. */
export function fetchFrom(
  server: Pick<ApiServer, 'fetch'>,
  target: string,
  { user, body, headers, ...init }: FetchDetails = {},
): Promise<Response> {
  const isObject = typeof body === 'object' && !(body instanceof Uint8Array);
  const request = new Request(`https://server${target}`, {
    ...init,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: (isObject ? JSON.stringify(body) : body) as BodyInit }),
  });
  return server.fetch(request, { user });
}

/** Returns the text of a response that ends. */
export function textOf(body: ApiResponse['body']): string {
  if (body.type === 'bytes') return Buffer.concat(body.chunks).toString();
  if (body.type !== 'stream' || !body.finite) return '';
  const chunks: Uint8Array[] = [];
  while (!body.stream.ended) chunks.push(...body.stream.take());
  return Buffer.concat(chunks).toString();
}

/** Returns the name of the authenticated user, or the status of a refusal. */
export async function whoIs(
  server: ApiServer,
  { headers, chain }: Pick<Question, 'headers' | 'chain'>,
): Promise<string | number> {
  const group = server.dialect.name === 'k8s' ? 'authentication.k8s.io' : 'authentication.orch.io';
  const { status, value } = await ask(server, {
    method: 'POST',
    path: `/apis/${group}/v1/selfsubjectreviews`,
    body: {},
    ...(headers ? { headers } : {}),
    ...(chain ? { chain } : {}),
  });
  return status === 201 ? value.status.userInfo.username : status;
}
