import type { ApiObject } from '../meta/object-meta.js';
import type { Sent } from '../meta/sent-form.js';

/**
 * What an object is made from: kind and apiVersion may be left out, and so may, at every depth, what the server fills: the status,
 * members that are always on the wire, and those with a default.
 */
export type New<T extends ApiObject> = NewBody<Sent<T>> & {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ApiObject['metadata'];
};
type NewBody<Body> = Omit<Body, 'apiVersion' | 'kind' | 'metadata' | 'status'> &
  Partial<Pick<Body, Extract<keyof Body, 'status'>>>;

export interface CallOptions {
  /** Needed for namespaced kinds. */
  readonly namespace?: string;
  /** Ends the call early. */
  readonly signal?: AbortSignal;
}
export interface WriteCallOptions extends CallOptions {
  /** Runs everything but the commit. Default false. */
  readonly dryRun?: boolean;
  /** Default: the client's own name. */
  readonly fieldManager?: string;
  /** `status` and the like; default the object itself. */
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

/** A part of an object: the fields somebody applies. */
export type Applied<T extends ApiObject> = { readonly metadata: ApiObject['metadata'] } & DeepPartial<
  Omit<T, 'metadata'>
>;
type DeepPartial<T> = T extends readonly (infer I)[]
  ? readonly DeepPartial<I>[]
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> }
    : T;
