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

/** What clients can ask of a resource; discovery lists them. */
export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/** One column of the Table form. */
export interface Column<T> {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  readonly description: string;
  /** 0 is always shown, more only in wide output. Default 0. */
  readonly priority?: number;
  /** Rows have the cell, but no column is named. Default false. */
  readonly unnamed?: boolean;
  /** The cell; `now` in milliseconds, for ages. */
  cell(object: T, now: number): string | number | boolean | null;
}

/** What is known of a whole row of a Table. */
export interface RowCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

/** A second route to an object (`/status`), to a part of it (`/scale`), to something made on the spot (`/token`), or to what runs behind it. */
export type Subresource<T extends ApiObject> =
  | ObjectSubresource<T>
  | PartSubresource<T>
  | ConnectSubresource<T>
  | RelaySubresource<T>;

/** Reads and writes the whole object under its own rules. */
export interface ObjectSubresource<T extends ApiObject> {
  /** Default get, patch, update. */
  readonly verbs?: readonly ('get' | 'patch' | 'update')[];
  readonly strategy?: Pick<Strategy<T>, 'prepareForUpdate' | 'validateUpdate' | 'warnings' | 'readyToRemove'>;
  /** Paths (`spec`, `status.conditions`) that a write here neither changes nor owns. */
  readonly resetFields?: readonly string[];
  /** Whether it can be had as a Table. Default true. */
  readonly table?: boolean;
}

/** Reads and writes a part of the object as an object of another kind. Writes follow the rules of the whole object. */
export interface PartSubresource<T extends ApiObject> {
  readonly part: {
    readonly kind: string;
    /** Stem (see `groupStem`) and version of the kind. */
    readonly groupStem: string;
    readonly version: string;
    /** Groups and versions that had the kind before: a body of theirs is refused as such. */
    readonly knownVersions?: readonly string[];
    readonly schema: ObjectSchema;
    readonly columns?: readonly Column<ApiObject>[];
    /** The one field that a write changes, in the part and in the object (`spec.replicas`): who owns it there owns it here. */
    readonly field: string;
    readonly fieldOfObject: string;
    /** What other versions of the object's kind call it, by apiVersion. */
    readonly fieldOfVersions?: ReadonlyMap<string, string>;
    /** Where its kind is known, as the reference's refusals of others name it. Default where all built-in kinds are. */
    readonly scheme?: string;
    /** The part, without its metadata: those are the object's name, namespace, uid, version and time. @throws ApiError when it cannot be read */
    read(object: T): object;
    /** The part that a change begins with. Default {@link read}. @throws ApiError when it cannot be read */
    readForChange?(object: T): object;
    /** Refuses to show the part of an object that lacks it: a change may give it one. @throws ApiError */
    requireShown?(object: T): void;
    /** Problems of a written part. */
    validate(part: ApiObject): readonly FieldError[];
    /** Puts the field of a part in its place. @throws ApiError 400 for what has none */
    write(draft: Draft<T>, part: ApiObject): void;
  };
}

/** Answers a POST with an object of another kind, or does what the object says. */
export interface ConnectSubresource<T extends ApiObject> {
  readonly connect: {
    readonly kind: string;
    /** Stem (see `groupStem`) and version of the kind. */
    readonly groupStem: string;
    readonly version: string;
    /** Other versions in which bodies are read, too. */
    readonly readVersions?: readonly string[];
    readonly schema: ObjectSchema;
    /** Whether the metadata of the body stays as it was sent: its uid means something else's. Default false. */
    readonly keepsMetadata?: boolean;
    /** Fills defaults when the body was read. */
    setDefaults?(draft: Draft<ApiObject>): void;
    /** The object to answer; undefined: that it was done. */
    create(body: ApiObject, call: ConnectCall<T>, context: RequestContext): Promise<ApiObject | undefined>;
  };
}

