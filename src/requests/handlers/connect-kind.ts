import { formatGroupVersion } from '../../meta/group-version.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { ConnectSubresource, ResourceDefinition } from '../../registry/resource-definition.js';
import type { ServedResource } from '../../registry/served/served-resource.js';

/** The kind a connect subresource takes and answers, in the shape of a served one, so that bodies are read alike. */
export function defineConnectKind(
  { kind, version, schema, setDefaults, readVersions }: ConnectSubresource<ApiObject>['connect'],
  group: string,
  parent: ServedResource,
): ServedResource {
  const definition: ResourceDefinition = {
    groupStem: group,
    version,
    kind,
    listKind: `${kind}List`,
    plural: parent.gvr.resource,
    singular: parent.definition.singular,
    scope: parent.definition.scope,
    schema,
    decoding: 'typed',
    ...(setDefaults ? { setDefaults } : {}),
  };
  const read = readVersions ? { readVersions } : {};
  return {
    ...parent,
    ...read,
    definition,
    gvk: { group, version, kind },
    apiVersion: formatGroupVersion({ group, version }),
  };
}
