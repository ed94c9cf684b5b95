import { controllerClients, serverClient } from '../clients.js';
import type { ServerParts } from '../parts.js';
import { noteOwn } from '../saved-state.js';
import { leaveForFirstUse } from './late-controllers.js';
import { seed, seedRoles } from './seed.js';

/**
 * Makes the default roles, then runs the controllers until nothing is left to do. The system's namespaces are there before
 * other controllers write into them, and with their accounts when this resolves. Controllers that begin with the first use of a
 * kind are left for that.
 */
export async function startControllers(parts: ServerParts): Promise<void> {
  const { environment, controllers, starting, storage, own } = parts;
  const { host, defaults, roles, progress } = starting;
  const { revision } = storage;
  const isFresh = storage.list('/registry/', { limit: 1 }).entries.length === 0;
  const seeds = isFresh && starting.seeds;
  const definitions = leaveForFirstUse(parts, seeds);

  if (seeds) {
    if (roles) await seedRoles(parts);
    await seed(parts, definitions);
  }
  if (roles && !(seeds && defaults.roleSeeds)) await defaults.makeRoles?.(host, serverClient(environment));
  progress.rolesReady = true;

  const clientFor = controllerClients(environment, roles);
  const begin = async (isFirst: boolean) => {
    const chosen = definitions.filter((definition) => (definition.isFirst ?? false) === isFirst);
    controllers.start(chosen, host, clientFor);
    await controllers.settle();
  };
  await begin(true);
  progress.namespacesReady = true;
  await begin(false);
  noteOwn(own, storage, '/registry/', revision);
  progress.started = true;
}
