import { controllerClients } from '../clients.js';
import type { ServerParts } from '../parts.js';
import { noteOwn } from '../saved-state.js';
import { leaveForFirstUse } from './late-controllers.js';
import { makeRoles, seed } from './seed.js';

/**
 * Makes the default roles, then runs the controllers until they have no more work. The system's namespaces exist before other controllers
 * write into them, and have their service accounts when this resolves. Roles and controllers that can wait for the first use of a kind are
 * postponed to that.
 */
export async function startControllers(parts: ServerParts): Promise<void> {
  const { environment, controllers, starting, storage, own } = parts;
  const { host, roles, progress } = starting;
  const { revision } = storage;
  const isFresh = storage.list('/registry/', { limit: 1 }).entries.length === 0;
  const seeds = isFresh && starting.seeds;
  const beginning = leaveForFirstUse(parts, seeds);

  if (beginning.roles) await makeRoles(parts, seeds);
  if (seeds) await seed(parts, beginning.controllers);
  progress.rolesReady = true;

  const clientFor = controllerClients(environment, roles);
  const begin = async (isFirst: boolean) => {
    const chosen = beginning.controllers.filter((definition) => (definition.isFirst ?? false) === isFirst);
    controllers.start(chosen, host, clientFor);
    await controllers.settle();
  };
  await begin(true);
  progress.namespacesReady = true;
  await begin(false);
  noteOwn(own, storage, '/registry/', revision);
  progress.started = true;
}
