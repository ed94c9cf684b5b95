import type { JsonObject } from '../../json/value.js';
import type { ApiError } from '../../meta/api-error.js';
import type { Dialect } from '../../meta/dialect.js';
import type { FeatureGate } from '../../meta/features/gates.js';
import type { FieldError } from '../../meta/field-error.js';
import type { Host } from '../../meta/host.js';
import type { NameRule } from '../../meta/names.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { Query } from '../../meta/query.js';
import type { ServiceHandler } from '../../meta/services/service-routes.js';
import type { ObjectSchema } from '../../schema/schema.js';
import type { RequestContext } from '../request-context.js';
import type { Allocation, Draft, Strategy } from '../strategy.js';
import type { GatedFields } from './gated-fields.js';

/** The verbs that clients can use on a resource; discovery lists them. */
export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/** One column of the Table form. */
export interface Column<T> {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  readonly description: string;
  /** Columns with priority 0 are always shown, others only in wide output. Default 0. */
  readonly priority?: number;
  /** Whether rows have the cell without a column definition for it. Default false. */
  readonly unnamed?: boolean;
  /** Returns the cell. `now` is in milliseconds, for ages. */
  cell(object: T, now: number): string | number | boolean | null;
}

/** A condition of a whole row of a Table. */
export interface RowCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

/**
 * A second route to an object (`/status`), to a part of it (`/scale`), to an object computed for the request (`/token`), or to the process
 * behind it (`/log`, `/proxy`).
 */
export type Subresource<T extends ApiObject> =
  | ObjectSubresource<T>
  | PartSubresource<T>
  | CreateSubresource<T>
  | RelaySubresource<T>;

/** A subresource that reads and writes the whole object under rules of its own. */
export interface ObjectSubresource<T extends ApiObject> {
  /** Default get, patch, update. */
  readonly verbs?: readonly ('get' | 'patch' | 'update')[];
  readonly strategy?: Pick<Strategy<T>, 'prepareForUpdate' | 'validateUpdate' | 'warnings' | 'readyToRemove'>;
  /** Paths (`spec`, `status.conditions`) that a write here neither changes nor owns. */
  readonly resetFields?: readonly string[];
  /** Whether clients can request it as a Table. Default true. */
  readonly table?: boolean;
}

/** Reads and writes a part of the object as an object of another kind. Writes follow the rules of the whole object. */
export interface PartSubresource<T extends ApiObject> {
  readonly part: {
    readonly kind: string;
    /** Stem (see `groupStem`) and version of the kind. */
    readonly groupStem: string;
    readonly version: string;
    /** Older groups and versions of the kind: a body in one of them is refused as another version, not as an unknown kind. */
    readonly knownVersions?: readonly string[];
    readonly schema: ObjectSchema;
    readonly columns?: readonly Column<ApiObject>[];
    /** The one field that a write changes, in the part and in the object (`spec.replicas`). Both have the same owners. */
    readonly field: string;
    readonly fieldOfObject: string;
    /** The path of the field in other versions of the object's kind, by apiVersion. */
    readonly fieldOfVersions?: ReadonlyMap<string, string>;
    /**
     * The Go source position of the scheme in which upstream registers the kind. Messages about an unregistered kind quote it. Default:
     * that of the scheme of the built-in kinds.
     */
    readonly scheme?: string;
    /**
     * Returns the part without metadata: the server adds the object's name, namespace, uid, version and time. @throws ApiError when it
     * cannot be read
     */
    read(object: T): object;
    /** Returns the part that an update or patch starts from. Default {@link read}. @throws ApiError when it cannot be read */
    readForChange?(object: T): object;
    /** Refuses a read of a part that the object lacks. Writes are still possible, because they may add the part. @throws ApiError */
    requireShown?(object: T): void;
    /** Returns the problems of a written part. */
    validate(part: ApiObject): readonly FieldError[];
    /** Writes the field of the part into the object. @throws ApiError 400 for an object that cannot hold it */
    write(draft: Draft<T>, part: ApiObject): void;
  };
}

