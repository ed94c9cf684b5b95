// Made by `npm run api-types` of meta-v1.ts.
import type { JsonObject, JsonValue } from '../json/value.js';
import type { Filled } from '../meta/sent-form.js';

/** The structs of the table, by their names. */
export interface MetaV1 {
  ObjectMeta: ObjectMeta;
  OwnerReference: OwnerReference;
  ManagedFieldsEntry: ManagedFieldsEntry;
  LabelSelector: LabelSelector;
  LabelSelectorRequirement: LabelSelectorRequirement;
  DeleteOptions: DeleteOptions;
  Preconditions: Preconditions;
  Condition: Condition;
  FieldSelectorRequirement: FieldSelectorRequirement;
  Status: Status;
  ListMeta: ListMeta;
  StatusDetails: StatusDetails;
  StatusCause: StatusCause;
  Patch: Patch;
  WatchEvent: WatchEvent;
  APIVersions: APIVersions;
  ServerAddressByClientCIDR: ServerAddressByClientCIDR;
  APIGroup: APIGroup;
  GroupVersionForDiscovery: GroupVersionForDiscovery;
  APIGroupList: APIGroupList;
  APIResourceList: APIResourceList;
  APIResource: APIResource;
}

export type ConditionStatus = string;

export type UID = string;

export type ManagedFieldsOperationType = 'Apply' | 'Update';

export type FieldsV1 = JsonObject;

export type LabelSelectorOperator = string;

export type DeletionPropagation = string;

export type FieldSelectorOperator = string;

export type RawExtension = JsonValue;

