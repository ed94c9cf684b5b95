import { controllerClients } from '../clients.js';
import type { ServerParts } from '../parts.js';
import { noteOwn } from '../saved-state.js';
import { makeRoles, seed } from './seed.js';

/**
 * Makes the default roles, then runs the controllers until they have no more work. The system's namespaces exist before other controllers
 * write into them, and have their service accounts when this resolves.
 */
export async function startControllers(parts: ServerParts): Promise<void> {
  const { resolved, host, roles, environment, controllers, storage, own } = parts;
  const { controllers: definitions, progress } = resolved;
  const { revision } = storage;
  const isFresh = storage.list('/registry/', { limit: 1 }).entries.length === 0;
  const seeds = isFresh && parts.seeds;

  await makeRoles(parts, seeds);
  if (seeds) await seed(parts, definitions);
  progress.rolesReady = true;

  const clientFor = controllerClients(environment, roles?.controllerAccounts(host.dialect));
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
