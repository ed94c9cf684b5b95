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
  /** Unique among the living objects of its kind and namespace. */
  readonly name?: string;
  /** Start of a name that the server completes. */
  readonly generateName?: string;
  /** Namespace of the object. */
  readonly namespace?: string;
  /** No longer set. */
  readonly selfLink?: string;
  /** Unique in time and space; set by the server. */
  readonly uid?: UID;
  /** Revision of the last write; opaque. */
  readonly resourceVersion?: string;
  /** Counts the changes of the wanted state. */
  readonly generation?: number;
  /** CreationTimestamp is a timestamp of when the object was made; set by the server. */
  readonly creationTimestamp: string | null;
  /** When the object is to be gone; set by the server. */
  readonly deletionTimestamp?: string;
  /** Seconds between the deletion and its taking effect. */
  readonly deletionGracePeriodSeconds?: number;
  /** Keys and values to select by. */
  readonly labels?: { readonly [key: string]: string };
  /** Keys and values for tools. */
  readonly annotations?: { readonly [key: string]: string };
  /** Objects that this one belongs to. */
  readonly ownerReferences?: readonly OwnerReference[];
  /** Finalizers that hold the object. */
  readonly finalizers?: readonly string[];
  /** Fields by the manager that owns them. */
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
  /** Whether the owner stays until this object is gone when deleted in the foreground. */
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

/** Picks objects by their labels. */
export interface LabelSelector {
  /** Labels and their values. */
  readonly matchLabels?: { readonly [key: string]: string };
  /** Requirements that must all hold. */
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

/** How to delete. */
export interface DeleteOptions {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Seconds until the deletion takes effect; 0 is at once. */
  readonly gracePeriodSeconds?: number;
  /** What must be true for the deletion to happen. */
  readonly preconditions?: Preconditions;
  /** Old form of propagationPolicy: whether dependents stay. */
  readonly orphanDependents?: boolean;
  /** The treatment of dependents: Orphan, Background or Foreground. */
  readonly propagationPolicy?: DeletionPropagation;
  /** All: do everything but delete. */
  readonly dryRun?: readonly string[];
}

/** What must be true for the deletion to happen. */
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
  /** The generation it was found for. */
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

/** The answer of a request that answers no object. */
export interface Status extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Revision of the server. */
  readonly metadata: ListMeta;
  /** Success or Failure. */
  readonly status?: string;
  /** What happened, for people. */
  readonly message?: string;
  /** What happened, in one word. */
  readonly reason?: string;
  /** What it is about. */
  readonly details?: StatusDetails;
  /** The HTTP status. */
  readonly code?: number;
}

/** The metadata of a list. */
export interface ListMeta {
  /** No longer set. */
  readonly selfLink?: string;
  /** Revision the list was read at; opaque. */
  readonly resourceVersion?: string;
  /** Token for the next page. */
  readonly continue?: string;
  /** How many items are left. */
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
  /** All that is wrong. */
  readonly causes?: readonly StatusCause[];
  /** Seconds to wait before trying again. */
  readonly retryAfterSeconds?: number;
}

/** One of several things that are wrong. */
export interface StatusCause {
  /** The problem, in one word. */
  readonly reason?: string;
  /** The problem, for people. */
  readonly message?: string;
  /** The field at fault. */
  readonly field?: string;
}

/** A change of an object, as its media type says. */
export interface Patch {

}

/** One change. */
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
  /** Where clients reach the server. */
  readonly serverAddressByClientCIDRs: readonly ServerAddressByClientCIDR[];
}

/** Where clients of one network reach the server. */
export interface ServerAddressByClientCIDR {
  /** The network of the client. */
  readonly clientCIDR: string;
  /** Where that client reaches the server. */
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
  /** The version to use when in doubt. */
  readonly preferredVersion: GroupVersionForDiscovery;
  /** Where clients reach the server. */
  readonly serverAddressByClientCIDRs?: readonly ServerAddressByClientCIDR[];
}

/** One version of a group. */
export interface GroupVersionForDiscovery {
  /** The group and the version. */
  readonly groupVersion: string;
  /** The version alone. */
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
  /** The name of one. */
  readonly singularName: string;
  /** Whether objects are in a namespace. */
  readonly namespaced: boolean;
  /** Group of the kind, where it is not that of the list. */
  readonly group?: string;
  /** Version of the kind, where it is not that of the list. */
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
