import { DecodeError } from '../json/decode-error.js';
import type { JsonObject } from '../json/value.js';
import { apiError } from '../meta/api-error.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { RequestHeaders } from '../meta/request-headers.js';
import type { Sent } from '../meta/sent-form.js';
import type { ApiRequest } from '../requests/api-request.js';
import { copyJson } from '../schema/json-objects.js';

/**
 * The object to create. Everything that the server fills in is optional at every depth: kind and apiVersion, the status, members that
 * responses always contain, and members with a default.
 */
export type New<T extends ApiObject> = NewBody<Sent<T>> & {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ApiObject['metadata'];
};
type NewBody<Body> = Omit<Body, 'apiVersion' | 'kind' | 'metadata' | 'status'> &
  Partial<Pick<Body, Extract<keyof Body, 'status'>>>;

export interface CallOptions {
  /** The namespace, required for namespaced kinds. */
  readonly namespace?: string;
  /** Aborts the call. */
  readonly signal?: AbortSignal;
}
export interface WriteCallOptions extends CallOptions {
  /** Whether the request runs without committing the result. Default false. */
  readonly dryRun?: boolean;
  /** The field manager of the write. Default: the `userAgent` of the client. */
  readonly fieldManager?: string;
  /** The subresource, such as `status`. Default: the object itself. */
  readonly subresource?: string;
}
export interface ListCallOptions extends CallOptions {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
}
export interface WatchCallOptions extends CallOptions {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion?: string;
  readonly allowWatchBookmarks?: boolean;
  readonly sendInitialEvents?: boolean;
  readonly timeoutSeconds?: number;
}
export interface DeleteCallOptions extends CallOptions {
  readonly dryRun?: boolean;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** The fields of an object that a server-side apply sets. */
export type Applied<T extends ApiObject> = { readonly metadata: ApiObject['metadata'] } & DeepPartial<
  Omit<T, 'metadata'>
>;
type DeepPartial<T> = T extends readonly (infer I)[]
  ? readonly DeepPartial<I>[]
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> }
    : T;

/** Query parameters of a call; undefined ones are omitted. */
export type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Creates a request whose body is an object rather than bytes. The body is serialized only if the request goes to a remote server.
 * @throws TypeError for a body that JSON cannot represent, ApiError 400 for one that is nested too deeply
 */
export function localRequest(
  method: string,
  path: string,
  parameters: Parameters,
  options: { readonly body?: object; readonly headers: RequestHeaders; readonly signal?: AbortSignal },
): ApiRequest {
  return {
    method,
    path,
    query: queryOf(parameters),
    headers: options.headers,
    // The body is copied at the call, because the caller may change its object afterwards.
    ...(options.body === undefined ? {} : { body: { type: 'object', value: copyBody(options.body) } }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
}

function copyBody(body: object): JsonObject {
  try {
    return copyJson(body) as JsonObject; // The decoder refuses a body that is not an object, so the cast is safe.
  } catch (error) {
    throw error instanceof DecodeError ? apiError.badRequest(error.message) : error;
  }
}

function queryOf(parameters: Parameters): string {
  let query: URLSearchParams | undefined;
  for (const name in parameters) {
    const value = parameters[name];
    if (value !== undefined) (query ??= new URLSearchParams()).append(name, String(value));
  }
  return query === undefined ? '' : query.toString();
}