/** Answers a POST with an object of another kind, or performs the action that the posted object describes. */
export interface CreateSubresource<T extends ApiObject> {
  readonly create: {
    readonly kind: string;
    /** Stem (see `groupStem`) and version of the kind. */
    readonly groupStem: string;
    readonly version: string;
    /** Other versions in which bodies are read, too. */
    readonly readVersions?: readonly string[];
    readonly schema: ObjectSchema;
    /** Whether the metadata of the body is kept as it was sent, because its uid refers to another object. Default false. */
    readonly keepsMetadata?: boolean;
    /** Fills defaults after the body was read. */
    setDefaults?(draft: Draft<ApiObject>): void;
    /** Returns the object to answer; undefined to answer with a success Status. */
    create(body: ApiObject, call: CreateSubresourceCall<T>, context: RequestContext): Promise<ApiObject | undefined>;
  };
}

/** Relays requests, without decoding their bodies, to the process behind an object. */
export interface RelaySubresource<T extends ApiObject> {
  readonly relay: {
    /**
     * The kind of its parameters, in the core group's version v1: discovery and OpenAPI name it. A relay that returns a text of the object
     * (`log`) names the object's kind.
     */
    readonly kind: string;
    readonly verbs: readonly ('create' | 'delete' | 'get' | 'patch' | 'update')[];
    /** Whether requests may have a path behind the subresource, with any method. Default false. */
    readonly takesPath?: boolean;
    /** The parameters of its query. */
    readonly parameters: readonly RelayParameter[];
    /** @throws ApiError */
    answer(call: RelayCall<T>, context: RequestContext): Promise<RelayAnswer>;
  };
}

/** A parameter of the query of a relay subresource. */
export interface RelayParameter {
  readonly name: string;
  readonly type: 'boolean' | 'integer' | 'string';
  readonly description: string;
  /** Whether all its values are used. Default: only the first. */
  readonly repeated?: boolean;
}

/** A request to a relay subresource. */
export interface RelayCall<T extends ApiObject> {
  readonly namespace: string;
  /** The name as it is in the path; it may contain more than a name (`https:name:port`). */
  readonly name: string;
  readonly method: string;
  readonly query: Query;
  /** Whether the client asks to upgrade the connection to another protocol. */
  readonly asksUpgrade: boolean;
  /** Returns an object of the kind by its name. @throws ApiError 404 */
  parent(name: string): Promise<T>;
}

/** A text, or the destination that the request is relayed to. */
export type RelayAnswer = RelayText | RelayDestination;

export interface RelayText {
  readonly status: number;
  readonly text: string;
}

export interface RelayDestination {
  /** `http://host:port` or `https://host:port`; any certificate is accepted for https, because addresses have no trusted ones. */
  readonly origin: string;
  /** A handler in this process that answers instead of the origin. */
  readonly handler?: ServiceHandler;
  /** Whether the embedder has set the origin, so that addresses that only this host has are dialed, too. Default false. */
  readonly isTarget?: boolean;
}

/** A POST to a subresource that has a kind of its own, see {@link CreateSubresource}. */
export interface CreateSubresourceCall<T extends ApiObject> {
  readonly namespace: string;
  readonly name: string;
  /** Returns the object that the subresource belongs to. @throws ApiError 404 */
  parent(): Promise<T>;
  /** Runs the validating half of admission: after the kind's own validation. @throws ApiError to refuse. */
  validate(object: ApiObject): void | Promise<void>;
}

/** A kind whose objects are not stored. */
export type VirtualKind = AnsweringKind | ComputedKind;

/** A kind that answers a POST with the filled-in object, or with a success Status for undefined. */
export interface AnsweringKind {
  create(
    body: ApiObject,
    call: VirtualCall,
    context: RequestContext,
  ): ApiObject | undefined | Promise<ApiObject | undefined>;
}

/** A kind whose objects are computed when they are read. */
export interface ComputedKind {
  /** Returns all objects, in final form. */
  list(): readonly ApiObject[];
  /** Returns the error for a name that no object has. Default: 404. */
  absent?(name: string, host: { readonly dialect: Dialect }): ApiError;
}

/** A POST of a virtual kind. */
export interface VirtualCall {
  /** '' for cluster-scoped kinds. */
  readonly namespace: string;
  /** Runs the validating half of admission: after the kind's own validation. @throws ApiError to refuse. */
  validate(object: ApiObject): void | Promise<void>;
}

/** The conversion of objects to the form they are stored in, and back. */
export interface StorageForm {
  toStorage(object: ApiObject, dialect: Dialect): ApiObject;
  fromStorage(object: ApiObject, dialect: Dialect): ApiObject;
  /** Whether converting between versions only changes apiVersion, as with the conversion strategy None. Default false. */
  readonly hasOneForm?: boolean;
  /** Converts asynchronously. `toStorage` and `fromStorage` are then used only for objects that already have the wanted version. */
  readonly converter?: Converter;
}

