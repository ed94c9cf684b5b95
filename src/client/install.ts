import { loadKinds } from '../registry/built-in-kind.js';
import { prepareDefinitions, type ResourceDefinition } from '../registry/resource-definition.js';
import type { ResourceRegistry } from '../registry/resource-registry.js';
import type { Client } from './client.js';

export interface UninstallOptions {
  /**
   * Deletes the objects first, as a client would: admission may refuse, and finalizers hold. Objects that another installed
   * definition serves too are left alone. Default false: they stay in the storage, and are served again once their kind is.
   */
  readonly deleteObjects?: boolean;
}

type Definitions = ResourceDefinition | readonly ResourceDefinition[];
const listOf = (definitions: Definitions) => ('kind' in definitions ? [definitions] : definitions);

/**
 * Serves more definitions.
 * @throws TypeError when two claim the same names, SyntaxError for a pattern that does not compile; then nothing is installed.
 */
export async function installKinds(registry: ResourceRegistry, definitions: Definitions): Promise<void> {
  const all = listOf(definitions);
  await prepareDefinitions(all);
  // What is stored of them may be read from now on.
  await loadKinds(all);
  registry.install(all);
}

/** A custom resource definition as a manifest: what the server fills in may be left out. */
export interface CustomResourceManifest {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: { readonly name?: string };
  readonly spec: object;
}

/**
 * Serves definitions no longer: their watches end, and discovery and OpenAPI forget them.
 * @throws TypeError for one that is not installed, or whose objects finalizers still hold; then all stay installed.
 * @throws ApiError when a deletion is refused; then all stay installed.
 */
export async function uninstallKinds(
  registry: ResourceRegistry,
  client: Client,
  definitions: Definitions,
  { deleteObjects = false }: UninstallOptions,
): Promise<void> {
  const all = listOf(definitions);
  if (deleteObjects) for (const definition of all) await deleteAll(registry, client, definition);
  registry.uninstall(all);
}

async function deleteAll(registry: ResourceRegistry, client: Client, definition: ResourceDefinition): Promise<void> {
  const served = registry.current.stored().find((resource) => resource.definition === definition);
  if (!served || served.convert) return;
  const before = await client.list(definition);
  // A collection is deleted namespace by namespace: there is no route across them.
  for (const namespace of new Set(before.items.map(({ metadata }) => metadata.namespace)))
    await client.deleteCollection(definition, {
      propagationPolicy: 'Background',
      ...(namespace === undefined ? {} : { namespace }),
    });
  const { items } = await client.list(definition);
  if (items.length > 0)
    throw new TypeError(`${definition.plural}: ${items.length} objects are still there, held by their finalizers`);
}
