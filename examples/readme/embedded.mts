import { createServer } from 'node:http';
import { ApiServer } from 'orch-apiserver';
import { listen, toNodeHandler } from 'orch-apiserver/http';

const server = new ApiServer({ dialect: 'k8s' });
await server.start();
const user = { username: 'jane', groups: ['system:authenticated'] };
const response = await server.fetch(new Request('https://server/version'), { user }); // WHATWG request and response
console.log(response.status);
const listener = await listen(server, { port: 0 }); // HTTPS with a certificate authority of its own
console.log(await listener.kubeconfig()); // credentials of an administrator
const mounted = createServer(toNodeHandler(server, { user: () => user })).listen(0); // inside a server you already have
mounted.close();
await listener.close();
await server.close();
