import { formatGroupVersion } from '../../meta/group-version.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { ResourceDefinition } from '../resource-definition.js';
import type { ServedResource } from './served-resource.js';

/** The facts of a subresource's own kind, the one that it reads and answers. */
export type OwnKind = Pick<
  ResourceDefinition,
  'groupStem' | 'version' | 'kind' | 'schema' | 'columns' | 'knownVersions' | 'setDefaults'
>;

/**
 * Returns a subresource's own kind as a served resource with the names of its parent, so that bodies are decoded and shown in the same way.
 * `group` is the full name of its `groupStem`.
 */
export function serveOwnKind(parent: ServedResource, own: OwnKind, group: string): ServedResource {
  const definition: ResourceDefinition<ApiObject> = {
    ...own,
    listKind: `${own.kind}List`,
    plural: parent.gvr.resource,
    singular: parent.definition.singular,
    scope: parent.definition.scope,
    decoding: 'typed',
  };
  const { version, kind } = own;
  return { ...parent, definition, gvk: { group, version, kind }, apiVersion: formatGroupVersion({ group, version }) };
}
