import { formatGroupVersion } from '../../meta/group-version.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { ResourceDefinition } from '../resource-definition.js';
import type { ServedResource } from './served-resource.js';

/** What is its own of a kind that a subresource reads and answers. `groupStem` and the full `group` are of the same. */
export type KindBehind = Pick<
  ResourceDefinition,
  'groupStem' | 'version' | 'kind' | 'schema' | 'columns' | 'knownVersions' | 'setDefaults'
>;

/** Such a kind in the shape of a served one, under the names of its parent, so that it is read and shown alike. */
export function serveKindBehind(parent: ServedResource, own: KindBehind, group: string): ServedResource {
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
