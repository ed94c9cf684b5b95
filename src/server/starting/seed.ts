import type { ControllerDefinition } from '../../controllers/controller.js';
import type { Seeds } from '../../controllers/seed.js';
import type { JsonObject } from '../../json/value.js';
import type { RequestContext } from '../../registry/request-context.js';
import { objectKey, serveResource } from '../../registry/served/served-resource.js';
import { accessControl } from '../../requests/handlers/access-control.js';
import { LOOPBACK_USER, ownerOf, serverClient } from '../clients.js';
import type { ServerParts } from '../parts.js';

/**
 * Makes the default roles.
 * @param seeds whether they may be written directly to the storage, because it has none yet.
 */
export async function makeRoles(parts: ServerParts, seeds: boolean): Promise<void> {
  const { host, defaults } = parts.starting;
  if (!defaults.roles) return;
  if (seeds) await store(parts, defaults.roles.seeds(host), host.dialect.apiServerName);
  else await defaults.roles.ensure(host, serverClient(parts.environment));
}

/**
 * Stores the objects that controllers would create at once on an empty server. Requests would create the same objects at several times the
 * cost; with the roles there are about 150.
 */
export async function seed(parts: ServerParts, controllers: readonly ControllerDefinition[]): Promise<void> {
  const { host } = parts.starting;
  // The loop is sequential, because a controller's objects may be derived from those of the controllers before it.
  for (const definition of controllers)
    await store(parts, (await definition.seeds?.(host)) ?? [], ownerOf(definition, host.dialect));
}

async function store({ environment, storage, own }: ServerParts, all: readonly Seeds[], owner: string): Promise<void> {
  const { registry, host, accountTokens, updateStatus, listAsServer } = environment;
  const kinds = registry.current;
  const context = (fieldManager: string): RequestContext => ({
    host,
    kinds,
    accountTokens,
    updateStatus,
    listAsServer,
    fieldManager,
    user: LOOPBACK_USER,
    dryRun: false,
    fieldValidation: 'Ignore',
    signal: new AbortController().signal,
    access: accessControl(environment),
    warn() {},
    annotate() {},
    waited() {},
    async requireVerb() {},
  });
  for (const { kind, objects, manager = owner, applied = false, complete = false, subresource = '' } of all) {
    const { group, version, resource } = serveResource(kind, host.dialect).gvr;
    const found = kinds.find(group, version, resource);
    if (found?.resource.definition !== kind) continue;
    const seeding = context(manager);
    for (const object of objects) {
      const { namespace = '', name = '' } = object.metadata;
      const key = objectKey(found.resource, namespace, name);
      if (!applied && storage.get(key)) continue;
      const body = object as unknown as JsonObject; // these objects are plain JSON
      await found.seed(seeding, { namespace, name, subresource }, body, { applied, complete });
      const made = storage.get(key);
      if (made) own.set(key, made.revision);
    }
  }
}