/** Hands requests, whatever their bodies are, to what runs behind an object. */
export interface RelaySubresource<T extends ApiObject> {
  readonly relay: {
    /**
     * The kind of its parameters, in the core group's version v1: discovery and OpenAPI name it. One that is read as a text of the object
     * names the object's kind.
     */
    readonly kind: string;
    readonly verbs: readonly ('create' | 'delete' | 'get' | 'patch' | 'update')[];
    /** Whether requests are for a path behind the object, by any method. Default false. */
    readonly takesPath?: boolean;
    /** What its query says. */
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
  /** Whether all its values count. Default: the first. */
  readonly repeated?: boolean;
}

/** What a relay subresource is asked. */
export interface RelayCall<T extends ApiObject> {
  readonly namespace: string;
  /** As the path has it: there may be more than a name in it. */
  readonly name: string;
  readonly method: string;
  readonly query: Query;
  /** Whether the connection is to become another protocol's. */
  readonly asksUpgrade: boolean;
  /** An object of the kind, by its name. @throws ApiError 404 */
  parent(name: string): Promise<T>;
}

/** A text, or where the request goes on to. */
export type RelayAnswer = RelayText | RelayDestination;

export interface RelayText {
  readonly status: number;
  readonly text: string;
}

export interface RelayDestination {
  /** `http://host:port` or `https://host:port`; there any certificate will do, as addresses have none that anybody trusts. */
  readonly origin: string;
  /** What in this process is asked instead. */
  readonly handler?: ServiceHandler;
  /** Whether the embedder has set the origin, so that addresses which only this host has are dialled, too. Default false. */
  readonly isTarget?: boolean;
}

/** What a connect subresource was called on. */
export interface ConnectCall<T extends ApiObject> {
  readonly namespace: string;
  readonly name: string;
  /** The object it belongs to. @throws ApiError 404 */
  parent(): Promise<T>;
  /** Runs the validating half of admission: after the kind's own validation. @throws ApiError to refuse. */
  validate(object: ApiObject): void | Promise<void>;
}

/** What is known of a subresource before the rules of its kind are there: the kind it speaks of, and what clients can ask of it. */
export type SubresourceNames =
  | Pick<ObjectSubresource<ApiObject>, 'verbs'>
  | { readonly part: Pick<PartSubresource<ApiObject>['part'], 'kind' | 'groupStem' | 'version' | 'knownVersions'> }
  | {
      readonly connect: Pick<
        ConnectSubresource<ApiObject>['connect'],
        'kind' | 'groupStem' | 'version' | 'readVersions'
      >;
    }
  | { readonly relay: Pick<RelaySubresource<ApiObject>['relay'], 'kind' | 'verbs' | 'takesPath'> };

/** Of a kind whose rules are loaded when it is first used: how that is done, and what is known before. */
export interface LateRules {
  readonly subresources: Readonly<Record<string, SubresourceNames>>;
  /** Completes the definition, and that of the kind its objects are stored as. Fails where a module cannot be loaded. */
  load(): Promise<void>;
}

/** A kind whose objects are not stored. */
export type VirtualKind = AnsweringKind | ComputedKind;

/** A POST is answered with the filled-in object; with undefined, that it was done. */
export interface AnsweringKind {
  create(
    body: ApiObject,
    call: VirtualCall,
    context: RequestContext,
  ): ApiObject | undefined | Promise<ApiObject | undefined>;
}

/** Its objects are made when they are read. */
export interface ComputedKind {
  /** All of them, in final form. */
  list(): readonly ApiObject[];
  /** The error for a name that none of them has. Default: 404. */
  absent?(name: string, host: { readonly dialect: Dialect }): ApiError;
}

/** What a POST of a virtual kind was sent to. */
export interface VirtualCall {
  /** '' for cluster-scoped kinds. */
  readonly namespace: string;
  /** Runs the validating half of admission: after the kind's own validation. @throws ApiError to refuse. */
  validate(object: ApiObject): void | Promise<void>;
}

/** What becomes of objects on their way to the storage and back. */
export interface StorageForm {
  toStorage(object: ApiObject, dialect: Dialect): ApiObject;
  fromStorage(object: ApiObject, dialect: Dialect): ApiObject;
  /** Whether converting between versions only changes apiVersion, as with the conversion strategy None. Default false. */
  readonly hasOneForm?: boolean;
  /** Converts where that has to be waited for: `toStorage` and `fromStorage` are used for objects that are of the wanted version already. */
  readonly converter?: Converter;
}

/** Writes objects in other versions of their kind by asking somebody. */
export interface Converter {
  /**
   * Objects in another version, in their order, by as few questions as there can be.
   * @param from 'storage' prunes the objects and fills in defaults before they are converted; 'merge' returns what the webhook made,
   * unpruned. Default: the converted objects are pruned.
   * @throws ApiError 500 where they cannot be converted.
   */
  convert(objects: readonly ApiObject[], apiVersion: string, from?: 'storage' | 'merge'): Promise<readonly ApiObject[]>;
}

/** Keeps a kind's objects as those of another definition: one object, served in two groups or versions. */
export interface StoredAs extends StorageForm {
  readonly definition: ResourceDefinition;
}

/** Reads what a field selector compares. (Written as a method so that a definition of a narrower kind is one of objects.) */
export type FieldReader<T> = { read(object: T): string | undefined }['read'];

/** A {@link NameRule} that may look at the object, too. (Written as a method for the same reason.) */
export type ObjectNameRule<T> = { rule(name: string, prefix: boolean, object: T): ReturnType<NameRule> }['rule'];

/** What its users are warned of: releases, or a text. */
export type Deprecation =
  | {
      readonly since: string;
      readonly removed?: string /** A version of the same kind. */;
      readonly replacement?: string;
    }
  | { readonly warning: string };

/** Everything special about one kind. Shared code never branches on a kind: it reads this. */
export interface ResourceDefinition<T extends ApiObject = ApiObject> {
  /** Full group of a user's kind. Exactly one of `group` and `groupStem` is given. */
  readonly group?: string;
  /** Built-in kinds name their group by its stem; the dialect makes the full name. '' is the core group. */
  readonly groupStem?: string;
  readonly version: string;
  /** Other versions of the kind that are known, but not served (with their group where that is another): a body in one is refused as such. */
  readonly knownVersions?: readonly string[];
  readonly kind: string;
  /** Default `kind` + `List`. */
  readonly listKind: string;
  /** The name in the URL. */
  readonly plural: string;
  /** Its place in the keys of the storage, which some messages show. Default the plural. */
  readonly storedUnder?: string;
  /** Default the kind in lower case. */
  readonly singular: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly scope: 'Namespaced' | 'Cluster';
  readonly schema: ObjectSchema;
  /** The same fields as strategic merge patches and OpenAPI see them, where a dialect merges them otherwise (spec 19.18). */
  readonly patchSchema?: (dialect: Dialect) => ObjectSchema | undefined;
  /**
   * What the author of the schema says beyond `schema`: refinements, unions, checks of keys. Asked after it, and only about objects
   * that satisfy it. Made by `defineResource` from a zod schema; it cannot be given.
   */
  checkObject?(object: T): readonly FieldError[] | Promise<readonly FieldError[]>;
  /**
   * How bodies are read: `typed` as the built-in kinds (wrong types are 400, empty values follow the schema's
   * presence), `structural` as declared kinds (unknown fields pruned, defaults applied, wrong types are 422).
   */
  readonly decoding: 'typed' | 'structural';
  /** The strategy sees to the schema's rules, too. Default: structural kinds are validated by their schema first. */
  readonly strategyValidatesSchema?: boolean;
  /** Default all eight for stored kinds, create for those that only answer, get and list for those that are computed. */
  readonly verbs?: readonly Verb[];
  /** What names are allowed. Default: DNS-1123 subdomains. */
  readonly nameRule?: ObjectNameRule<T>;
  /** Fills defaults that the schema cannot say; runs when a body was read, before field ownership is tracked. */
  setDefaults?(draft: Draft<T>, dialect: Dialect): void;
  readonly strategy?: Strategy<T>;
  /** Its objects go by themselves, `ApiServerOptions.eventLifetime` after they were last written. Default false. */
  readonly expires?: boolean;
  /** Fields of features that may be off: dropped before the strategy prepares a write (spec 18.5). */
  readonly gatedFields?: readonly GatedFields[];
  /** What its objects are given that no two of them can have; for writes of the main resource. */
  allocation?(host: Host): Allocation<T>;
  /** Other kinds whose object of the same name goes when one of these goes: group stem, version and plural. */
  readonly takesAlong?: readonly { readonly groupStem: string; readonly version: string; readonly plural: string }[];
  readonly subresources?: Readonly<Record<string, Subresource<T>>>;
  /** Paths that a write of the main resource neither changes nor owns. */
  readonly resetFields?: readonly string[];
  /** Fields that field selectors may name, beside metadata.name and metadata.namespace. Absent values are ''. */
  readonly selectableFields?: Readonly<Record<string, FieldReader<T>>>;
  /**
   * Refuses other fields with the text of kinds that list their own (spec 4.9), or with one that names the kind. Default:
   * when selectableFields is given.
   */
  readonly ownFieldLabels?: boolean | 'naming-the-kind';
  readonly columns?: readonly Column<T>[];
  /** The order of the rows when a list is shown as a Table. Default: that of the list. */
  compareRows?(a: T, b: T): number;
  /** What a Table says of an object's whole row; default nothing. */
  rowConditions?(object: T): readonly RowCondition[] | undefined;
  /** PUT of an absent object makes it. Default false. */
  readonly allowCreateOnUpdate?: boolean;
  /** PUT without resourceVersion is accepted. Default true for built-in, false for users' kinds (spec 3.7). */
  readonly allowUnconditionalUpdate?: boolean;
  /** A deletion that does not say otherwise leaves dependents alone, as in the oldest versions. Default false. */
  readonly orphansDependents?: boolean;
  /** Its objects own nothing: no deletion of one waits for dependents. Default false. */
  readonly hasNoDependents?: boolean;
  /** A deletion answers the object rather than a Status. Default false. */
  readonly returnsDeletedObject?: boolean;
  /** What OpenAPI says of that. Default the same. */
  readonly describesDeletedObject?: boolean;
  /** Metadata is validated as that of users' kinds: finalizers need no domain, an update looks at what changes. Default: users' kinds. */
  readonly genericMetadata?: boolean;
  /**
   * What of the metadata the kind itself looks at, beside what is done for all kinds: mistakes that both find are reported twice, and
   * those of a kind that looks at nothing only when its own fields are fine. Default: all.
   */
  readonly looksAtMetadata?: 'whole' | 'nothing';
  /** Whether metadata.generation counts changes outside metadata (and status, where that is a subresource). Default: users' kinds. */
  readonly tracksGeneration?: boolean;
  /** Whether the kind's list items carry kind and apiVersion. Default: users' kinds. */
  readonly listItemsCarryKind?: boolean;
  readonly deprecation?: Deprecation;
  /** Served though its version is not stable and was not asked for. Default false (spec 18.4). */
  readonly servedByDefault?: boolean;
  /** Served only while this feature is on, whatever else is switched on (spec 18.5). */
  readonly featureGate?: FeatureGate;
  /** The same kind as a dialect has it, where its schema differs: always the same definition for a dialect. */
  inDialect?(dialect: Dialect): ResourceDefinition<T>;
  readonly storedAs?: StoredAs;
  /** The form in which objects are stored, where they are not stored as they are served. */
  readonly storageForm?: StorageForm;
  /** The version that discovery says objects are stored in. Default the definition's own. */
  readonly storedVersion?: string;
  readonly virtual?: VirtualKind;
  /** Given as long as the rules of a built-in kind are not loaded (`loadKinds`): until then its rules throw. It cannot be given. */
  readonly late?: LateRules;
}
