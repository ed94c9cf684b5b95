import type { ApiObject } from '../../meta/object-meta.js';
import type { ConnectSubresource } from '../../registry/resource-definition.js';
import { serveKindBehind } from '../../registry/served/kind-behind.js';
import type { ServedResource } from '../../registry/served/served-resource.js';

/**
 * Returns the kind that a connect subresource takes and answers, in the shape of a served kind, so that its body is decoded like any other.
 */
export function defineConnectKind(
  { kind, version, schema, setDefaults, readVersions }: ConnectSubresource<ApiObject>['connect'],
  group: string,
  parent: ServedResource,
): ServedResource {
  const own = { groupStem: group, version, kind, schema, ...(setDefaults ? { setDefaults } : {}) };
  const read = readVersions ? { readVersions } : {};
  return { ...serveKindBehind(parent, own, group), ...read };
}
