import type { Convert, OwnershipOptions } from '../../fields/merge/managers.js';
import { apiError } from '../../meta/api-error.js';
import { type Dialect, groupOf } from '../../meta/dialect.js';
import {
  formatGroupVersion,
  type GroupResource,
  type GroupVersionKind,
  type GroupVersionResource,
} from '../../meta/group-version.js';
import { nameIsPathSegment } from '../../meta/names.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { quote } from '../../values/quote.js';
import type { ResourceDefinition, Verb, VirtualKind } from '../resource-definition.js';

const STORED_VERBS: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

/** An asynchronous {@link Convert}. @throws ApiError 500 when the object cannot be converted. */
export type ConvertLater = (...args: Parameters<Convert>) => Promise<ReturnType<Convert>> | undefined;

/** A resource definition with the full group name that it has in one API dialect. */
export interface ServedResource<T extends ApiObject = ApiObject> {
  /** The definition of the kind. */
  readonly definition: ResourceDefinition<T>;
  /** The dialect in which the kind is served. */
  readonly dialect: Dialect;
  /** The kind with its full API group and version. */
  readonly gvk: GroupVersionKind;
  /** The plural name with its full API group and version. */
  readonly gvr: GroupVersionResource;
  /** The kind as which the objects are stored. Validation errors name this kind. */
  readonly storedKind: GroupVersionKind;
  /** The group and resource that messages name (`deployments.apps`). */
  readonly groupResource: GroupResource;
  /** The group and version as objects contain them: `apps/v1`. */
  readonly apiVersion: string;
  /**
   * The Go source position of the `runtime.Scheme` in which upstream registers the kind, as messages quote it. Default: the position of the
   * scheme of the built-in kinds.
   */
  readonly scheme?: string;
  /** Other versions of the resource's group in which request bodies are accepted. */
  readonly readVersions?: readonly string[];
  /** Whether objects are in a namespace. */
  readonly namespaced: boolean;
  /** The verbs that clients can use. */
  readonly verbs: ReadonlySet<string>;
  /** The prefix of the storage keys of the resource's objects: `/registry/secrets/`. */
  readonly keyPrefix: string;
  /** Converts an object to another version or group that serves the same objects. Absent if there is none, or if a webhook converts. */
  readonly convert?: Convert;
  /** Converts an object by a webhook, asynchronously. A resource has either this member or {@link convert}, or neither. */
  readonly convertLater?: ConvertLater;
  /** All resources that serve the same objects, including this one; absent if this is the only one. */
  readonly peers?: readonly ServedResource[];
}

/** Returns a definition with its full group name in an API dialect. The servers and clients of a process share the result. */
export function serveResource<T extends ApiObject>(
  declared: ResourceDefinition<T>,
  dialect: Dialect,
): ServedResource<T> {
  let served = resources.get(dialect);
  if (!served) resources.set(dialect, (served = new WeakMap()));
  const known = served.get(declared);
  // `resource` was created from this definition, so it has the type `T` and the cast is safe.
  if (known) return known as ServedResource<T>;
  const resource = inDialect(declared, dialect);
  served.set(declared, resource as ServedResource);
  return resource;
}

const resources = new WeakMap<Dialect, WeakMap<object, ServedResource>>();

function inDialect<T extends ApiObject>(declared: ResourceDefinition<T>, dialect: Dialect): ServedResource<T> {
  const definition = declared.inDialect?.(dialect) ?? declared;
  const group = definition.group ?? groupOf(dialect, definition.groupStem ?? '');
  const { version, kind, plural } = definition;
  return {
    definition,
    dialect,
    gvk: { group, version, kind },
    gvr: { group, version, resource: plural },
    storedKind: definition.storedAs
      ? serveResource(definition.storedAs.definition, dialect).gvk
      : { group, version, kind },
    groupResource: { group, resource: plural },
    apiVersion: formatGroupVersion({ group, version }),
    namespaced: definition.scope === 'Namespaced',
    verbs: new Set(definition.verbs ?? verbsOf(definition.virtual)),
    keyPrefix: keyPrefixOf(definition),
  };
}

function verbsOf(virtual: VirtualKind | undefined): readonly Verb[] {
  if (!virtual) return STORED_VERBS;
  return 'create' in virtual ? ['create'] : ['get', 'list'];
}

function keyPrefixOf(definition: ResourceDefinition): string {
  if (definition.storedAs) return keyPrefixOf(definition.storedAs.definition);
  const { group, plural, storedUnder = plural } = definition;
  return group === undefined ? `/registry/${storedUnder}/` : `/registry/${group}/${storedUnder}/`;
}

/** Returns the store key of one object; `namespace` is '' for cluster-scoped kinds. */
export function objectKey(resource: ServedResource, namespace: string, name: string): string {
  return resource.namespaced ? `${resource.keyPrefix}${namespace}/${name}` : `${resource.keyPrefix}${name}`;
}

/** Returns the prefix of a collection's keys; '' as `namespace` means all namespaces. */
export function collectionPrefix(resource: ServedResource, namespace: string): string {
  return resource.namespaced && namespace !== '' ? `${resource.keyPrefix}${namespace}/` : resource.keyPrefix;
}

/** Returns the storage key of the object that a path names. @throws ApiError 400 for a name that no object can have (spec 1.11). */
export function requestedKey(resource: ServedResource, namespace: string, name: string): string {
  const problems = nameIsPathSegment(name, false);
  if (problems.length > 0) throw apiError.badRequest(`Name parameter invalid: ${quote(name)}: ${problems.join(';')}`);
  return objectKey(resource, namespace, name);
}

/** Returns the kind's rules of field ownership, for a write to the object itself ('') or to a subresource. */
export function ownershipRules(
  { definition, apiVersion }: ServedResource,
  subresource: string,
): Pick<OwnershipOptions, 'schema' | 'apiVersion' | 'subresource' | 'resetFields'> {
  const route = subresource === '' ? definition : definition.subresources?.[subresource];
  const resetFields = route && 'resetFields' in route ? route.resetFields : undefined;
  return { schema: definition.schema, apiVersion, subresource, resetFields };
}
