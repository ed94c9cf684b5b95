import type { ApiServerOptions } from '../../src/api-server-options.js';
import { anonymous } from '../../src/authentication/anonymous.js';
import { alwaysAllow } from '../../src/authorization/always-allow.js';
import { ApiServer } from '../../src/index.js';

/** A started server (k8s) on which anybody may do anything, with a namespace `default` and no controllers. */
export async function openServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const server = new ApiServer({
    dialect: 'k8s',
    controllers: [],
    authentication: [anonymous()],
    authorization: [alwaysAllow()],
    ...options,
  });
  await server.start();
  await server.load([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } }]);
  return server;
}
