import type { FieldError } from '../../meta/field-error.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { MetadataCheck } from '../../meta/object-meta-validation.js';
import type { Query } from '../../meta/query.js';
import type { ServiceHandler } from '../../meta/services/service-routes.js';
import type { ObjectSchema } from '../../schema/schema.js';
import type { RequestContext } from '../request-context.js';
import type { Draft, Strategy } from '../strategy.js';
import type { Column } from './column.js';

/**
 * A subresource: a second endpoint for an object (`/status`), for a part of it (`/scale`), for an object that is computed for the request
 * (`/token`), or for the process that an object represents (`/log`, `/proxy`).
 */
export type Subresource<T extends ApiObject> =
  | ObjectSubresource<T>
  | PartSubresource<T>
  | CreateSubresource<T>
  | RelaySubresource<T>;

/** A subresource that reads and writes the whole object, but with a strategy of its own (`/status`). */
export interface ObjectSubresource<T extends ApiObject> {
  /** The verbs of the subresource. Default: get, patch, update. */
  readonly verbs?: readonly ('get' | 'patch' | 'update')[];
  /** The rules for writes of the subresource. Default: those of the kind. */
  readonly strategy?: Pick<Strategy<T>, 'prepareForUpdate' | 'validateUpdate' | 'warnings' | 'readyToRemove'>;
  /** The paths of fields (`spec`, `status.conditions`) that a write to the subresource neither changes nor adds to `managedFields`. */
  readonly resetFields?: readonly string[];
  /** The metadata checks that upstream's code for the subresource repeats, so that their errors are reported twice. Default: `changes`. */
  readonly metadataChecks?: readonly MetadataCheck[];
  /** Whether clients can request the response as a Table. Default true. */
  readonly table?: boolean;
}

/** A subresource that serves some fields of the object (called the part) as an object of another kind, like `/scale`. */
export interface PartSubresource<T extends ApiObject> {
  /** The kind of the part, and how it is read from the object and written to it. */
  readonly part: {
    /** The kind of the part, such as `Scale`. */
    readonly kind: string;
    /** The API group without the suffix that the API dialect appends, see `ResourceDefinition.groupStem`. */
    readonly groupStem: string;
    /** The API version of the part. */
    readonly version: string;
    /** Older API versions of the kind: a body in one of them is refused with the error for a wrong version, not for an unknown kind. */
    readonly knownVersions?: readonly string[];
    /** The schema of the part. */
    readonly schema: ObjectSchema;
    /** The columns of tables of the part. */
    readonly columns?: readonly Column<ApiObject>[];
    /** The path of the only field of the part that a write changes, such as `spec.replicas`. */
    readonly field: string;
    /** The path of the same field in the object. Both fields have the same field managers. */
    readonly fieldOfObject: string;
    /** The path of `fieldOfObject` by apiVersion; undefined for a version without the part. Writes drop managers of other versions. */
    readonly fieldOfVersions?: ReadonlyMap<string, string | undefined>;
    /**
     * The Go source position of the `runtime.Scheme` in which upstream registers the kind. Messages about an unregistered kind quote it.
     * Default: the position of the scheme of the built-in kinds.
     */
    readonly scheme?: string;
    /**
     * Returns the part of an object without metadata. The server adds name, namespace, uid, resourceVersion and creationTimestamp of the
     * object.
     * @throws ApiError when the part cannot be read
     */
    read(object: T): object;
    /** Returns the part of an object for an update or patch to start from. Default {@link read}. @throws ApiError when it cannot be read */
    readForChange?(object: T): object;
    /** The API group stem in which every failed GET is a 404 of the part (`deployments/scale`). Default: the failure as it is. */
    readonly failedReadGroupStem?: string;
    /** Refuses to serve the part of an object that lacks it. Writes are still possible, because they may add the part. @throws ApiError */
    requireShown?(object: T): void;
    /** Returns the validation errors of the part after a write. */
    validate(part: ApiObject): readonly FieldError[];
    /** Copies `field` of the part to `fieldOfObject` of the draft. @throws ApiError 400 for an object that cannot hold it */
    write(draft: Draft<T>, part: ApiObject): void;
  };
}

/** A subresource for POST. It creates an object of another kind (`/token`), or does what the posted object describes (`/eviction`). */
export interface CreateSubresource<T extends ApiObject> {
  /** The kind that is created, and the function that responds. */
  readonly create: {
    /** The kind of the request and the response, such as `TokenRequest`. */
    readonly kind: string;
    /** The API group without the suffix that the API dialect appends, see `ResourceDefinition.groupStem`. */
    readonly groupStem: string;
    /** The API version of the kind. */
    readonly version: string;
    /** Other versions of the kind in which request bodies are accepted. */
    readonly readVersions?: readonly string[];
    /** The schema of the kind. */
    readonly schema: ObjectSchema;
    /** Whether the metadata of the body is kept as sent, because the uid in it is that of another object. Default false. */
    readonly keepsMetadata?: boolean;
    /** Fills in defaults after the request body was decoded. */
    setDefaults?(draft: Draft<ApiObject>): void;
    /** Returns the object of the response; undefined to respond with a Status of success. */
    create(body: ApiObject, call: CreateSubresourceCall<T>, context: RequestContext): Promise<ApiObject | undefined>;
  };
}

