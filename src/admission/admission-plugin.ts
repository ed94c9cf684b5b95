import type { AuthorizationAttributes, Authorizer, Decision } from '../authorization/authorizer.js';
import type { JsonValue } from '../json/value.js';
import type { GroupVersionKind, GroupVersionResource } from '../meta/group-version.js';
import type { Host } from '../meta/host.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { UserInfo } from '../meta/user-info.js';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** The resource of a write in one of its versions, so that plug-ins that know another version can read the object. */
export interface ResourceForm {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  /** Returns the object of the write, old or new, in this version. */
  from(object: ApiObject): ApiObject | Promise<ApiObject>;
  /**
   * Applies a JSON patch to the object of the write, in its form in this version.
   * @returns the object in the version of the write, or the same object when the patch changes nothing.
   * @throws ApiError 500 for an invalid patch, one that does not apply, or one whose result is not of the kind.
   */
  patch(object: ApiObject, document: JsonValue): ApiObject | Promise<ApiObject>;
}

/** Observes a write on its way through admission, for the log of requests. */
export interface AdmissionObserver {
  /**
   * Called with each question that a plug-in asks the authorizers about the caller, and with their decision. The authorization of the
   * request itself is not reported.
   */
  checked(attributes: AuthorizationAttributes, decision: Decision): void;
  /** Called with the name of each plug-in that changed the object. */
  mutated(plugin: string): void;
  /** Called with the name of the plug-in that refused the request. */
  refused(plugin: string): void;
}

/**
 * One write on its way to the storage. `T` is the type of its object. It is undefined on DELETE, so a plug-in may use a type without
 * undefined only if its rules exclude deletions.
 */
export interface AdmissionAttributes<T extends ApiObject | undefined = ApiObject | undefined> {
  readonly operation: Operation;
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  /**
   * Whether the objects are of a custom kind. A user may give a custom kind the name and group of a built-in kind in another version. Only
   * the metadata of its objects is then sure to have the type that the kind's name suggests. Default false.
   */
  readonly isCustom?: boolean;
  /** '' for the object itself. */
  readonly subresource: string;
  /** '' for cluster-scoped kinds. */
  readonly namespace: string;
  /** '' until a name was generated. */
  readonly name: string;
  /** The name in the URL. It is '' for a POST, whatever the body contains. */
  readonly requestName?: string;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** The object to be stored; undefined on DELETE. It is frozen, so `admit` returns a changed copy. */
  readonly object: T;
  /** The object as stored; undefined on CREATE. */
  readonly oldObject: NonNullable<T> | undefined;
  /** Create, update or delete options of the request. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The resource in the version of the write, then in the others that serve the same objects. */
  forms(): readonly ResourceForm[];
  /** Adds a Warning header to the response. */
  warn(text: string): void;
  /** Adds an annotation to the audit event of the request if the event is recorded at `level` or above; the first value of a key counts. */
  annotate(key: string, value: string, level?: 'Request'): void;
  /** Reports the milliseconds spent waiting for webhooks, which do not count as the server's own time. */
  waited?(milliseconds: number): void;
  /** Must be called between the steps of long work. @throws Error when the caller is gone or the request's time is up. */
  throwIfGivenUp?(): void;
  /** Observes the write; undefined for nearly all writes. A plug-in that asks the authorizers about the caller reports that here. */
  readonly observer?: AdmissionObserver | undefined;
}

/**
 * The rounds of the mutating phase. When a plug-in requests it, all plug-ins run a second time, so that the first ones see the changes of
 * the others.
 */
export interface AdmissionRounds {
  /** Whether this is the second round. */
  readonly again: boolean;
  /** Requests the second round. It has no effect in the second round itself. */
  askAgain(): void;
  /** State that plug-ins keep from the first round to the second, by plug-in. */
  readonly kept: Map<AdmissionPlugin, unknown>;
}

/**
 * Requests, named in the same words as in the rules of webhooks: a request matches if each of the three lists names it. Versions do not
 * matter.
 */
export interface AdmissionRule {
  readonly operations: readonly (Operation | '*')[];
  /** The full names of groups, '' for the core group, or `*` for all. */
  readonly apiGroups: readonly string[];
  /** `pods` for the objects, `pods/status` for a subresource, `pods/*` for both; a star may also take the place of the resource. */
  readonly resources: readonly string[];
}

/**
 * A step of admission. It runs inside the store's update, which may run it again on a fresher object. It must therefore not change anything
 * outside the object unless it declares `sideEffects`; dry runs that would call such a plug-in are refused. `T` is the type of the objects
 * that its rules name.
 */
export interface AdmissionPlugin<T extends ApiObject | undefined = ApiObject | undefined> {
  /** Unique in a server. */
  readonly name: string;
  /** The requests that can concern the plug-in; it is never asked about others. Default: all. */
  readonly rules?: readonly AdmissionRule[];
  /** Returns whether the plug-in applies to a request that its rules name. Default: it applies to all of them. */
  handles?(attributes: AdmissionAttributes<T>): boolean;
  /** Runs before validation, in the plug-ins' order, and may return a changed object. @throws ApiError to refuse. */
  admit?(
    attributes: AdmissionAttributes<T>,
    rounds: AdmissionRounds,
  ): ApiObject | undefined | Promise<ApiObject | undefined>;
  /** Runs after validation and must not change anything. @throws ApiError to refuse. */
  validate?(attributes: AdmissionAttributes<T>): void | Promise<void>;
  /**
   * Checks a new object at the moment it is stored, after all steps that can wait, because conditions that held earlier may have changed.
   * It must be synchronous.
   * @throws ApiError to refuse.
   */
  atCommit?(attributes: AdmissionAttributes<T>): void;
  readonly sideEffects?: boolean;
  /**
   * Whether the plug-in also checks CONNECT requests, such as `pods/exec` and `services/proxy`, whose object is made from the query.
   * Default false.
   */
  readonly connects?: boolean;
}

/** A served kind, for reading its objects in one version. The objects are frozen and shared. */
export interface ServedKind {
  readonly resource: GroupVersionResource;
  readonly namespaced: boolean;
  /** `namespace` is '' for cluster-scoped kinds. */
  get(namespace: string, name: string): ApiObject | undefined | Promise<ApiObject | undefined>;
  /** Returns the objects of one namespace, or of all namespaces for ''. */
  list(namespace: string): readonly ApiObject[] | Promise<readonly ApiObject[]>;
}

/** The server as its admission plug-ins see it. */
export interface AdmissionHost extends Host {
  /** Returns a kind by its name; undefined when it is not served. */
  servedKind(kind: GroupVersionKind): ServedKind | undefined;
  /** The server's whole authorization, which decides as it does for requests. */
  readonly authorizer: Authorizer;
  /**
   * Changes the status of a stored object on behalf of the server; the change may run more than once. Plug-ins use it to record counts, and
   * never in a dry run.
   * @throws ApiError NotFound, and whatever the change throws.
   */
  updateStatus<T extends ApiObject>(
    group: string,
    resource: string,
    where: { readonly namespace: string; readonly name: string },
    change: (object: T) => object,
  ): Promise<void>;
  /** Creates a namespace on behalf of the server. @throws ApiError when the name is taken or the namespace cannot be created. */
  createNamespace(name: string): Promise<void>;
}

export type AdmissionPluginFactory<T extends ApiObject | undefined = ApiObject | undefined> = (
  host: AdmissionHost,
) => AdmissionPlugin<T>;
