import type { ControllerDefinition } from '../controllers/controller.js';
import type { Seeds } from '../controllers/seed.js';
import type { JsonObject } from '../json/value.js';
import type { RequestContext } from '../registry/request-context.js';
import { serveResource } from '../registry/served/served-resource.js';
import { accessControl } from '../requests/handlers/access-control.js';
import { LOOPBACK_USER, ownerOf } from './clients.js';
import type { ServerParts } from './parts.js';

/**
 * Stores what a server begins with that has nothing yet: the default roles, where roles are asked, and what controllers would make at
 * once. The same objects come of requests, some hundred of them, at several times the cost.
 */
export async function seed(parts: ServerParts, controllers: readonly ControllerDefinition[]): Promise<void> {
  const { host, defaults, roles } = parts.starting;
  if (roles) await store(parts, defaults.roleSeeds?.(host) ?? [], host.dialect.apiServerName);
  // What one makes of the objects of others comes after those.
  for (const definition of controllers)
    await store(parts, definition.seeds?.(host) ?? [], ownerOf(definition, host.dialect));
}

async function store({ environment }: ServerParts, all: readonly Seeds[], owner: string): Promise<void> {
  const { registry, host, accountTokens } = environment;
  const kinds = registry.current;
  const context = (fieldManager: string): RequestContext => ({
    host,
    kinds,
    accountTokens,
    fieldManager,
    user: LOOPBACK_USER,
    dryRun: false,
    fieldValidation: 'Ignore',
    signal: new AbortController().signal,
    access: accessControl(environment),
    warn() {},
    annotate() {},
    async requireVerb() {},
  });
  for (const { kind, objects, appliedBy } of all) {
    const { group, version, resource } = serveResource(kind, host.dialect).gvr;
    const found = kinds.find(group, version, resource);
    if (found?.resource.definition !== kind) continue;
    const seeding = context(appliedBy ?? owner);
    for (const object of objects) {
      const body = object as unknown as JsonObject; // such objects are plain JSON
      await found.seed(seeding, object.metadata.namespace ?? '', body, appliedBy !== undefined);
    }
  }
}
