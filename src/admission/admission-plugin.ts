import type { Authorizer } from '../authorization/authorizer.js';
import type { GroupVersionKind, GroupVersionResource } from '../meta/group-version.js';
import type { Host } from '../meta/host.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { UserInfo } from '../meta/user-info.js';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** One write on its way to the store. */
export interface AdmissionAttributes {
  readonly operation: Operation;
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  /** '' for the object itself. */
  readonly subresource: string;
  /** '' for cluster-scoped kinds. */
  readonly namespace: string;
  /** '' until a name was generated. */
  readonly name: string;
  /** The name in the URL: '' for a POST, whatever its body says. */
  readonly requestName?: string;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** The object to be stored; undefined on DELETE. Frozen: `admit` returns a changed copy. */
  readonly object: ApiObject | undefined;
  /** The object as stored; undefined on CREATE. */
  readonly oldObject: ApiObject | undefined;
  /** Create, update or delete options of the request. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Adds a Warning header to the answer. */
  warn(text: string): void;
}

/**
 * A step of admission. It runs inside the store's update, which may run it again on a fresher object: it must have no
 * outside effect unless it declares `sideEffects`, in which case dry runs that would call it are refused.
 */
export interface AdmissionPlugin {
  /** Unique in a server. */
  readonly name: string;
  /** Whether it acts on such a request at all; default all. */
  handles?(attributes: AdmissionAttributes): boolean;
  /** Runs before validation, in order; may change the object by returning another. @throws ApiError to refuse. */
  admit?(attributes: AdmissionAttributes): ApiObject | undefined | Promise<ApiObject | undefined>;
  /** Runs after validation; may not change anything. @throws ApiError to refuse. */
  validate?(attributes: AdmissionAttributes): void | Promise<void>;
  readonly sideEffects?: boolean;
}

/** What admission plug-ins see of the server they are part of. */
export interface AdmissionHost extends Host {
  /** The server's whole authorization: it judges like that of every request. */
  readonly authorizer: Authorizer;
  /**
   * Gives a stored object another status, as the server itself; the change may run more than once. What plug-ins count is written
   * so, and never in a dry run.
   * @throws ApiError NotFound, and whatever the change throws.
   */
  updateStatus<T extends ApiObject>(
    group: string,
    resource: string,
    where: { readonly namespace: string; readonly name: string },
    change: (object: T) => object,
  ): Promise<void>;
}

export type AdmissionPluginFactory = (host: AdmissionHost) => AdmissionPlugin;
