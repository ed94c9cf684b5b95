import { prepareDefinitions, type ResourceDefinition } from '../registry/resource-definition.js';
import type { ResourceRegistry } from '../registry/resource-registry.js';
import type { Client } from './client.js';

/** The options for removing kinds from a running server. */
export interface UninstallOptions {
  /**
   * Whether the objects are deleted first, by ordinary requests that admission may refuse and finalizers may delay. Objects that another
   * installed definition also serves are kept. Default false: the objects stay in the storage, and are served again when their kind is
   * installed again.
   */
  readonly deleteObjects?: boolean;
}

type Definitions = ResourceDefinition | readonly ResourceDefinition[];
const listOf = (definitions: Definitions) => ('kind' in definitions ? [definitions] : definitions);

/** A custom resource definition as a manifest, without the members that the server fills in. */
export interface CustomResourceManifest {
  /** The API version of CustomResourceDefinitions. Default: v1 of the group in the dialect of the server. */
  readonly apiVersion?: string;
  /** The kind, `CustomResourceDefinition`. */
  readonly kind?: string;
  readonly metadata: { readonly name?: string };
  /** The definition: group, names, scope and versions. */
  readonly spec: object;
}

/** A kind, or the manifest of a custom resource definition. */
export type Installable = ResourceDefinition | CustomResourceManifest;

/**
 * Installs the resource definitions among the given kinds. Returns them and, separately, the manifests of custom resource definitions,
 * which the caller must install.
 * @throws TypeError for a value that is neither a kind nor a manifest, and if two definitions claim the same names; SyntaxError for a pattern
 * that does not compile. Nothing is installed then.
 */
export async function installKinds(registry: ResourceRegistry, kinds: Installable | readonly Installable[]) {
  const all = Array.isArray(kinds) ? (kinds as readonly Installable[]) : [kinds as Installable];
  if (all.some((kind) => typeof kind !== 'object' || kind === null || !('plural' in kind || 'metadata' in kind)))
    throw new TypeError('install: give kinds or manifests as objects; server.load(manifests(path)) loads files');
  const isDefinition = (kind: Installable): kind is ResourceDefinition => 'plural' in kind;
  const definitions = all.filter(isDefinition);
  await prepareDefinitions(definitions);
  registry.install(definitions);
  return { definitions, manifests: all.filter((kind): kind is CustomResourceManifest => !isDefinition(kind)) };
}

/**
 * Stops serving definitions: their watches end, and discovery and OpenAPI omit them.
 * @throws TypeError for a definition that is not installed, or whose objects are kept by finalizers; all definitions stay installed then.
 * @throws ApiError if a deletion is refused; all definitions stay installed then.
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
  // The API deletes a collection only within one namespace, so each namespace gets a request of its own.
  for (const namespace of new Set(before.items.map(({ metadata }) => metadata.namespace)))
    await client.deleteCollection(definition, {
      propagationPolicy: 'Background',
      ...(namespace === undefined ? {} : { namespace }),
    });
  const { items } = await client.list(definition);
  if (items.length > 0)
    throw new TypeError(`${definition.plural}: ${items.length} objects still exist because of their finalizers`);
}
