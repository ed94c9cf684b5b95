import type { JsonObject } from '../../json/value.js';
import type { ApiError } from '../../meta/api-error.js';
import type { Dialect } from '../../meta/dialect.js';
import type { FeatureGate } from '../../meta/features/gates.js';
import type { FieldError } from '../../meta/field-error.js';
import type { Host } from '../../meta/host.js';
import type { NameRule } from '../../meta/names.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { MetadataCheck } from '../../meta/object-meta-validation.js';
import type { ObjectSchema } from '../../schema/schema.js';
import type { RequestContext } from '../request-context.js';
import type { Allocation, Draft, Strategy } from '../strategy.js';
import type { Column, RowCondition } from './column.js';
import type { GatedFields } from './gated-fields.js';
import type { Subresource } from './subresource.js';

/** The verbs that clients can use on a resource; discovery lists them. */
export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/** A kind whose objects are not stored. */
export type VirtualKind = AnsweringKind | ComputedKind;

/** A kind that can only be created (TokenReview). The response to the POST is the result of `create`, or else a Status of success. */
export interface AnsweringKind {
  /** Returns the response to a POST. */
  create(
    body: ApiObject,
    call: VirtualCall,
    context: RequestContext,
  ): ApiObject | undefined | Promise<ApiObject | undefined>;
}

/** A kind whose objects are computed when they are read. */
export interface ComputedKind {
  /** Returns all objects as they are served, with kind, apiVersion and metadata. */
  list(): readonly ApiObject[];
  /** Returns the error for a name that no object has. Default: 404. */
  absent?(name: string, host: { readonly dialect: Dialect }): ApiError;
}

/** A POST request for a kind whose objects are not stored. */
export interface VirtualCall {
  /** '' for cluster-scoped kinds. */
  readonly namespace: string;
  /** Runs validating admission. The kind calls it after its own validation. @throws ApiError to refuse. */
  validate(object: ApiObject): void | Promise<void>;
}

/** The conversion of objects to the form they are stored in, and back. */
export interface StorageForm {
  /** Returns an object in the form in which it is stored. */
  toStorage(object: ApiObject, dialect: Dialect): ApiObject;
  /** Returns a stored object in the form of this kind. */
  fromStorage(object: ApiObject, dialect: Dialect): ApiObject;
  /** Whether converting between versions only changes apiVersion, as with the conversion strategy None. Default false. */
  readonly hasOneForm?: boolean;
  /** Converts asynchronously. `toStorage` and `fromStorage` are then used only for objects that already have the requested version. */
  readonly converter?: Converter;
}

/** Converts objects to other versions of their kind asynchronously, by a webhook. */
export interface Converter {
  /**
   * Returns the objects in another version, in the order of `objects`, with as few calls of the webhook as possible.
   * @param from 'storage' prunes the objects and fills in defaults before they are converted; 'merge' returns the webhook's result
   * unpruned. Default: the converted objects are pruned.
   * @throws ApiError 500 when they cannot be converted.
   */
  convert(objects: readonly ApiObject[], apiVersion: string, from?: 'storage' | 'merge'): Promise<readonly ApiObject[]>;
}

/** Stores the objects of a kind as objects of another definition, so that one object is served in two groups or versions. */
export interface StoredAs extends StorageForm {
  /** The definition of the kind that is stored. */
  readonly definition: ResourceDefinition;
}

/**
 * Returns the value that a field selector compares. (Written as a method, whose parameters are bivariant, so that the definition of any
 * kind is a `ResourceDefinition<ApiObject>`.)
 */
export type FieldReader<T> = { read(object: T): string | undefined }['read'];

/**
 * A {@link NameRule} that may look at the object, too. (Written as a method, so that the rule of any kind fits into
 * `ResourceDefinition<ApiObject>`.)
 */
export type ObjectNameRule<T> = { rule(name: string, prefix: boolean, object: T): ReturnType<NameRule> }['rule'];

/** The deprecation of a kind. Clients that use the kind receive `warning`, or a warning that contains the release numbers. */
export type Deprecation =
  | {
      /** The release that deprecated the version, such as `1.29`. */
      readonly since: string;
      /** The release that no longer serves the version. */
      readonly removed?: string;
      /** The API version that clients should use instead of this one (`v1`). */
      readonly replacement?: string;
    }
  | { readonly warning: string };

