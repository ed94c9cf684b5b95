import { DecodeError } from '../json/decode-error.js';
import type { JsonObject } from '../json/value.js';
import { apiError } from '../meta/api-error.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { RequestHeaders } from '../meta/request-headers.js';
import type { Sent } from '../meta/sent-form.js';
import type { ApiRequest } from '../requests/api-request.js';
import { copyJson } from '../schema/json-objects.js';
import { refuseUnknownMembers } from '../values/did-you-mean.js';

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
export interface GetCallOptions extends CallOptions {
  readonly resourceVersion?: string;
  /** The subresource, such as `scale`. Default: the object itself. */
  readonly subresource?: string;
}
export interface WriteCallOptions extends CallOptions {
  /** Whether the request runs without committing the result. Default false. */
  readonly dryRun?: boolean;
  /** The field manager of the write. Default: the `userAgent` of the client. */
  readonly fieldManager?: string;
  /** The subresource, such as `status`. Default: the object itself. */
  readonly subresource?: string;
}
export type PatchKind = 'json' | 'merge' | 'strategic';
export interface PatchCallOptions extends WriteCallOptions {
  /** The type of the patch. Default `merge`. */
  readonly type?: PatchKind;
}
export interface ApplyCallOptions extends WriteCallOptions {
  /** Whether the apply takes fields over from other managers. Default false. */
  readonly force?: boolean;
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

/** The names of the members of an options type. The compiler refuses a record that lacks one of them. */
const namesOf = <Options>(members: Readonly<Record<keyof Options, true>>) => Object.keys(members);

const CALL = { namespace: true, signal: true } as const;
const WRITE = { ...CALL, dryRun: true, fieldManager: true, subresource: true } as const;
const SELECTION = { labelSelector: true, fieldSelector: true, resourceVersion: true } as const;
const LIST = { ...CALL, ...SELECTION, limit: true, continue: true, resourceVersionMatch: true } as const;
const WATCH = { allowWatchBookmarks: true, sendInitialEvents: true, timeoutSeconds: true } as const;
const DELETE = { dryRun: true, gracePeriodSeconds: true, propagationPolicy: true, preconditions: true } as const;

const MEMBERS = {
  get: namesOf<GetCallOptions>({ ...CALL, resourceVersion: true, subresource: true }),
  list: namesOf<ListCallOptions>(LIST),
  watch: namesOf<WatchCallOptions>({ ...CALL, ...SELECTION, ...WATCH }),
  create: namesOf<WriteCallOptions>(WRITE),
  createSubresource: namesOf<WriteCallOptions>(WRITE),
  replace: namesOf<WriteCallOptions>(WRITE),
  update: namesOf<WriteCallOptions>(WRITE),
  patch: namesOf<PatchCallOptions>({ ...WRITE, type: true }),
  apply: namesOf<ApplyCallOptions>({ ...WRITE, force: true }),
  delete: namesOf<DeleteCallOptions>({ ...CALL, ...DELETE }),
  deleteCollection: namesOf<DeleteCallOptions & ListCallOptions>({ ...LIST, ...DELETE }),
};

/**
 * Checks the options of a client's method. A misspelled option would otherwise have no effect: `dryrun` would write.
 * @throws TypeError for a member that the method does not have.
 */
export function checkCallOptions(method: keyof typeof MEMBERS, options: CallOptions): void {
  refuseUnknownMembers(method, options, MEMBERS[method]);
}

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
