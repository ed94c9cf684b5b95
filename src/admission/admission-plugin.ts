import type { AuthorizationAttributes, Authorizer, Decision } from '../authorization/authorizer.js';
import type { JsonValue } from '../json/value.js';
import type { GroupVersionKind, GroupVersionResource } from '../meta/group-version.js';
import type { Host } from '../meta/host.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { UserInfo } from '../meta/user-info.js';

/** What a request does to an object, as admission sees it. */
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** One of the versions in which the resource of a write is served, with the conversions for plug-ins that expect this version. */
export interface ResourceForm {
  /** The group, version and plural name of the resource. */
  readonly resource: GroupVersionResource;
  /** The group, version and kind of its objects. */
  readonly kind: GroupVersionKind;
  /** Converts an object of the write, old or new, to this version. */
  from(object: ApiObject): ApiObject | Promise<ApiObject>;
  /**
   * Converts the object of the write to this version and applies a JSON patch to it.
   * @returns the object in the version of the write, or the same object when the patch changes nothing.
   * @throws ApiError 500 for an invalid patch, one that does not apply, or one whose result is not of the kind.
   */
  patch(object: ApiObject, document: JsonValue): ApiObject | Promise<ApiObject>;
}

/** Observes a write on its way through admission, for the request log. */
export interface AdmissionObserver {
  /**
   * Called with the attributes and the decision of each authorization check that a plug-in makes for the caller. The authorization of the
   * request itself is not reported.
   */
  checked(attributes: AuthorizationAttributes, decision: Decision): void;
  /** Called with the name of each plug-in that changed the object. */
  mutated(plugin: string): void;
  /** Called with the name of the plug-in that refused the request. */
  refused(plugin: string): void;
}

/**
 * One write on its way to the storage. `T` is the type of the object. The object is undefined on DELETE, so a plug-in may use a `T` without
 * undefined only if its rules exclude DELETE.
 */
export interface AdmissionAttributes<T extends ApiObject | undefined = ApiObject | undefined> {
  /** The operation of the request: a write, or the opening of a connection to a subresource. */
  readonly operation: Operation;
  /** The resource that the request names. */
  readonly resource: GroupVersionResource;
  /** The kind of the object in the request; for a subresource, it may differ from the kind of the resource. */
  readonly kind: GroupVersionKind;
  /**
   * Whether the objects are custom resources. Default false. The kind may have the same group and name as a built-in kind, because a
   * CustomResourceDefinition may define another version of it. Then only the metadata is sure to have the type that the built-in kind has.
   */
  readonly isCustom?: boolean;
  /** The subresource; '' for the object itself. */
  readonly subresource: string;
  /** The namespace of the object; '' for cluster-scoped kinds. */
  readonly namespace: string;
  /** The name of the object; '' until a name has been generated. */
  readonly name: string;
  /** The name in the URL. It is '' for a POST, whatever the body contains. */
  readonly requestName?: string;
  /** The caller, or the user that the caller impersonates. */
  readonly user: UserInfo;
  /** Whether nothing is stored. A plug-in with side effects must not have them in this case. */
  readonly dryRun: boolean;
  /** The object to be stored; undefined on DELETE. It is frozen, so `admit` returns a changed copy. */
  readonly object: T;
  /** The object as stored; undefined on CREATE. */
  readonly oldObject: NonNullable<T> | undefined;
  /** Create, update or delete options of the request. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Returns the versions of the resource in which its objects are served. The version of the write is the first. */
  forms(): readonly ResourceForm[];
  /** Adds a Warning header to the response. */
  warn(text: string): void;
  /**
   * Adds an annotation to the audit event of the request if the event is recorded at `level` or above. If a key is added twice, the first
   * value is kept.
   */
  annotate(key: string, value: string, level?: 'Request'): void;
  /** Reports the milliseconds that the write waited for webhooks. They do not count as the server's own time. */
  waited?(milliseconds: number): void;
  /** Returns the milliseconds until the deadline of the request. */
  remaining?(): number;
  /**
   * Checks whether the result is still needed. It must be called between the steps of long work.
   * @throws Error when the caller has disconnected or the deadline of the request has passed.
   */
  throwIfGivenUp?(): void;
  /**
   * Receives what happens to the write during admission; undefined for nearly all writes. If a plug-in requests an authorization decision
   * about the caller, it must report the decision to the observer.
   */
  readonly observer?: AdmissionObserver | undefined;
}

/**
 * The passes of the mutating phase. When a plug-in requests reinvocation, all plug-ins run a second time, so that the first plug-ins see
 * the changes of the later ones.
 */
