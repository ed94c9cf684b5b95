import { isAlreadyExists } from '../meta/api-error.js';
import type { CustomResourceDefinition } from '../resources/apiextensions/apiextensions-v1.types.js';
import { conditionOf, isEstablished } from '../resources/apiextensions/conditions.js';
import { customResourceDefinition } from '../resources/apiextensions/index.js';
import type { Client } from './client.js';
import type { CustomResourceManifest } from './install.js';

/**
 * Creates custom resource definitions, or replaces existing ones of the same names, and waits until they are served.
 * @param settle runs the controllers, which accept the names and serve the definitions
 * @throws ApiError for a definition that is refused, TypeError for one whose names are taken
 */
export async function installCustomResources(
  client: Client,
  manifests: readonly CustomResourceManifest[],
  settle: () => Promise<void>,
): Promise<void> {
  for (const { metadata, spec } of manifests) {
    // The server validates the untyped manifest, so the cast is safe.
    const definition = { metadata, spec } as Parameters<typeof client.create<CustomResourceDefinition>>[1];
    const { name = '' } = metadata;
    await client.create(customResourceDefinition, definition).catch(async (error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
      await client.update(customResourceDefinition, name, (draft) => {
        // The server validates the untyped spec, so the cast is safe.
        draft.spec = structuredClone(spec) as typeof draft.spec;
      });
    });
  }
  await settle();
  for (const { metadata } of manifests) {
    const installed = await client.get(customResourceDefinition, metadata.name ?? '');
    if (isEstablished(installed)) continue;
    const { message } = conditionOf(installed.status, 'NamesAccepted') ?? {};
    throw new TypeError(`${metadata.name} is not served${message === undefined ? '' : `: ${message}`}`);
  }
}
