import { controllerClients } from '../clients.js';
import type { ServerParts } from '../parts.js';
import { noteOwn, type OwnObjects } from '../saved-state.js';
import { makeRoles, seed } from './seed.js';

/**
 * Makes the default roles, then runs the controllers until they have no more work. The system's namespaces exist before other controllers
 * write into them, and have their service accounts when this resolves.
 * @param continued the objects that a server which is forked or restored had made by itself. Such a server makes nothing. If its
 * controllers are stepped, only those of the API server itself run, which serve its definitions; work of others waits as it did.
 */
export async function startControllers(parts: ServerParts, continued?: OwnObjects): Promise<void> {
  const { resolved, host, roles, environment, controllers, storage, own } = parts;
  const { controllers: definitions, progress } = resolved;
  const { revision } = storage;
  const isFresh = storage.list('/registry/', { limit: 1 }).entries.length === 0;
  const seeds = isFresh && parts.seeds;

  if (continued) for (const [key, version] of continued) own.set(key, version);
  else await makeRoles(parts, seeds);
  if (seeds) await seed(parts, definitions);
  progress.rolesReady = true;

  const clientFor = controllerClients(environment, roles?.controllerAccounts(host.dialect));
  const begin = async (isFirst: boolean) => {
    const chosen = definitions.filter((definition) => (definition.isFirst ?? false) === isFirst);
    const started = controllers.start(chosen, host, clientFor);
    const waits = continued !== undefined && resolved.controllerMode === 'stepped';
    await controllers.settle(waits ? started.filter((_, i) => chosen[i]?.ofServer) : undefined);
  };
  await begin(true);
  progress.namespacesReady = true;
  await begin(false);
  if (!continued) noteOwn(own, storage, '/registry/', revision);
  progress.started = true;
}