/** A subresource whose requests are passed on to the process behind an object (`/exec`, `/proxy`). Their bodies are not decoded. */
export interface RelaySubresource<T extends ApiObject> {
  /** The accepted requests, and the function that responds to them. */
  readonly relay: {
    /**
     * The kind of the object that the query parameters form (`PodExecOptions`), in the core group's version v1. Discovery and OpenAPI list
     * it. A subresource that returns text (`/log`) has the object's own kind here.
     */
    readonly kind: string;
    /** The verbs that the subresource accepts. */
    readonly verbs: readonly ('create' | 'delete' | 'get' | 'patch' | 'update')[];
    /** Whether requests may have a path after the subresource, with any method. Default false. */
    readonly takesPath?: boolean;
    /** The query parameters of the subresource. */
    readonly parameters: readonly RelayParameter[];
    /** Returns the text of the response, or the backend to which the request is forwarded. @throws ApiError */
    answer(call: RelayCall<T>, context: RequestContext): Promise<RelayAnswer>;
  };
}

/** A query parameter of a {@link RelaySubresource}. */
export interface RelayParameter {
  /** The name of the query parameter. */
  readonly name: string;
  /** The type of the value. */
  readonly type: 'boolean' | 'integer' | 'string';
  /** A sentence about the parameter, for OpenAPI. */
  readonly description: string;
  /** Whether all values of a repeated query parameter are used. Default: false (only the first). */
  readonly repeated?: boolean;
}

/** A request to a subresource that passes it on to another process, see {@link RelaySubresource}. */
export interface RelayCall<T extends ApiObject> {
  /** The namespace of the object; '' for cluster-scoped kinds. */
  readonly namespace: string;
  /** The name segment of the path. It may contain more than the object's name (`https:name:port`). */
  readonly name: string;
  /** The HTTP method. */
  readonly method: string;
  /** The query parameters. */
  readonly query: Query;
  /** Whether the client requests an upgrade of the connection to another protocol. */
  readonly asksUpgrade: boolean;
  /** Returns an object of the kind by its name. @throws ApiError 404 */
  parent(name: string): Promise<T>;
}

/** The text of a response, or the backend to which the request is forwarded. */
export type RelayAnswer = RelayText | RelayDestination;

/** A text that is the response of a subresource. */
export interface RelayText {
  /** The HTTP status. */
  readonly status: number;
  /** The body. */
  readonly text: string;
}

/** The backend to which a request to a subresource is forwarded. */
export interface RelayDestination {
  /**
   * The URL of the backend: `http://host:port` or `https://host:port`. Any certificate is accepted for https, because backends at IP
   * addresses have no certificates that the server can verify.
   */
  readonly origin: string;
  /** A handler in this process that responds instead of the backend at `origin`. */
  readonly handler?: ServiceHandler;
  /** Whether the embedder has set the URL. Only then are loopback and link-local addresses dialed, too. Default false. */
  readonly isTarget?: boolean;
}

/** A POST to a subresource that has a kind of its own, see {@link CreateSubresource}. */
export interface CreateSubresourceCall<T extends ApiObject> {
  /** The namespace of the object; '' for cluster-scoped kinds. */
  readonly namespace: string;
  /** The name of the object. */
  readonly name: string;
  /** Returns the object that the subresource belongs to. @throws ApiError 404 */
  parent(): Promise<T>;
  /** Runs validating admission. The kind calls it after its own validation. @throws ApiError to refuse. */
  validate(object: ApiObject): void | Promise<void>;
}

/** The kind of the request and response bodies of a subresource, if it is not the object's own kind. */
export type SubresourceKind = Pick<CreateSubresource<ApiObject>['create'], 'kind' | 'groupStem' | 'version' | 'schema'>;

/** Returns the kind of the request and response bodies of a subresource; undefined when it is the object's own kind. */
export function kindOfSubresource(subresource: Subresource<ApiObject>): SubresourceKind | undefined {
  if ('create' in subresource) return subresource.create;
  return 'part' in subresource ? subresource.part : undefined;
}

/** Returns the verbs that clients can use on a subresource. */
export function verbsOfSubresource(
  subresource: Subresource<ApiObject>,
): readonly ('create' | 'delete' | 'get' | 'patch' | 'update')[] {
  if ('create' in subresource) return ['create'];
  if ('relay' in subresource) return subresource.relay.verbs;
  return ('part' in subresource ? undefined : subresource.verbs) ?? ['get', 'patch', 'update'];
}
