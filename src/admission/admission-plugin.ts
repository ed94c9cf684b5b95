import type { Authorizer } from '../authorization/authorizer.js';
import type { JsonValue } from '../json/value.js';
import type { GroupVersionKind, GroupVersionResource } from '../meta/group-version.js';
import type { Host } from '../meta/host.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { UserInfo } from '../meta/user-info.js';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** One version of the resource of a write; what plug-ins that know other versions see the object in. */
export interface ResourceForm {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  /** The object of the write, old or new, in this version. */
  from(object: ApiObject): ApiObject | Promise<ApiObject>;
  /**
   * Changes the object of the write by a JSON patch of its form in this version.
   * @returns the object in the version of the write; itself where the patch changes nothing.
   * @throws ApiError 500 for what is not a patch, does not apply, or makes what is not of the kind.
   */
  patch(object: ApiObject, document: JsonValue): ApiObject | Promise<ApiObject>;
}

/** One write on its way to the store. */
export interface AdmissionAttributes {
  readonly operation: Operation;
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  /**
   * Whether only the metadata of its objects is sure to be of the type that the name of the kind tells: users may give a kind of
   * their own, in a version of its own, the name of a built-in one. Default false.
   */
  readonly isCustom?: boolean;
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
  /** The resource in the version of the write, then in the others that serve the same objects. */
  forms(): readonly ResourceForm[];
  /** Adds a Warning header to the answer. */
  warn(text: string): void;
  /** Adds an annotation to the audit event of the request, where it keeps as much as `level`; the first of a key counts. */
  annotate(key: string, value: string, level?: 'Request'): void;
  /** Tells how many milliseconds were spent in waiting for webhooks: they are not the server's own. */
  waited?(milliseconds: number): void;
  /** To be called between the pieces of what may take long. @throws Error when the caller is gone or its time is up. */
  throwIfGivenUp?(): void;
}

/**
 * The rounds of the mutating phase. When a plug-in asks for it, all run once more, so that those that ran first see what the
 * others made of the object.
 */
export interface AdmissionRounds {
  /** Whether this is the second. */
  readonly again: boolean;
  /** Asks for the second; nothing in it. */
  askAgain(): void;
  /** What plug-ins keep from the first to the second, by plug-in. */
  readonly kept: Map<AdmissionPlugin, unknown>;
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
  admit?(
    attributes: AdmissionAttributes,
    rounds: AdmissionRounds,
  ): ApiObject | undefined | Promise<ApiObject | undefined>;
  /** Runs after validation; may not change anything. @throws ApiError to refuse. */
  validate?(attributes: AdmissionAttributes): void | Promise<void>;
  /**
   * Asked of a new object as it is stored, after all that may wait: what it was let in for may be over. It must not wait itself.
   * @throws ApiError to refuse.
   */
  atCommit?(attributes: AdmissionAttributes): void;
  readonly sideEffects?: boolean;
  /** Whether it is asked about connections to what runs behind objects (CONNECT), too: their object is what the query says. Default false. */
  readonly connects?: boolean;
}

/** A kind that is served, to be read in one version. What is read is frozen and shared. */
export interface ServedKind {
  readonly resource: GroupVersionResource;
  readonly namespaced: boolean;
  /** `namespace` is '' for cluster-scoped kinds. */
  get(namespace: string, name: string): ApiObject | undefined | Promise<ApiObject | undefined>;
  /** All of one namespace; of all for ''. */
  list(namespace: string): readonly ApiObject[] | Promise<readonly ApiObject[]>;
}

/** What admission plug-ins see of the server they are part of. */
export interface AdmissionHost extends Host {
  /** The kind by its name; undefined where it is not served. */
  servedKind(kind: GroupVersionKind): ServedKind | undefined;
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
  /** Creates a namespace as the server itself. @throws ApiError where there is one of this name, or it cannot be. */
  createNamespace(name: string): Promise<void>;
}

export type AdmissionPluginFactory = (host: AdmissionHost) => AdmissionPlugin;
