/**
 * An aggregated API server without a cluster: an APIService names the Service of a backend that serves an API group. In a cluster, the
 * backend is deployed behind that Service. Here it is a handler in the same process, such as another server of this library. Run it:
 *
 *   npx tsx examples/aggregated-server.ts
 */
import { ApiServer, defineResource } from 'orch-apiserver';
import { apiService } from 'orch-apiserver/kinds';
import * as z from 'zod';

/** A kind that only the backend serves. */
export const flavor = defineResource({
  group: 'ice.example.com',
  version: 'v1',
  kind: 'Flavor',
  plural: 'flavors',
  scope: 'Namespaced',
  schema: z.object({ spec: z.object({ color: z.string() }) }),
});

/** An object that is sent to the backend. It has its kind and apiVersion, because this server does not know them. */
export const vanilla = {
  apiVersion: 'ice.example.com/v1',
  kind: 'Flavor',
  metadata: { name: 'vanilla', namespace: 'default' },
  spec: { color: 'white' },
};

export async function startWithBackend() {
  const backend = new ApiServer({ resources: (builtin) => [...builtin, flavor] });
  await backend.start();
  const server = new ApiServer();
  await server.start();
  server.services.set('default/ice', backend);
  const spec = {
    group: 'ice.example.com',
    version: 'v1',
    groupPriorityMinimum: 1000,
    versionPriority: 10,
    service: { namespace: 'default', name: 'ice' },
  };
  await server.client().create(apiService, { metadata: { name: 'v1.ice.example.com' }, spec });
  // Wait until the server has checked that the backend is available.
  await server.settle();
  return { server, backend };
}

if (process.argv[1]?.endsWith('aggregated-server.ts')) {
  const { server, backend } = await startWithBackend();
  await server.client().create(flavor, vanilla);
  const { spec } = await backend.client().get(flavor, 'vanilla', { namespace: 'default' });
  process.stdout.write(`the other server has it: vanilla is ${spec.color}\n`);
  await server.close();
  await backend.close();
}
