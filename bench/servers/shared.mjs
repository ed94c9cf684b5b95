// One of several servers on an etcd, over HTTP, which is killed and paused at any moment: see bench/linearizability.mjs.

import { anonymous } from '../../dist/exports/authentication.js';
import { alwaysAllow } from '../../dist/exports/authorization.js';
import { etcd } from '../../dist/exports/storage.js';
import { listen } from '../../dist/http/index.js';
import { ApiServer } from '../../dist/index.js';

const [endpoint, port] = process.argv.slice(2);
const server = new ApiServer({
  dialect: 'k8s',
  storage: etcd({ endpoints: [endpoint], compactionInterval: 0 }),
  authentication: [anonymous()],
  authorization: [alwaysAllow()],
  limits: { priorityAndFairness: false },
});
await server.start();
await listen(server, { tls: false, port: Number(port) });
console.log('ready');
