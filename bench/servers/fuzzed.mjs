// An ApiServer with every way to be somebody, for callers who mean no good.

import { anonymous, tokenFile } from '../../dist/exports/authentication.js';
import { rbac } from '../../dist/exports/authorization.js';
import { listen } from '../../dist/http/index.js';
import { ApiServer } from '../../dist/index.js';
import { serveParent } from './process.mjs';

const server = new ApiServer({
  dialect: 'k8s',
  authentication: [tokenFile('admin,admin,1,"system:masters"\nbob,bob,2,"dev"\n'), anonymous()],
  authorization: [rbac()],
  featureGates: { WatchList: true },
});
await server.start();
const listener = await listen(server);
const faults = [];
for (const event of ['unhandledRejection', 'uncaughtException'])
  process.on(event, (error) => faults.push(`${event}: ${error?.stack ?? error}`));

serveParent(
  { port: listener.port, ca: listener.certificateAuthority },
  {
    faults: () => faults,
    /** Bytes of the heap after a collection. */
    heap() {
      globalThis.gc();
      return process.memoryUsage().heapUsed;
    },
  },
);
