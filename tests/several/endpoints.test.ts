import { expect, it } from 'vitest';
import { endpointSlice, endpoints, lease } from '../../src/exports/kinds.js';
import { createFakeClock, type FakeClock } from '../../src/testing/fake-clock.js';
import { openWorld, serverOf, type World } from './world.js';

const at = { namespace: 'default' };
const addressOf = (i: number) => `192.0.2.${i + 1}`;
/** Without leases of API servers, a server advertises itself only by its endpoints. */
const featureGates = { APIServerIdentity: false };

/** Opens servers on one storage that clients reach at different addresses. */
async function reached(count: number, clock: FakeClock) {
  const world = await openWorld(
    Array.from({ length: count }, (_, i) => ({
      clock,
      featureGates,
      network: { advertise: { address: addressOf(i), port: 6443 } },
    })),
  );
  await wake(world);
  return world;
}
const wake = async (world: World) => {
  for (const server of world.servers) await server.client().list(endpoints, at);
  await world.rest();
};
/** Returns the addresses of the Service `kubernetes`, from its Endpoints and from its EndpointSlice. */
async function leadsTo(world: World, index = 0) {
  const client = serverOf(world, index).client();
  const one = await client.get(endpoints, 'kubernetes', at);
  const slice = await client.get(endpointSlice, 'kubernetes', at);
  const addresses = one.subsets?.flatMap((subset) => (subset.addresses ?? []).map(({ ip }) => ip));
  expect(slice.endpoints.flatMap((each) => each.addresses)).toEqual(addresses);
  return addresses;
}
async function pass(world: World, clock: FakeClock, seconds: number): Promise<void> {
  for (let i = 0; i < seconds; i += 5) {
    clock.advance(5000);
    await world.rest();
  }
}

it('the Service has the addresses of all running servers', async () => {
  const clock = createFakeClock('2026-11-21T12:00:00Z');
  await using world = await reached(3, clock);
  expect(await leadsTo(world)).toEqual([0, 1, 2].map(addressOf));
  await pass(world, clock, 120);
  expect(await leadsTo(world)).toEqual([0, 1, 2].map(addressOf));
  await serverOf(world, 1).close();
  (world.servers as unknown[]).splice(1, 1);
  await pass(world, clock, 60);
  expect(await leadsTo(world)).toEqual([0, 2].map(addressOf));
  const leases = await serverOf(world, 0).client().list(lease, { namespace: 'kube-system' });
  expect(leases.items.map(({ metadata }) => metadata.name)).toEqual(['apiserver-192.0.2.1', 'apiserver-192.0.2.3']);
});

it('a single server writes nothing while time passes, also after one with another address', async () => {
  const clock = createFakeClock('2026-11-21T12:00:00Z');
  await using world = await reached(1, clock);
  await pass(world, clock, 60);
  const { items } = await serverOf(world, 0).client().list(lease, { namespace: 'kube-system' });
  expect(items).toEqual([]);
  await serverOf(world, 0).close();
  (world.servers as unknown[]).splice(0, 1);
  await world.join({ clock, featureGates, network: { advertise: { address: '192.0.2.9', port: 6443 } } });
  await wake(world);
  await pass(world, clock, 60);
  expect(await leadsTo(world)).toEqual(['192.0.2.9']);
  const { revision } = world.backend;
  await pass(world, clock, 60);
  expect(world.backend.revision).toBe(revision);
});

it('servers with contradictory configurations write at most once per heartbeat', async () => {
  const clock = createFakeClock('2026-11-21T12:00:00Z');
  const address = addressOf(0);
  await using world = await openWorld(
    [6443, 7443].map((port) => ({ clock, network: { advertise: { address, port } } })),
  );
  await wake(world);
  const { revision } = world.backend;
  await world.rest();
  expect(world.backend.revision).toBe(revision);
});
