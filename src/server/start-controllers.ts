import { controllerClients, serverClient } from './clients.js';
import type { ServerParts } from './parts.js';

/**
 * Makes the default roles, then runs the controllers until nothing is left to do. The system's namespaces are there before
 * other controllers write into them, and with their accounts when this resolves.
 */
export async function startControllers({ environment, controllers, starting }: ServerParts): Promise<void> {
  const { host, definitions, makeRoles, roles, progress } = starting;
  if (roles) await makeRoles?.(host, serverClient(environment));
  progress.rolesReady = true;

  const clientFor = controllerClients(environment, roles);
  controllers.start(
    definitions.filter(({ isFirst = false }) => isFirst),
    host,
    clientFor,
  );
  await controllers.settle();
  progress.namespacesReady = true;
  controllers.start(
    definitions.filter(({ isFirst = false }) => !isFirst),
    host,
    clientFor,
  );
  await controllers.settle();
  progress.started = true;
}
