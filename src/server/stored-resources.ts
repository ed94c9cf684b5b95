import type { Dialect } from '../meta/dialect.js';
import type { GroupResource } from '../meta/group-version.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';
import { serveResource } from '../registry/served/served-resource.js';

/** Matches the keys of kinds that are installed later, such as custom resources: `/registry/<group>/<resource>/`. */
const INSTALLED = /^\/registry\/([^/]+)\/([^/]+)\//;
/** The maximum number of path segments in the key prefix of a resource, such as the two of `/registry/pods/`. */
const MAX_DEPTH = 4;

/**
 * Returns a function that maps a storage key to the group and resource by which encryption rules refer to the objects. Some kinds are
 * stored together, such as the Events of the core group and those of the group `events`. For them, it returns the group and resource of the
 * kind in the stored objects.
 */
export function storedResources(
  definitions: readonly ResourceDefinition[],
  dialect: Dialect,
): (key: string) => GroupResource | undefined {
  const byPrefix = new Map<string, GroupResource>();
  for (const definition of definitions) {
    if (definition.virtual) continue;
    const { keyPrefix, groupResource } = serveResource(definition.storedAs?.definition ?? definition, dialect);
    if (!byPrefix.has(keyPrefix)) byPrefix.set(keyPrefix, Object.freeze(groupResource));
  }
  return (key) => {
    let slash = key.indexOf('/', 1);
    for (let depth = 1; slash >= 0 && depth <= MAX_DEPTH; depth++, slash = key.indexOf('/', slash + 1)) {
      const known = byPrefix.get(key.slice(0, slash + 1));
      if (known !== undefined) return known;
    }
    const [, group, resource] = INSTALLED.exec(key) ?? [];
    return group === undefined || resource === undefined ? undefined : { group, resource };
  };
}
