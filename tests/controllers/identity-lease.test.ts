import { expect, it } from 'vitest';
import { lease } from '../../src/exports/kinds.js';
import type { ApiServer, ApiServerOptions } from '../../src/index.js';
import { createFakeClock } from '../../src/testing/index.js';
import { fetchFrom } from '../support/ask.js';
import { startServer } from '../support/servers.js';
import { SharedBackend } from '../support/shared-storage.js';

const where = { namespace: 'kube-system' };
/** Half the SHA-256 of `00 09 localhost 00 0e kube-apiserver`, in base32. */
const OWN = 'apiserver-l2yubf4cvcl5c7a3wrubrwqdve';

async function started(options: ApiServerOptions = {}) {
  const clock = createFakeClock();
  const server = await startServer({ dialect: 'k8s', controllers: { mode: 'stepped' }, clock, ...options });
  const leases = async () => (await server.client().list(lease, where)).items;
  const later = async (milliseconds: number) => {
    clock.advance(milliseconds);
    await server.settle();
  };
  return { server, clock, leases, later, [Symbol.asyncDispose]: () => server.close() };
}

it('renews the lease of the server every ten seconds', async () => {
  await using world = await started();
  const { leases, later } = world;
  await later(60_000);
  const [made, ...others] = await leases();
  expect(others).toEqual([]);
  expect(made).toMatchObject({
    metadata: {
      name: OWN,
      labels: { 'apiserver.kubernetes.io/identity': 'kube-apiserver', 'kubernetes.io/hostname': 'localhost' },
      managedFields: [{ manager: 'kube-apiserver', operation: 'Update' }],
    },
    spec: { leaseDurationSeconds: 3600, renewTime: '2024-01-01T00:01:00.000000Z' },
  });
  expect(made?.spec.holderIdentity).toMatch(new RegExp(`^${OWN}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`));
  await later(9_999);
  expect((await leases())[0]).toBe(made);
  await later(1);
  expect((await leases())[0]?.spec).toEqual({ ...made?.spec, renewTime: '2024-01-01T00:01:10.000000Z' });
});

it('creates the lease again when it was deleted, and restores its labels', async () => {
  await using world = await started({ network: { hostname: 'box-1' } });
  const { server, leases, later } = world;
  const [{ metadata: { name = '' } = {} } = {}] = await leases();
  expect(name).not.toBe(OWN);
  await server.client().update(lease, name, (draft) => void delete draft.metadata.labels, where);
  await later(10_000);
  expect((await leases())[0]?.metadata.labels?.['kubernetes.io/hostname']).toBe('box-1');
  await server.client().delete(lease, name, where);
  expect(await leases()).toEqual([]);
  await later(10_000);
  expect((await leases()).map(({ metadata }) => metadata.name)).toEqual([name]);
});

it('every server has a lease, which is deleted an hour after the server ended', async () => {
  const { storage } = new SharedBackend();
  await using one = await started({ storage, network: { hostname: 'one' } });
  {
    await using other = await started({ storage, network: { hostname: 'other' }, clock: one.clock });
    await one.leases();
    await other.server.settle();
    expect((await other.leases()).map(({ metadata }) => metadata.labels?.['kubernetes.io/hostname']).sort()).toEqual([
      'one',
      'other',
    ]);
  }
  const spec = { holderIdentity: 'me' };
  await one.server.client().create(lease, { metadata: { name: 'of-somebody' }, spec }, where);
  const identity = { 'apiserver.kubernetes.io/identity': 'kube-apiserver' };
  await one.server.client().create(lease, { metadata: { name: 'without-times', labels: identity }, spec }, where);
  await one.later(3_599_000);
  expect(await one.leases()).toHaveLength(4);
  for (const hour of [1, 2]) await one.later(hour * 3_600_000);
  const left = (await one.leases()).map(({ metadata }) => metadata.labels?.['kubernetes.io/hostname'] ?? metadata.name);
  expect(left.sort()).toEqual(['of-somebody', 'one']);
});

it('no lease exists without the feature', async () => {
  await using world = await started({ featureGates: { APIServerIdentity: false } });
  expect(await world.leases()).toEqual([]);
  const checks = async (server: ApiServer) => await (await fetchFrom(server, '/readyz?verbose')).text();
  expect(await checks(world.server)).not.toContain('identity-lease');
  await using usual = await started();
  expect(await checks(usual.server)).toContain('start-kube-apiserver-identity-lease-controller');
});
