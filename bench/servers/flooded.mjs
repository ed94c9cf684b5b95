// An ApiServer with authenticators for every kind of credential, for callers without any.

import { tokenFile, x509 } from '../../dist/exports/authentication.js';
import { rbac } from '../../dist/exports/authorization.js';
import { listen } from '../../dist/http/index.js';
import { ApiServer } from '../../dist/index.js';
import { processorTime, serveParent } from './process.mjs';

const server = new ApiServer({
  dialect: 'k8s',
  authentication: [
    x509({ clientCA: Buffer.from(process.argv[2], 'base64').toString() }),
    tokenFile('admin,admin,1,"system:masters"'),
  ],
  authorization: [rbac()],
});
await server.start();
const listener = await listen(server);
serveParent({ port: listener.port, ca: listener.certificateAuthority }, { processorTime: () => processorTime() });
