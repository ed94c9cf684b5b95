import { expect, it } from 'vitest';
import type { ControllerDefinition } from '../../src/controllers/controller.js';
import { seedsOf } from '../../src/controllers/seed.js';
import type { ApiObject } from '../../src/meta/object-meta.js';
import type { ResourceDefinition } from '../../src/registry/resource-definition.js';
import { service } from '../../src/resources/core/index.js';
import { priorityClass } from '../../src/resources/scheduling/index.js';
import { startServer } from '../support/servers.js';

/** Starts a server with a controller that seeds an object, and returns the fields of which it is the owner. */
async function ownedFields<T extends ApiObject>(kind: ResourceDefinition<T>, namespace: string, object: object) {
  const seed = { metadata: { name: 'seeded', ...(namespace ? { namespace } : {}) }, ...object };
  const seeding: ControllerDefinition = {
    name: 'seeding',
    seeds: () => [seedsOf(kind, [seed])],
    follow: () => undefined,
    reconcile: async () => {},
  };
  await using server = await startServer({ controllers: { definitions: (defaults) => [...defaults, seeding] } });
  const { metadata } = await server.client().get(kind, 'seeded', namespace ? { namespace } : {});
  return JSON.stringify(metadata.managedFields?.[0]?.fieldsV1);
}

it('the managed fields of a seed have the keys of its own list items, whatever an earlier server seeded', async () => {
  const spec = (port: number) => ({ ports: [{ port, protocol: 'TCP', targetPort: 80 }] });
  for (const port of [80, 81])
    expect(await ownedFields(service, 'default', { spec: spec(port), status: { loadBalancer: {} } })).toContain(
      `k:{\\"port\\":${port},`,
    );
});

it('the managed fields of a seed do not have a required field with its zero value, whatever an earlier server seeded', async () => {
  for (const value of [5, 0])
    expect((await ownedFields(priorityClass, '', { value, description: 'seeded' })).includes('f:value')).toBe(
      value === 5,
    );
});