/** The metadata of an object. */
export interface ObjectMeta extends Filled<'creationTimestamp'> {
  /** The name, unique for the kind in its namespace. */
  readonly name?: string;
  /** Prefix of a name that the server generates. */
  readonly generateName?: string;
  /** Namespace of the object. */
  readonly namespace?: string;
  /** Deprecated; not set any more. */
  readonly selfLink?: string;
  /** Unique in time and space; set by the server. */
  readonly uid?: UID;
  /** Revision of the last write; opaque. */
  readonly resourceVersion?: string;
  /** Counts the changes of the desired state. */
  readonly generation?: number;
  /** CreationTimestamp is a timestamp of when the object was made; set by the server. */
  readonly creationTimestamp: string | null;
  /** When the deletion is due; set by the server. */
  readonly deletionTimestamp?: string;
  /** The grace period of the deletion, in seconds. */
  readonly deletionGracePeriodSeconds?: number;
  /** Keys and values for selectors. */
  readonly labels?: { readonly [key: string]: string };
  /** Keys and values for tools. */
  readonly annotations?: { readonly [key: string]: string };
  /** Objects that this one belongs to. */
  readonly ownerReferences?: readonly OwnerReference[];
  /** Names that must be removed before the object is deleted. */
  readonly finalizers?: readonly string[];
  /** The owned fields of each manager. */
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** Names an object that this one belongs to. */
export interface OwnerReference {
  /** Group and version of the owner. */
  readonly apiVersion: string;
  /** Kind of the owner. */
  readonly kind: string;
  /** Name of the owner. */
  readonly name: string;
  /** Uid of the owner. */
  readonly uid: UID;
  /** Whether the owner manages this object. */
  readonly controller?: boolean;
  /** Whether a foreground deletion of the owner waits for this object. */
  readonly blockOwnerDeletion?: boolean;
}

/** Fields that one manager owns. */
export interface ManagedFieldsEntry {
  /** The manager that owns the fields. */
  readonly manager?: string;
  /** Apply or Update. */
  readonly operation?: ManagedFieldsOperationType;
  /** Version of the kind that the fields belong to. */
  readonly apiVersion?: string;
  /** When the set of fields last changed. */
  readonly time?: string;
  /** Format of the set: FieldsV1. */
  readonly fieldsType?: string;
  /** The set of fields. */
  readonly fieldsV1?: FieldsV1;
  /** Subresource that the fields were written through. */
  readonly subresource?: string;
}

/** Selects objects by their labels. */
export interface LabelSelector {
  /** Labels and their values. */
  readonly matchLabels?: { readonly [key: string]: string };
  /** Requirements, all of which must match. */
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

/** One requirement on labels. */
export interface LabelSelectorRequirement {
  /** Key of the label. */
  readonly key: string;
  /** In, NotIn, Exists or DoesNotExist. */
  readonly operator: LabelSelectorOperator;
  /** Values to compare with. */
  readonly values?: readonly string[];
}

/** The options of a deletion. */
export interface DeleteOptions {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** The grace period in seconds; 0 deletes at once. */
  readonly gracePeriodSeconds?: number;
  /** Conditions for the deletion. */
  readonly preconditions?: Preconditions;
  /** Deprecated, use propagationPolicy: whether dependents are kept. */
  readonly orphanDependents?: boolean;
  /** The treatment of dependents: Orphan, Background or Foreground. */
  readonly propagationPolicy?: DeletionPropagation;
  /** All performs a dry run, which deletes nothing. */
  readonly dryRun?: readonly string[];
}

/** Conditions for the deletion. */
export interface Preconditions {
  /** The uid the object must have. */
  readonly uid?: UID;
  /** The revision the object must have. */
  readonly resourceVersion?: string;
}

/** A condition of the object. */
export interface Condition {
  /** Type of the condition. */
  readonly type: string;
  /** True, False or Unknown. */
  readonly status: ConditionStatus;
  /** The generation that the condition describes. */
  readonly observedGeneration?: number;
  /** When its status last changed. */
  readonly lastTransitionTime: string;
  /** The reason, in one word. */
  readonly reason: string;
  /** The reason, for people. */
  readonly message: string;
}

/** One requirement on fields. */
export interface FieldSelectorRequirement {
  /** Path of the field. */
  readonly key: string;
  /** In, NotIn, Exists or DoesNotExist. */
  readonly operator: FieldSelectorOperator;
  /** Values to compare with. */
  readonly values?: readonly string[];
}

/** The result of a request that returns no other object. */
export interface Status extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Revision of the server. */
  readonly metadata: ListMeta;
  /** Success or Failure. */
  readonly status?: string;
  /** The message, for people. */
  readonly message?: string;
  /** The reason, in one word. */
  readonly reason?: string;
  /** Details of the result. */
  readonly details?: StatusDetails;
  /** The HTTP status. */
  readonly code?: number;
}

/** The metadata of a list. */
export interface ListMeta {
  /** Deprecated; not set any more. */
  readonly selfLink?: string;
  /** Revision the list was read at; opaque. */
  readonly resourceVersion?: string;
  /** Token for the next page. */
  readonly continue?: string;
  /** The number of remaining items. */
  readonly remainingItemCount?: number;
}

/** The object and causes of a status. */
export interface StatusDetails {
  /** Name of the object in question. */
  readonly name?: string;
  /** Group of the resource in question. */
  readonly group?: string;
  /** Resource or kind in question. */
  readonly kind?: string;
  /** Uid of the object in question. */
  readonly uid?: string;
  /** The causes of the failure. */
  readonly causes?: readonly StatusCause[];
  /** Seconds to wait before trying again. */
  readonly retryAfterSeconds?: number;
}

/** One of the causes of a failure. */
export interface StatusCause {
  /** The problem, in one word. */
  readonly reason?: string;
  /** The problem, for people. */
  readonly message?: string;
  /** The field that caused the error. */
  readonly field?: string;
}

/** A change of an object, in the format of its media type. */
export interface Patch {

}

/** A change of an object. */
export interface WatchEvent {
  /** ADDED, MODIFIED, DELETED, BOOKMARK or ERROR. */
  readonly type: string;
  /** The object, or a Status. */
  readonly object: RawExtension;
}

/** The versions of the core group. */
export interface APIVersions {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** The versions served. */
  readonly versions: readonly string[];
  /** The addresses of the server, by client network. */
  readonly serverAddressByClientCIDRs: readonly ServerAddressByClientCIDR[];
}

/** The address of the server for a client network. */
export interface ServerAddressByClientCIDR {
  /** The network of the client. */
  readonly clientCIDR: string;
  /** The address of the server. */
  readonly serverAddress: string;
}

/** A group and its versions. */
export interface APIGroup extends Filled<'preferredVersion'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name of the group. */
  readonly name: string;
  /** The versions served. */
  readonly versions: readonly GroupVersionForDiscovery[];
  /** The preferred version. */
  readonly preferredVersion: GroupVersionForDiscovery;
  /** The addresses of the server, by client network. */
  readonly serverAddressByClientCIDRs?: readonly ServerAddressByClientCIDR[];
}

/** One version of a group. */
export interface GroupVersionForDiscovery {
  /** The group and the version. */
  readonly groupVersion: string;
  /** The version without the group. */
  readonly version: string;
}

/** The groups that are served. */
export interface APIGroupList {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** The groups. */
  readonly groups: readonly APIGroup[];
}

/** The resources of a group version. */
export interface APIResourceList {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** The group and the version. */
  readonly groupVersion: string;
  /** The resources. */
  readonly resources: readonly APIResource[];
}

/** A resource that is served. */
export interface APIResource {
  /** The name in the URL. */
  readonly name: string;
  /** The singular name. */
  readonly singularName: string;
  /** Whether objects are in a namespace. */
  readonly namespaced: boolean;
  /** Group of the kind, if it differs from that of the list. */
  readonly group?: string;
  /** Version of the kind, if it differs from that of the list. */
  readonly version?: string;
  /** The kind of its objects. */
  readonly kind: string;
  /** Verbs it supports. */
  readonly verbs: readonly string[];
  /** Other names for tools. */
  readonly shortNames?: readonly string[];
  /** Groups of resources for tools. */
  readonly categories?: readonly string[];
  /** Changes with the version that objects are stored in; opaque. */
  readonly storageVersionHash?: string;
}