/** Everything that is specific to one kind. Shared code never branches on a kind; it reads this definition. */
export interface ResourceDefinition<T extends ApiObject = ApiObject> {
  /** Full group of a custom resource kind. Exactly one of `group` and `groupStem` is given. */
  readonly group?: string;
  /** Group of a built-in kind without the suffix that the API dialect appends: `certificates` for `certificates.k8s.io`, '' for core. */
  readonly groupStem?: string;
  /** The API version, such as `v1`. */
  readonly version: string;
  /**
   * Other API versions of the kind that are known but not served (with the group if it differs). A body in one of them is refused with the
   * error for a wrong version, not for an unknown kind.
   */
  readonly knownVersions?: readonly string[];
  /** The kind, such as `Widget`. */
  readonly kind: string;
  /** The kind of lists. Default: `kind` + `List`. */
  readonly listKind: string;
  /** The plural name, which is the name in URLs. */
  readonly plural: string;
  /** The name of the resource in storage keys. Some error messages quote the keys. Default: the plural. */
  readonly storedUnder?: string;
  /** The singular name. Default: the kind in lower case. */
  readonly singular: string;
  /** Abbreviations of the plural that kubectl accepts, such as `cm`. Default: none. */
  readonly shortNames?: readonly string[];
  /** Names of groups of kinds that kubectl lists together, such as `all`. Default: none. */
  readonly categories?: readonly string[];
  /** Whether objects belong to namespaces. */
  readonly scope: 'Namespaced' | 'Cluster';
  /** The schema of the objects. */
  readonly schema: ObjectSchema;
  /** Returns the schema for strategic merge patches and OpenAPI if the API dialect merges some fields differently (spec 19.18). */
  readonly patchSchema?: (dialect: Dialect) => ObjectSchema | undefined;
  /**
   * Checks the rules that `schema` cannot express: refinements, unions, checks of keys. It is called only for objects that satisfy
   * `schema`. `defineResource` derives it from the zod schema; callers cannot pass it.
   */
  checkObject?(object: T): readonly FieldError[] | Promise<readonly FieldError[]>;
  /**
   * How request bodies are decoded. `typed`, as for built-in kinds: a wrong type is a 400, and the `presence` of a field decides whether
   * its empty value is serialized. `structural`, as for custom resources: unknown fields are pruned, defaults are applied, and a wrong type
   * is a 422.
   */
  readonly decoding: 'typed' | 'structural';
  /**
   * Whether the kind's strategy itself validates the rules of the schema. Default false: objects of structural kinds are validated by their
   * schema before the strategy sees them.
   */
  readonly strategyValidatesSchema?: boolean;
  /** Default: all eight verbs for stored kinds, create for an {@link AnsweringKind}, get and list for a {@link ComputedKind}. */
  readonly verbs?: readonly Verb[];
  /** Returns the verbs that discovery lists. Default: `verbs`. When the result changes, the registry must `relist` the kind. */
  listedVerbs?(): readonly Verb[];
  /** The rule for names. Default: DNS-1123 subdomains. */
  readonly nameRule?: ObjectNameRule<T>;
  /** Fills defaults that the schema cannot express; runs after a body was read, before field ownership is tracked. */
  setDefaults?(draft: Draft<T>, dialect: Dialect): void;
  /** The rules of the kind that a schema cannot express. Default: none. */
  readonly strategy?: Strategy<T>;
  /** Whether objects are removed automatically when `ApiServerOptions.eventLifetime` has passed since their last write. Default false. */
  readonly expires?: boolean;
  /** Fields of gated features. They are dropped before the strategy prepares a write if the feature is off (spec 18.5). */
  readonly gatedFields?: readonly GatedFields[];
  /** Creates the allocation of values that must be unique among objects (addresses, ports). Only writes of the main resource use it. */
  allocation?(host: Host): Allocation<T>;
  /** Other kinds whose object of the same name is deleted together with an object of this kind, by `groupStem`, version and plural. */
  readonly cascadesTo?: readonly { readonly groupStem: string; readonly version: string; readonly plural: string }[];
  /** The subresources by name, such as `status`. Default: none. */
  readonly subresources?: Readonly<Record<string, Subresource<T>>>;
  /** Paths that a write of the main resource neither changes nor owns. */
  readonly resetFields?: readonly string[];
  /** Fields that field selectors may name, beside metadata.name and metadata.namespace. A selector compares an absent field as ''. */
  readonly selectableFields?: Readonly<Record<string, FieldReader<T>>>;
  /**
   * Whether an unsupported field selector is refused with the message of kinds that register their own field labels (spec 4.9).
   * `naming-the-kind` selects a message that contains the kind. Default: true when selectableFields is given.
   */
  readonly ownFieldLabels?: boolean | 'naming-the-kind';
  /** The columns of tables (`kubectl get`). Default: the name and the age. */
  readonly columns?: readonly Column<T>[];
  /** Orders the rows of a list that is shown as a Table. Default: the order of the list. */
  compareRows?(a: T, b: T): number;
  /** Returns the conditions of an object's row in a Table. Default: none. */
  rowConditions?(object: T): readonly RowCondition[] | undefined;
  /** Whether PUT creates an absent object. Default false. */
  readonly allowCreateOnUpdate?: boolean;
  /** Whether PUT without resourceVersion is accepted. Default: true for built-in kinds, false for custom resources (spec 3.7). */
  readonly allowUnconditionalUpdate?: boolean;
  /** Whether a deletion without options orphans dependents, as the oldest API versions do. Default false. */
  readonly orphansDependents?: boolean;
  /** Whether objects of the kind never own other objects, so that no deletion waits for dependents. Default false. */
  readonly hasNoDependents?: boolean;
  /** Whether the response to a deletion is the object rather than a Status. Default false. */
  readonly returnsDeletedObject?: boolean;
  /** Whether OpenAPI documents the object as the response to a deletion. Default: the value of `returnsDeletedObject`. */
  readonly describesDeletedObject?: boolean;
  /** Whether metadata is validated by the rules of custom resources: finalizers need no domain, and an update validates only changes. */
  readonly genericMetadata?: boolean;
  /** The metadata checks that upstream's code for the kind repeats in an update (spec 2.10). Default: `changes`, then `whole`. */
  readonly metadataChecks?: readonly MetadataCheck[];
  /** Whether metadata errors of a new object are reported only when its other fields have no errors. Default false. */
  readonly checksMetadataLast?: boolean;
  /**
   * Whether metadata.generation counts changes outside metadata (and outside status if that is a subresource). Default true for custom
   * resource kinds.
   */
  readonly tracksGeneration?: boolean;
  /** Whether the kind's list items have kind and apiVersion. Default true for custom resource kinds. */
  readonly listItemsCarryKind?: boolean;
  /** The deprecation of the version, which responses contain as a warning. Default: none. */
  readonly deprecation?: Deprecation;
  /** Whether the kind is served by default although its version is not stable. Default false (spec 18.4). */
  readonly servedByDefault?: boolean;
  /** The feature gate that must be on for the kind to be served. The runtime config cannot override it (spec 18.5). */
  readonly featureGate?: FeatureGate;
  /** Returns the definition for an API dialect in which the schema differs. The same dialect must always get the same object. */
  inDialect?(dialect: Dialect): ResourceDefinition<T>;
  /** The kind as which the objects are stored. Default: the kind itself. */
  readonly storedAs?: StoredAs;
  /**
   * The form in which objects are stored, if it differs from the served one. Values from etcd or a saved state are then decoded without
   * {@link setDefaults}, so `fromStorage` has to fill in the defaults.
   */
  readonly storageForm?: StorageForm;
  /** The version in which a custom resource kind is stored, as discovery reports it. Default: the definition's own version. */
  readonly storedVersion?: string;
  /** Makes the kind one whose objects are not stored. Default: they are. */
  readonly virtual?: VirtualKind;
  /**
   * Present for built-in kinds that upstream stores in etcd as JSON, under keys that contain the group. Other built-in kinds are stored as
   * protobuf.
   */
  readonly inJson?: StoredInJson;
}

/** How a kind is stored as JSON in an etcd that upstream's servers read, too. */
export interface StoredInJson {
  /** The version that is stored, if it is not the definition's own. */
  readonly version?: string;
  toStored?(object: ApiObject, dialect: Dialect): object;
  fromStored?(stored: JsonObject, dialect: Dialect): JsonObject;
}