/** Converts objects to other versions of their kind asynchronously, by a webhook. */
export interface Converter {
  /**
   * Returns the objects in another version, in the same order, with as few calls of the webhook as possible.
   * @param from 'storage' prunes the objects and fills in defaults before they are converted; 'merge' returns the webhook's result
   * unpruned. Default: the converted objects are pruned.
   * @throws ApiError 500 when they cannot be converted.
   */
  convert(objects: readonly ApiObject[], apiVersion: string, from?: 'storage' | 'merge'): Promise<readonly ApiObject[]>;
}

/** Stores a kind's objects as those of another definition: one object is served in two groups or versions. */
export interface StoredAs extends StorageForm {
  readonly definition: ResourceDefinition;
}

/**
 * Returns the value that a field selector compares. (Written as a method, whose parameters are bivariant, so that the definition of any
 * kind is a `ResourceDefinition<ApiObject>`.)
 */
export type FieldReader<T> = { read(object: T): string | undefined }['read'];

/** A {@link NameRule} that may look at the object, too. (Written as a method for the same reason.) */
export type ObjectNameRule<T> = { rule(name: string, prefix: boolean, object: T): ReturnType<NameRule> }['rule'];

/** The deprecation of a kind, about which its users are warned: the releases that the warning names, or the whole text of the warning. */
export type Deprecation =
  | {
      readonly since: string;
      readonly removed?: string /** A version of the same kind. */;
      readonly replacement?: string;
    }
  | { readonly warning: string };

