import type { ApiObject } from '../meta/object-meta.js';
import type { Sent } from '../meta/sent-form.js';
import { refuseUnknownMembers } from '../values/did-you-mean.js';

/**
 * The object to create. Everything that the server fills in is optional at every depth: kind and apiVersion, the status, members that
 * responses always contain, and members with a default.
 */
export type New<T extends ApiObject> = NewBody<Sent<T>> & {
  /** The API version. Default: the kind's own. */
  readonly apiVersion?: string;
  /** The name of the kind. Default: the kind's own. */
  readonly kind?: string;
  /** The metadata. Objects that are stored need a `name` or a `generateName`. */
  readonly metadata: ApiObject['metadata'];
};
type NewBody<Body> = Omit<Body, 'apiVersion' | 'kind' | 'metadata' | 'status'> &
  Partial<Pick<Body, Extract<keyof Body, 'status'>>>;

/** The options of every call of a client. */
export interface CallOptions {
  /** The namespace, required for namespaced kinds. */
  readonly namespace?: string;
  /** Aborts the call. Default: the call is not aborted. */
  readonly signal?: AbortSignal;
}
/** The options of `get`. */
export interface GetCallOptions extends CallOptions {
  /** The resourceVersion that the read must at least have; `0` allows any. Default: the newest state. */
  readonly resourceVersion?: string;
  /** The subresource, such as `scale`. Default: the object itself. */
  readonly subresource?: string;
}
/** The options of `create`, `replace` and `update`. */
export interface WriteCallOptions extends CallOptions {
  /** Whether the request runs without committing the result. Default false. */
  readonly dryRun?: boolean;
  /** The field manager of the write. Default: the `userAgent` of the client. */
  readonly fieldManager?: string;
  /** The subresource, such as `status`. Default: the object itself. */
  readonly subresource?: string;
}
/** The type of a patch: a JSON patch (RFC 6902), a merge patch (RFC 7386) or a strategic merge patch. */
export type PatchKind = 'json' | 'merge' | 'strategic';
/** The options of `patch`. */
export interface PatchCallOptions extends WriteCallOptions {
  /** The type of the patch. Default `merge`. */
  readonly type?: PatchKind;
}
/** The options of `apply`. */
export interface ApplyCallOptions extends WriteCallOptions {
  /** Whether the apply takes fields over from other managers. Default false. */
  readonly force?: boolean;
}
/** The options of `list`. */
export interface ListCallOptions extends CallOptions {
  /** Selects objects by labels, such as `app=shop,tier!=cache`. Default: all objects. */
  readonly labelSelector?: string;
  /** Selects objects by fields, such as `metadata.name=a`. Default: all objects. */
  readonly fieldSelector?: string;
  /** The maximum number of objects in the response. Default: no limit. */
  readonly limit?: number;
  /** The token from `metadata.continue` of the previous page. Default: the list begins with the first object. */
  readonly continue?: string;
  /** The resourceVersion that `resourceVersionMatch` refers to. Default: the newest state. */
  readonly resourceVersion?: string;
  /**
   * Whether the list has exactly the `resourceVersion` or is not older. Default: `Exact` with a limit and a resourceVersion other than 0,
   * otherwise `NotOlderThan`.
   */
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
}
/** The options of `watch`. */
export interface WatchCallOptions extends CallOptions {
  /** Selects objects by labels. Default: all objects. */
  readonly labelSelector?: string;
  /** Selects objects by fields. Default: all objects. */
  readonly fieldSelector?: string;
  /** The resourceVersion after which the watch begins. Default: it begins with an ADDED event for each existing object. */
  readonly resourceVersion?: string;
  /** Whether the server sends bookmarks. Default false. */
  readonly allowWatchBookmarks?: boolean;
  /**
   * Whether the watch begins with the existing objects and a bookmark after them (feature gate WatchList). Default: `resourceVersion`
   * decides.
   */
  readonly sendInitialEvents?: boolean;
  /** The seconds after which the server ends the watch. Default: 30 to 60 minutes, at random. */
  readonly timeoutSeconds?: number;
}
/** The options of `delete`. */
export interface DeleteCallOptions extends CallOptions {
  /** Whether the request runs without committing the result. Default false. */
  readonly dryRun?: boolean;
  /** The seconds that the object has to end gracefully. Default: the default of the object or its kind. */
  readonly gracePeriodSeconds?: number;
  /** What happens to the objects that the deleted object owns. Default: the default of the kind, which is `Background` for most. */
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  /** The uid and resourceVersion that the object must have. Default: any. */
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

type Selectors = Pick<ListCallOptions, 'labelSelector' | 'fieldSelector'>;

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
 * @throws TypeError for a member that the method does not have, and for a selector that is not a string.
 */
export function checkCallOptions(method: keyof typeof MEMBERS, options: CallOptions & Selectors): void {
  refuseUnknownMembers(method, options, MEMBERS[method]);
  const { labelSelector = '', fieldSelector = '' } = options;
  if (typeof labelSelector !== 'string')
    throw new TypeError(`${method}: labelSelector must be a string, such as 'app=shop'`);
  if (typeof fieldSelector !== 'string')
    throw new TypeError(`${method}: fieldSelector must be a string, such as 'metadata.name=a'`);
}