export interface AdmissionRounds {
  /** Whether this is the second pass. */
  readonly again: boolean;
  /** Requests the second pass. It has no effect in the second pass itself. */
  askAgain(): void;
  /** The state that a plug-in keeps from the first pass to the second, by plug-in. */
  readonly kept: Map<AdmissionPlugin, unknown>;
}

/**
 * Matches requests, in the syntax of webhook rules. A request matches if its operation, its API group and its resource are all in the
 * lists. The API version is ignored.
 */
export interface AdmissionRule {
  /** The operations that the rule matches; `*` matches every operation. */
  readonly operations: readonly (Operation | '*')[];
  /** The full names of groups, '' for the core group, or `*` for all. */
  readonly apiGroups: readonly string[];
  /** `pods` matches the objects, `pods/status` a subresource, and `pods/*` both. With `*` instead of `pods`, all resources match. */
  readonly resources: readonly string[];
}

/**
 * A step of admission. It is called within the store's update, which may be repeated with a newer object, so a step can be called several
 * times for one write. A step must therefore not change anything outside the object unless it declares `sideEffects`. A dry run that would
 * call a plug-in with side effects is refused. `T` is the type of the objects that the plug-in's rules name.
 */
export interface AdmissionPlugin<T extends ApiObject | undefined = ApiObject | undefined> {
  /** The name of the plug-in, unique in a server. */
  readonly name: string;
  /** The requests that the plug-in may handle; it is not called for any other request. Default: all requests. */
  readonly rules?: readonly AdmissionRule[];
  /** Returns whether the plug-in applies to a request that matches `rules`. Default: it applies to all of them. */
  handles?(attributes: AdmissionAttributes<T>): boolean;
  /** Runs before validation, in the plug-ins' order, and may return a changed object. @throws ApiError to refuse. */
  admit?(
    attributes: AdmissionAttributes<T>,
    rounds: AdmissionRounds,
  ): ApiObject | undefined | Promise<ApiObject | undefined>;
  /** Runs after validation and must not change anything. @throws ApiError to refuse. */
  validate?(attributes: AdmissionAttributes<T>): void | Promise<void>;
  /**
   * Checks a new object at the moment it is stored, after all asynchronous steps, because conditions that were checked earlier may have
   * changed. It must be synchronous.
   * @throws ApiError to refuse.
   */
  atCommit?(attributes: AdmissionAttributes<T>): void;
  readonly sideEffects?: boolean;
  /**
   * Whether the plug-in also checks CONNECT requests, such as `pods/exec` and `services/proxy`. The object of a CONNECT request is created
   * from the query parameters. Default false.
   */
  readonly connects?: boolean;
}

/** Reads the objects of a served kind in one version. The objects are frozen and shared. */
export interface ServedKind {
  /** The name of the kind. The name that was asked for may be the same in lower case, or the kind of its list (`PodList`). */
  readonly kind: string;
  /** The group, version and plural name of the resource. */
  readonly resource: GroupVersionResource;
  /** Whether its objects belong to namespaces. */
  readonly namespaced: boolean;
  /** Returns an object; `namespace` is '' for cluster-scoped kinds. */
  get(namespace: string, name: string): ApiObject | undefined | Promise<ApiObject | undefined>;
  /** Returns the objects of one namespace, or of all namespaces for ''. */
  list(namespace: string): readonly ApiObject[] | Promise<readonly ApiObject[]>;
}

/** The server, with the members that only admission plug-ins may use. */
export interface AdmissionHost extends Host {
  /** Returns the reader of a kind, see {@link ServedKind.kind}; undefined when the kind is not served. */
  servedKind(kind: GroupVersionKind): ServedKind | undefined;
  /** The union of all authorizers of the server, which also decides about requests. */
  readonly authorizer: Authorizer;
  /**
   * Changes the status of a stored object on behalf of the server; `change` may be called more than once. Plug-ins use it to record counts,
   * and must not call it in a dry run.
   * @throws ApiError NotFound, and the errors that `change` throws.
   */
  updateStatus<T extends ApiObject>(
    group: string,
    resource: string,
    where: { readonly namespace: string; readonly name: string },
    change: (object: T) => object,
  ): Promise<void>;
  /** Creates a namespace on behalf of the server. @throws ApiError when the name is taken or the namespace cannot be created. */
  createNamespace(name: string): Promise<void>;
  /**
   * Returns whether a controller of the server runs by itself. It does not if it is not selected, and in the mode `stepped`, in which it runs
   * only when the server settles.
   */
  runsController(name: string): boolean;
}

/** Creates an admission plug-in for one server when the server is built. */
export type AdmissionPluginFactory<T extends ApiObject | undefined = ApiObject | undefined> = (
  host: AdmissionHost,
) => AdmissionPlugin<T>;
