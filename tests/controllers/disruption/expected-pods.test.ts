import { expect, it } from 'vitest';
import type { ControllerContext } from '../../../src/controllers/controller.js';
import { expectedPodsOf } from '../../../src/controllers/disruption/expected-pods.js';

const owner = (kind: string, name: string) => [{ apiVersion: 'apps/v1', kind, name, uid: name, controller: true }];
const workload = (kind: string, name: string, ownerReferences: object[] = []) => ({
  kind,
  metadata: { name, uid: name, ownerReferences },
  spec: { replicas: 5 },
});

it('looks up the Deployment of a ReplicaSet once, and counts it once for all its ReplicaSets', async () => {
  const stored = [
    workload('Deployment', 'web'),
    workload('ReplicaSet', 'old', owner('Deployment', 'web')),
    workload('ReplicaSet', 'new', owner('Deployment', 'web')),
  ];
  const lookups: string[] = [];
  const get = (_: string, name: string) => {
    lookups.push(name);
    return stored.find(({ metadata }) => metadata.name === name);
  };
  // The function uses only the lister, so the casts are safe.
  const context = { host: { lister: () => ({ get }) } } as unknown as ControllerContext;
  const pods = ['old', 'new', 'new', 'old', 'new'].map((set) => ({
    metadata: { name: 'p', namespace: 'default', ownerReferences: owner('ReplicaSet', set) },
  })) as never;
  const budget = { spec: { maxUnavailable: 1 } } as never;
  expect(await expectedPodsOf(budget, pods, context)).toEqual({
    expectedPods: 5,
    desiredHealthy: 4,
    hasUnmanaged: false,
  });
  expect(lookups).toEqual(['old', 'web', 'new', 'web']);
});
