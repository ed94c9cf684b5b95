/**
 * A group of the API that another server has, tried without a cluster: the APIService says who has it, and this process answers. What is
 * deployed behind a Service elsewhere is a handler here: another server of this library, or any that answers requests. Run it:
 *
 *   npx tsx examples/aggregated-server.ts
 */
import { ApiServer, defineResource } from 'orch-apiserver';
import { apiService } from 'orch-apiserver/kinds';
import * as z from 'zod';

/** A kind of the other server: this one knows nothing of it. */
export const flavor = defineResource({
  group: 'ice.example.com',
  version: 'v1',
  kind: 'Flavor',
  plural: 'flavors',
  scope: 'Namespaced',
  schema: z.object({ spec: z.object({ color: z.string() }) }),
});

/** What leaves for another server says what it is. */
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
  // Until it is known that the other server answers.
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
