import { afterEach, beforeEach, expect, it } from 'vitest';
import * as z from 'zod';
import { ApiServer, configMap, defineResource } from '../../src/index.js';
import { apiService } from '../../src/resources/apiregistration/index.js';
import { injectFaults, recordRequests, replay } from '../../src/testing/index.js';

const where = { namespace: 'default' };
const flavor = defineResource({
  group: 'ice.example.com',
  version: 'v1',
  kind: 'Flavor',
  plural: 'flavors',
  scope: 'Namespaced',
  schema: z.object({ spec: z.object({ color: z.string() }) }),
});
const made = (name: string) => ({
  apiVersion: 'ice.example.com/v1',
  kind: 'Flavor',
  metadata: { name, ...where },
  spec: { color: 'white' },
});

let backend: ApiServer;
let server: ApiServer;

beforeEach(async () => {
  backend = new ApiServer({ dialect: 'k8s', resources: (builtin) => [...builtin, flavor] });
  server = new ApiServer({ dialect: 'k8s' });
  await Promise.all([backend.start(), server.start()]);
  server.services.set('default/ice', backend);
  const spec = {
    group: 'ice.example.com',
    version: 'v1',
    groupPriorityMinimum: 1000,
    versionPriority: 10,
    service: { namespace: 'default', name: 'ice' },
  };
  await server.client().create(apiService, { metadata: { name: 'v1.ice.example.com' }, spec });
  await server.settle();
});
afterEach(async () => {
  await Promise.all([server.close(), backend.close()]);
});

it('a conflict names the object that another server would create', async () => {
  using faults = injectFaults(server);
  faults.on({ verb: 'create', resource: 'flavors' }, { times: 2 }).conflict();
  const conflict = {
    code: 409,
    reason: 'AlreadyExists',
    message: 'flavors.ice.example.com "vanilla" already exists',
    details: { name: 'vanilla', group: 'ice.example.com', kind: 'flavors' },
  };
  await expect(server.client().create(flavor, made('vanilla'))).rejects.toMatchObject(conflict);
  const path = 'https://server/apis/ice.example.com/v1/namespaces/default/flavors';
  const body = JSON.stringify(made('vanilla'));
  const headers = { 'content-type': 'application/json' };
  const user = { username: 'jane', groups: ['system:masters'] };
  const response = await server.fetch(new Request(path, { method: 'POST', body, headers }), { user });
  expect(await response.json()).toMatchObject({ message: conflict.message, details: conflict.details });
});

it('a fault without effect, because another server has the objects, does not count as fired', async () => {
  const faults = injectFaults(server);
  const stale = faults.on({ verb: 'list', resource: 'flavors' }).stale(1);
  await server.client().list(flavor, where);
  expect(stale.fired).toBe(0);
  expect(() => faults.verify()).toThrow(
    '1 matching request came, and it had no effect on them: an earlier fault decided the outcome, or there was nothing',
  );

  // Faults of watches and of the storage must be injected into the server that stores the objects.
  using behind = injectFaults(backend);
  behind.on({ verb: 'list', resource: 'flavors' }).failStorage();
  await expect(server.client().list(flavor, where)).rejects.toMatchObject({ code: 500 });
});

it('a client in this process gets the same error as a remote one if the other server is unavailable', async () => {
  server.services.set('default/ice', { fetch: async () => new Response('down', { status: 500 }) });
  await server.settle();
  await expect(server.client().list(flavor, where)).rejects.toMatchObject({
    code: 503,
    reason: 'ServiceUnavailable',
    message: 'service unavailable',
  });
});

it('a replay skips requests that this server did not serve', async () => {
  await using fork = server.fork();
  const requests = recordRequests(server);
  using faults = injectFaults(server);
  const client = server.client();
  await client.create(flavor, made('vanilla'));
  faults.on({ verb: 'create', nth: 1 }).answer(503);
  faults.on({ verb: 'create', nth: 2 }).refuse();
  faults.on({ verb: 'create', nth: 3 }).loseAnswer();
  for (let i = 0; i < 3; i++)
    await expect(client.create(configMap, { metadata: { name: 'a' } }, where)).rejects.toThrow();

  const { sent, skipped, text } = await replay(requests, fork);
  expect(text).toBe('');
  expect(sent).toBe(1);
  expect(skipped.map(({ resource, status }) => `${resource} ${status}`)).toEqual([
    'flavors 201',
    'configmaps 503',
    'configmaps 503',
  ]);
  expect((await fork.client().get(configMap, 'a', where)).metadata.name).toBe('a');
  expect((await backend.client().list(flavor, where)).items).toHaveLength(1);
});
