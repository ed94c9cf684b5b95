import type { ControllerDefinition } from '../../controllers/controller.js';
import type { Seed, Seeds } from '../../controllers/seed.js';
import {
  type OwnershipOptions,
  trackOwnership,
  withAppliedMembers,
  withManagedFields,
} from '../../fields/field-manager.js';
import type { JsonObject } from '../../json/value.js';
import { formatTime } from '../../meta/clock.js';
import type { Host } from '../../meta/host.js';
import type { ApiObject, ManagedFieldsEntry } from '../../meta/object-meta.js';
import { randomUuid } from '../../meta/random.js';
import { objectKey, type ServedResource, serveResource } from '../../registry/served/served-resource.js';
import { ownershipRules } from '../../registry/writes/ownership.js';
import { ownerOf, serverClient } from '../clients.js';
import type { ServerParts } from '../parts.js';

/**
 * Makes the default roles.
 * @param seeds whether they may be written directly to the storage, because it has none yet.
 */
export async function makeRoles(parts: ServerParts, seeds: boolean): Promise<void> {
  const { host, environment, roles } = parts;
  if (seeds) await store(parts, roles?.seeds(host) ?? [], host.dialect.apiServerName);
  else await roles?.ensure(host, serverClient(environment));
}

/**
 * Stores the objects that controllers would create at once on an empty server. Requests would create the same objects at many times the
 * cost; with the roles there are about 180.
 */
export async function seed(parts: ServerParts, controllers: readonly ControllerDefinition[]): Promise<void> {
  const { host } = parts;
  // The loop is sequential, because a controller's objects may be derived from those of the controllers before it.
  for (const definition of controllers)
    await store(parts, (await definition.seeds?.(host)) ?? [], ownerOf(definition, host.dialect));
}

async function store(
  { environment, host, storage, own }: ServerParts,
  all: readonly Seeds[],
  owner: string,
): Promise<void> {
  const { registry } = environment;
  for (const { kind, objects, manager = owner, applied = false, unowned = [], subresource = '' } of all) {
    const { group, version, resource: plural } = serveResource(kind, host.dialect).gvr;
    const found = registry.current.find(group, version, plural);
    if (found?.resource.definition !== kind) continue;
    const rules = ownershipRules(found.resource, subresource);
    const resetFields = [...(rules.resetFields ?? []), ...unowned];
    const options = { ...rules, resetFields, manager, now: host.clock.now() };
    for (const object of objects) {
      const { namespace = '', name = '' } = object.metadata;
      const key = objectKey(found.resource, namespace, name);
      const { entry } = await storage.guaranteedUpdate(key, (current) => {
        // Members are applied to objects that exist, and whole objects are stored where none exists.
        if (applied !== (current !== undefined)) return { action: 'keep' };
        const value = current
          ? appliedTo(current.value, object, options)
          : newObject(found.resource, object, options, host);
        return { action: 'put', value };
      });
      if (entry) own.set(key, entry.revision);
    }
  }
}

/** Returns a seed with what identifies an object, owned by the manager of the options. */
function newObject(
  { gvk, apiVersion, definition }: ServedResource,
  object: Seed,
  options: OwnershipOptions,
  host: Host,
): ApiObject {
  const { metadata, ...rest } = object;
  const { name = '', namespace, generation, labels, annotations } = metadata;
  const next: ApiObject = {
    kind: gvk.kind,
    apiVersion,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid: randomUuid(host.random),
      ...(definition.tracksGeneration ? { generation: 1 } : generation === undefined ? {} : { generation }),
      creationTimestamp: formatTime(options.now),
      ...(labels ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
    },
    ...rest,
  };
  const { manager, now } = options;
  const known = ownersOf.get(object);
  if (known?.manager === manager && known.apiVersion === apiVersion) {
    const time = formatTime(now);
    return withManagedFields(
      next,
      known.entries.map((entry) => ({ ...entry, time })),
    );
  }
  const owned = trackOwnership({ ...options, live: undefined, next, rulings: host.dialect.rulings });
  ownersOf.set(object, { manager, apiVersion, entries: owned.metadata.managedFields ?? [] });
  return owned;
}

/** The owners of seeds. All servers of a process are given the same default roles and flow schemas, so these are computed once. */
const ownersOf = new WeakMap<
  Seed,
  { readonly manager: string; readonly apiVersion: string; readonly entries: readonly ManagedFieldsEntry[] }
>();

/** Returns a stored object with the members of a seed, which the manager of the options owns as after an apply. */
function appliedTo(current: ApiObject, { metadata: _, ...members }: Seed, options: OwnershipOptions): ApiObject {
  return withAppliedMembers(options, current, members as JsonObject); // seeds are plain JSON
}
