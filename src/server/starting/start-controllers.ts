import { type ControllerDefinition, runsInEveryServer } from '../../controllers/controller.js';
import { groupOf } from '../../meta/dialect.js';
import type { ServedResource } from '../../registry/served/served-resource.js';
import { controllerClients } from '../clients.js';
import type { ServerParts } from '../parts.js';
import { noteOwn, type OwnObjects } from '../saved-state.js';
import { makeRoles, seed } from './seed.js';

/**
 * Makes the default roles, then runs the controllers until they have no more work. The system's namespaces exist before other controllers
 * write into them, and have their service accounts when this resolves. On a shared storage, controllers that are not about this server run only
 * while it is the leader.
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
  const waits = continued !== undefined && resolved.controllerMode === 'stepped';
  const begin = async (chosen: readonly ControllerDefinition[]) => {
    const started = controllers.start(chosen, host, clientFor);
    await controllers.settle(waits ? started.filter((_, i) => chosen[i]?.ofServer) : undefined);
  };
  await begin(definitions.filter(({ isFirst = false }) => isFirst));
  progress.namespacesReady = true;
  const others = definitions.filter(({ isFirst = false }) => !isFirst);
  const elected = others.filter((definition) => !runsInEveryServer(definition, host));
  const leases = elected.length > 0 ? electingLeases(parts) : undefined;
  if (leases) {
    await begin(others.filter((definition) => !elected.includes(definition)));
    // The module is loaded on demand, because most servers have their storage for themselves.
    const { electControllers } = await import('./elect-controllers.js');
    await electControllers(parts, leases, elected, clientFor);
    if (!waits) await controllers.settle();
  } else await begin(others);
  if (!continued) noteOwn(own, storage, '/registry/', revision);
  progress.started = true;
}

/**
 * Returns the Leases by which the servers on the storage elect the one whose controllers run; undefined when they do not.
 * @throws TypeError when the options ask for an election and Leases are not served.
 */
function electingLeases({ resolved, storage, host, environment }: ServerParts): ServedResource | undefined {
  const { wanted } = resolved.leaderElection;
  if (!(wanted ?? storage.isShared ?? false)) return undefined;
  const group = groupOf(host.dialect, 'coordination');
  const leases = environment.registry.current.find(group, 'v1', 'leases');
  if (leases) return leases.resource;
  const problem = `Leases are not served (${group}/v1)`;
  if (wanted === true)
    throw new TypeError(`ApiServer: option controllers: leaderElection cannot work, because ${problem}`);
  host.log(`leader election: the controllers run in every server, because ${problem}`);
  return undefined;
}