/** Everything special about one kind. Shared code never branches on a kind; it reads this definition. */
export interface ResourceDefinition<T extends ApiObject = ApiObject> {
  /** Full group of a user's kind. Exactly one of `group` and `groupStem` is given. */
  readonly group?: string;
  /** Built-in kinds name their group by its stem; the dialect makes the full name. '' is the core group. */
  readonly groupStem?: string;
  readonly version: string;
  /**
   * Other versions of the kind that are known but not served (with their group if it differs): a body in one of them is refused as another
   * version, not as an unknown kind.
   */
  readonly knownVersions?: readonly string[];
  readonly kind: string;
  /** Default `kind` + `List`. */
  readonly listKind: string;
  /** The name in the URL. */
  readonly plural: string;
  /** The name of the resource in storage keys, which some messages show. Default the plural. */
  readonly storedUnder?: string;
  /** Default the kind in lower case. */
  readonly singular: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly scope: 'Namespaced' | 'Cluster';
  readonly schema: ObjectSchema;
  /** Returns the schema for strategic merge patches and OpenAPI in a dialect that merges fields differently (spec 19.18). */
  readonly patchSchema?: (dialect: Dialect) => ObjectSchema | undefined;
  /**
   * Checks the rules that `schema` cannot express: refinements, unions, checks of keys. It is called only for objects that satisfy
   * `schema`. `defineResource` makes it from a zod schema; it cannot be given.
   */
  checkObject?(object: T): readonly FieldError[] | Promise<readonly FieldError[]>;
  /**
   * How bodies are read. `typed` is the way of the built-in kinds: a wrong type is a 400, and the schema's presence decides how an empty
   * value shows. `structural` is the way of custom resources: unknown fields are pruned, defaults are applied, and a wrong type is a 422.
   */
  readonly decoding: 'typed' | 'structural';
  /**
   * Whether the kind's strategy validates the schema's rules itself. Default false: objects of structural kinds are validated by their
   * schema before the strategy sees them.
   */
  readonly strategyValidatesSchema?: boolean;
  /** Default: all eight for stored kinds, create for answering kinds, get and list for computed kinds. */
  readonly verbs?: readonly Verb[];
  /** The rule for names. Default: DNS-1123 subdomains. */
  readonly nameRule?: ObjectNameRule<T>;
  /** Fills defaults that the schema cannot express; runs after a body was read, before field ownership is tracked. */
  setDefaults?(draft: Draft<T>, dialect: Dialect): void;
  readonly strategy?: Strategy<T>;
  /** Whether its objects are removed automatically, `ApiServerOptions.eventLifetime` after their last write. Default false. */
  readonly expires?: boolean;
  /** Fields of gated features. They are dropped before the strategy prepares a write if the feature is off (spec 18.5). */
  readonly gatedFields?: readonly GatedFields[];
  /** Makes the allocation of values that no two objects can share; used for writes of the main resource. */
  allocation?(host: Host): Allocation<T>;
  /** Other kinds whose object of the same name is deleted together with an object of this kind: group stem, version and plural. */
  readonly cascadesTo?: readonly { readonly groupStem: string; readonly version: string; readonly plural: string }[];
  readonly subresources?: Readonly<Record<string, Subresource<T>>>;
  /** Paths that a write of the main resource neither changes nor owns. */
  readonly resetFields?: readonly string[];
  /** Fields that field selectors may name, beside metadata.name and metadata.namespace. Absent values are ''. */
  readonly selectableFields?: Readonly<Record<string, FieldReader<T>>>;
  /**
   * Whether other fields are refused with the message of kinds that register their own field labels (spec 4.9); `naming-the-kind` uses a
   * message with the kind. Default: true when selectableFields is given.
   */
  readonly ownFieldLabels?: boolean | 'naming-the-kind';
  readonly columns?: readonly Column<T>[];
  /** Orders the rows of a list that is shown as a Table. Default: the order of the list. */
  compareRows?(a: T, b: T): number;
  /** Returns the conditions of an object's row in a Table. Default: none. */
  rowConditions?(object: T): readonly RowCondition[] | undefined;
  /** Whether PUT creates an absent object. Default false. */
  readonly allowCreateOnUpdate?: boolean;
  /** Whether PUT without resourceVersion is accepted. Default true for built-in, false for users' kinds (spec 3.7). */
  readonly allowUnconditionalUpdate?: boolean;
  /** Whether a deletion without options orphans dependents, as the oldest API versions do. Default false. */
  readonly orphansDependents?: boolean;
  /** Whether its objects never own others, so that no deletion waits for dependents. Default false. */
  readonly hasNoDependents?: boolean;
  /** Whether a deletion answers with the object rather than a Status. Default false. */
  readonly returnsDeletedObject?: boolean;
  /** Whether OpenAPI documents the object as the answer of a deletion. Default: the value of `returnsDeletedObject`. */
  readonly describesDeletedObject?: boolean;
  /**
   * Whether metadata is validated as for users' kinds: finalizers need no domain, and an update validates changed metadata only. Default
   * true for users' kinds.
   */
  readonly genericMetadata?: boolean;
  /**
   * The metadata that upstream's validation of the kind checks again, beside the generic check. Errors that both find are reported twice.
   * For `nothing`, metadata errors are reported only when the kind's own fields have no errors. Default: all.
   */
  readonly looksAtMetadata?: 'whole' | 'nothing';
  /**
   * Whether metadata.generation counts changes outside metadata (and outside status if that is a subresource). Default true for users'
   * kinds.
   */
  readonly tracksGeneration?: boolean;
  /** Whether the kind's list items have kind and apiVersion. Default true for users' kinds. */
  readonly listItemsCarryKind?: boolean;
  readonly deprecation?: Deprecation;
  /** Whether the kind is served by default although its version is not stable. Default false (spec 18.4). */
  readonly servedByDefault?: boolean;
  /** The feature that must be on for the kind to be served, whatever the runtime config switches on (spec 18.5). */
  readonly featureGate?: FeatureGate;
  /** Returns the definition for a dialect in which the schema differs. It must return the same object for the same dialect every time. */
  inDialect?(dialect: Dialect): ResourceDefinition<T>;
  readonly storedAs?: StoredAs;
  /**
   * The form in which objects are stored, if it differs from the served one. Values that etcd or a saved state contains are then read
   * without {@link setDefaults}, so `fromStorage` has to fill in what they lack.
   */
  readonly storageForm?: StorageForm;
  /** The storage version that discovery reports. Default: the definition's own version. */
  readonly storedVersion?: string;
  readonly virtual?: VirtualKind;
  /** Present for built-in kinds that the reference keeps in etcd as JSON, below their group; others are kept in protocol buffers. */
  readonly inJson?: StoredInJson;
}

/** The form of a kind in a storage that the reference's servers read, too. */
export interface StoredInJson {
  /** The version that is stored, if it is not the definition's own. */
  readonly version?: string;
  toStored?(object: ApiObject, dialect: Dialect): object;
  fromStored?(stored: JsonObject, dialect: Dialect): JsonObject;
}
