import type { Convert } from '../../fields/index.js';
import { type Dialect, groupOf } from '../../meta/dialect.js';
import {
  formatGroupVersion,
  type GroupResource,
  type GroupVersionKind,
  type GroupVersionResource,
} from '../../meta/group-version.js';
import type { ApiObject } from '../../meta/object-meta.js';
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

/** As {@link Convert}. @throws ApiError 500 where it cannot be converted. */
export type ConvertLater = (...wanted: Parameters<Convert>) => Promise<ReturnType<Convert>> | undefined;

/** A definition under the names of one server's dialect. */
export interface ServedResource<T extends ApiObject = ApiObject> {
  readonly definition: ResourceDefinition<T>;
  readonly dialect: Dialect;
  readonly gvk: GroupVersionKind;
  readonly gvr: GroupVersionResource;
  /** The kind its objects are stored as: messages about their content name that one. */
  readonly storedKind: GroupVersionKind;
  /** How messages name it. */
  readonly groupResource: GroupResource;
  readonly apiVersion: string;
  /** Where its kind is known, as refusals of others name it. Default where all built-in kinds are. */
  readonly scheme?: string;
  /** Other versions of its group in which bodies are read, too. */
  readonly readVersions?: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: ReadonlySet<string>;
  /** Where its objects are kept: `/registry/secrets/`. */
  readonly keyPrefix: string;
  /** Given where other versions or groups serve the same objects: writes an object in another of them. */
  readonly convert?: Convert;
  /** Given instead of {@link convert} where somebody has to be asked. */
  readonly convertLater?: ConvertLater;
  /** Given where {@link convert} or {@link convertLater} is: all that serve the same objects, this one among them. */
  readonly peers?: readonly ServedResource[];
}

/** Resolves when what a kind does is loaded, and those do that share its storage; undefined where it is. */
export function loading({ definition, peers }: ServedResource): Promise<unknown> | undefined {
  if (peers === undefined) return definition.late?.load();
  const late = peers.flatMap((peer) => peer.definition.late ?? []);
  return late.length === 0 ? undefined : Promise.all(late.map((rules) => rules.load()));
}

/** Names a definition in a dialect. */
export function serveResource<T extends ApiObject>(given: ResourceDefinition<T>, dialect: Dialect): ServedResource<T> {
  const definition = given.inDialect?.(dialect) ?? given;
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

/** The store key of one object; `namespace` is '' for cluster-scoped kinds. */
export function objectKey(resource: ServedResource, namespace: string, name: string): string {
  return resource.namespaced ? `${resource.keyPrefix}${namespace}/${name}` : `${resource.keyPrefix}${name}`;
}

/** The prefix of a collection's keys; no namespace means all. */
export function collectionPrefix(resource: ServedResource, namespace: string): string {
  return resource.namespaced && namespace !== '' ? `${resource.keyPrefix}${namespace}/` : resource.keyPrefix;
}
