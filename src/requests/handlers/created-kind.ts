import type { ApiObject } from '../../meta/object-meta.js';
import type { CreateSubresource } from '../../registry/resource-definition.js';
import type { ServedResource } from '../../registry/served/served-resource.js';
import { serveOwnKind } from '../../registry/served/subresource-kind.js';

/**
 * Returns the kind that a subresource with a kind of its own takes and answers, in the shape of a served kind, so that its body is decoded like any other.
 */
export function defineCreatedKind(
  { kind, version, schema, setDefaults, readVersions }: CreateSubresource<ApiObject>['create'],
  group: string,
  parent: ServedResource,
): ServedResource {
  const own = { groupStem: group, version, kind, schema, ...(setDefaults ? { setDefaults } : {}) };
  const read = readVersions ? { readVersions } : {};
  return { ...serveOwnKind(parent, own, group), ...read };
}
