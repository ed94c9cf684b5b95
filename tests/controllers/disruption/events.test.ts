import { describe, expect, it } from 'vitest';
import { coreEvent } from '../../../src/exports/kinds.js';
import { pod } from '../../../src/index.js';
import { MINUTE, openWorld, WEB, type World, where } from './world.js';

const about = async (world: World, reason: string) => {
  await world.server.settle();
  return (await world.events()).filter((line) => line.includes(` ${reason} `));
};

describe.each(['k8s', 'orch'] as const)('events about a budget (%s)', (dialect) => {
  const open = () => openWorld({ dialect, controllers: { run: ['*', '-garbagecollector'] } });

  it('report that it selects no pods', async () => {
    await using world = await open();
    await world.makeBudget({ minAvailable: 1 });
    // One event is for the new budget, one for its new status.
    expect(await about(world, 'NoPods')).toEqual(['Normal PodDisruptionBudget b NoPods 2: No matching pods found']);
    const { items } = await world.client.list(coreEvent, where);
    const { uid } = (await world.budget()).metadata;
    expect(items).toMatchObject([
      {
        metadata: { name: expect.stringMatching(/^b\.[0-9a-f]+$/) },
        involvedObject: {
          kind: 'PodDisruptionBudget',
          namespace: 'default',
          name: 'b',
          uid,
          apiVersion: 'policy/v1',
          resourceVersion: expect.any(String),
        },
        source: { component: 'controllermanager' },
        reportingComponent: 'controllermanager',
        firstTimestamp: '2030-01-01T00:00:00Z',
      },
    ]);
  });

  it('report that pods cannot be counted', async () => {
    await using world = await open();
    const uid = '00000000-0000-4000-8000-000000000000';
    await world.makePod('p', { owner: { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'gone', uid } });
    await world.makeBudget({ minAvailable: '50%' });
    const why = 'Failed to calculate the number of expected pods: found no controllers for pod "p"';
    expect(await about(world, 'CalculateExpectedPodCountFailed')).toEqual([
      `Warning PodDisruptionBudget b CalculateExpectedPodCountFailed 2: ${why}`,
    ]);
  });

  it('report that pods have no controller, if controllers are needed', async () => {
    await using world = await open();
    await world.makePod('p');
    const matchExpressions = [{ key: 'app', operator: 'In', values: ['web', 'db'] }];
    await world.makeBudget({ minAvailable: 1 }, 'number');
    expect(await about(world, 'UnmanagedPods')).toEqual([]);
    await world.makeBudget({ maxUnavailable: 1, selector: { matchLabels: WEB, matchExpressions } });
    const [line, ...others] = await about(world, 'UnmanagedPods');
    expect(others).toEqual([]);
    expect(line).toContain(
      '(selector: &LabelSelector{MatchLabels:map[string]string{app: web,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:app,Operator:In,Values:[web db],},},}) were found to be unmanaged.',
    );
    expect(line).toMatch(
      /To account for these pods please set "\.spec\.minAvailable" field of the PDB to an integer value\.$/,
    );
    expect(await world.status()).toMatchObject({ expectedPods: 0, currentHealthy: 1, disruptionsAllowed: 0 });
  });

  it('report an invalid selector', async () => {
    await using before = await open();
    await before.makePod('p');
    const matchExpressions = [{ key: 'app', operator: 'In', values: ['good', 'web'] }];
    await before.makeBudget({ minAvailable: 0, selector: { matchExpressions } });
    await before.status();
    // An older release accepted this budget.
    const saved = (await before.server.save()).replaceAll('"good"', '"not good!"');
    await using world = await openWorld({ dialect }, saved);
    expect(await about(world, 'NoPods')).toContainEqual(
      expect.stringMatching(/^Warning PodDisruptionBudget b NoPods \d: Failed to get pods: .*not good!/),
    );
    expect((await world.status()).conditions).toMatchObject([{ status: 'False', reason: 'SyncFailed' }]);
  });
});

describe('events about a pod', () => {
  it('report that several budgets select it', async () => {
    await using world = await openWorld();
    await world.makeBudget({ minAvailable: 1 }, 'c');
    await world.makeBudget({ minAvailable: 2 }, 'b');
    await world.makePod('p');
    expect(await about(world, 'MultiplePodDisruptionBudgets')).toEqual([
      'Warning Pod p MultiplePodDisruptionBudgets 1: Pod "default"/"p" matches multiple PodDisruptionBudgets.  Chose "b" arbitrarily.',
    ]);
    for (const name of ['b', 'c']) expect((await world.status(name)).expectedPods).toBe(1);
    expect((await world.evict('p')).status).toBe(500);
  });
});

it('the events about a budget are bounded, and its status is correct anyway', async () => {
  await using world = await openWorld();
  await world.makePod('p');
  await world.makeBudget({ maxUnavailable: 1 });
  for (let i = 0; i < 60; i++) {
    await world.client.patch(pod, 'p', { metadata: { annotations: { i: `${i}` } } }, where);
    await world.later(1000);
  }
  expect(await about(world, 'UnmanagedPods')).toEqual([expect.stringContaining(' UnmanagedPods 25: ')]);
  await world.later(5 * MINUTE);
  expect(await world.status()).toMatchObject({ currentHealthy: 1 });
});

it('events that are refused do not delay a budget', async () => {
  await using world = await openWorld({
    admission: (defaults) => [
      ...defaults,
      () => ({
        name: 'NoEvents',
        handles: ({ resource }) => resource.resource === 'events',
        validate: () => {
          throw new Error('no events');
        },
      }),
    ],
  });
  await world.makeBudget({ minAvailable: 1 });
  expect((await world.status()).observedGeneration).toBe(1);
  expect(await world.events()).toEqual([]);
});
