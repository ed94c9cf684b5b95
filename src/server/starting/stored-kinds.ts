import type { Dialect } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { loading, serveResource } from '../../registry/served/served-resource.js';
import type { Storage } from '../../store/storage.js';

/**
 * Loads the code of kinds that have stored objects, because those may be read at any time. The code of other kinds is loaded on first use.
 */
export async function loadStoredKinds(
  definitions: readonly ResourceDefinition[],
  dialect: Dialect,
  storage: Storage<ApiObject>,
): Promise<void> {
  const resources = definitions.map((definition) => serveResource(definition, dialect));
  await Promise.all(resources.map((resource) => storage.count(resource.keyPrefix) > 0 && loading(resource)));
}
