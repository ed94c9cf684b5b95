import { describe, expect, it } from 'vitest';
import { podDisruptionBudget, replicaSet } from '../../../src/exports/kinds.js';
import { pod } from '../../../src/index.js';
import type { PodDisruptionBudget } from '../../../src/resources/policy/policy-v1.types.js';
import { MINUTE, openWorld, WEB, where } from './world.js';

type Spec = Partial<PodDisruptionBudget['spec']>;

/** A budget for a controller that wants seven pods, with five ready pods and an unready one. */
async function counted(spec: Spec) {
  await using world = await openWorld();
  const template = { metadata: { labels: WEB }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const set = { metadata: { name: 'web' }, spec: { replicas: 7, selector: { matchLabels: WEB }, template } };
  const { uid = '' } = (await world.client.create(replicaSet, set, where)).metadata;
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid };
  for (const name of ['a', 'b', 'c', 'd', 'e']) await world.makePod(name, { owner });
  await world.makePod('f', { owner, ready: false });
  await world.makePod('other', { labels: { app: 'other' } });
  await world.makeBudget(spec);
  const { expectedPods, desiredHealthy, currentHealthy, disruptionsAllowed, conditions } = await world.status();
  const numbers = [expectedPods, desiredHealthy, currentHealthy, disruptionsAllowed];
  return `${numbers.join(' ')} ${conditions?.map(({ reason }) => reason).join()}`;
}

describe('the numbers of a budget', () => {
  it.each<[Spec, string]>([
    [{ minAvailable: 3 }, '6 3 5 2 SufficientPods'],
    [{ minAvailable: 0 }, '6 0 5 5 SufficientPods'],
    [{ minAvailable: 5 }, '6 5 5 0 InsufficientPods'],
    [{ minAvailable: 9 }, '6 9 5 0 InsufficientPods'],
    [{ minAvailable: '50%' }, '7 4 5 1 SufficientPods'],
    [{ minAvailable: '0%' }, '7 0 5 5 SufficientPods'],
    [{ minAvailable: '100%' }, '7 7 5 0 InsufficientPods'],
    [{ maxUnavailable: 3 }, '7 4 5 1 SufficientPods'],
    [{ maxUnavailable: 0 }, '7 7 5 0 InsufficientPods'],
    [{ maxUnavailable: 9 }, '7 0 5 5 SufficientPods'],
    [{ maxUnavailable: '30%' }, '7 4 5 1 SufficientPods'],
    [{ maxUnavailable: '1%' }, '7 6 5 0 InsufficientPods'],
    [{ maxUnavailable: '100%' }, '7 0 5 5 SufficientPods'],
    [{}, '0 0 5 0 InsufficientPods'],
    [{ minAvailable: 1, selector: {} }, '7 1 6 5 SufficientPods'],
    [{ minAvailable: 0, selector: { matchLabels: { app: 'none' } } }, '0 0 0 0 InsufficientPods'],
    [{ maxUnavailable: 1, selector: { matchLabels: { app: 'none' } } }, '0 0 0 0 InsufficientPods'],
    [
      { minAvailable: 1, selector: { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] } },
      '1 1 1 0 InsufficientPods',
    ],
  ])('%j: %s', async (spec, expected) => {
    expect(await counted(spec)).toBe(expected);
  });

  it('are zero without a selector', async () => {
    await using world = await openWorld();
    await world.makePod('p');
    await world.client.create(podDisruptionBudget, { metadata: { name: 'b' }, spec: { minAvailable: 0 } }, where);
    expect(await world.status()).toMatchObject({ expectedPods: 0, currentHealthy: 0, disruptionsAllowed: 0 });
  });
});

describe('pods are counted again', () => {
  it('when one is created, becomes ready, is relabelled, is being deleted, and is deleted', async () => {
    await using world = await openWorld();
    const { client } = world;
    const counts = async () => {
      const { expectedPods, currentHealthy } = await world.status();
      return [expectedPods, currentHealthy];
    };
    await world.makeBudget({ minAvailable: 1 });
    expect(await counts()).toEqual([0, 0]);
    await world.makePod('p');
    await world.makePod('q', { ready: false });
    expect(await counts()).toEqual([2, 1]);
    const ready = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };
    await client.patch(pod, 'q', ready, { ...where, subresource: 'status' });
    expect(await counts()).toEqual([2, 2]);
    await client.patch(pod, 'q', { metadata: { labels: { app: 'other' } } }, where);
    expect(await counts()).toEqual([1, 1]);
    await client.patch(pod, 'q', { metadata: { labels: WEB } }, where);
    expect(await counts()).toEqual([2, 2]);
    await client.delete(pod, 'q', where);
    expect(await counts()).toEqual([2, 1]);
    await client.delete(pod, 'q', { ...where, gracePeriodSeconds: 0 });
    expect(await counts()).toEqual([1, 1]);
  });

  it('when a server starts with stored objects', async () => {
    await using before = await openWorld({ controllers: { run: ['*', '-disruption'] } });
    await before.makePod('p');
    await before.makeBudget({ minAvailable: 0 });
    expect((await before.status()).observedGeneration).toBeUndefined();
    await using world = await openWorld({}, await before.server.save());
    expect(await world.status()).toMatchObject({ expectedPods: 1, disruptionsAllowed: 1 });
  });

  it('twice a day, even without changes', async () => {
    await using world = await openWorld();
    const template = { metadata: { labels: WEB }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const set = { metadata: { name: 'web' }, spec: { replicas: 2, selector: { matchLabels: WEB }, template } };
    const { uid = '' } = (await world.client.create(replicaSet, set, where)).metadata;
    await world.makePod('p', { owner: { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid } });
    await world.makeBudget({ maxUnavailable: 1 });
    expect((await world.status()).expectedPods).toBe(2);
    // The scale of a controller is not watched, because its pods change with it.
    await world.client.patch(replicaSet, 'web', { spec: { replicas: 5 } }, where);
    expect((await world.status()).expectedPods).toBe(2);
    await world.later(12 * 60 * MINUTE);
    expect((await world.status()).expectedPods).toBe(5);
  });
});

describe('the status of a budget is not written', () => {
  it('when nothing has changed', async () => {
    await using world = await openWorld();
    await world.makePod('p');
    await world.makeBudget({ minAvailable: 1 });
    await world.status();
    const { metadata } = await world.budget();
    await world.client.patch(pod, 'p', { metadata: { annotations: { a: 'b' } } }, where);
    await world.status();
    await world.later(13 * 60 * MINUTE);
    expect((await world.budget()).metadata.resourceVersion).toBe(metadata.resourceVersion);
  });

  it('if another client has changed the object meanwhile', async () => {
    await using world = await openWorld();
    await world.makePod('p');
    await world.makeBudget({ minAvailable: 0 });
    await world.status();
    // Excess fields of a status, and a condition that does not match it, are corrected.
    const status = {
      disruptionsAllowed: 7,
      conditions: [
        { type: 'Own', status: 'True', lastTransitionTime: '2030-01-01T00:00:00Z', reason: 'R', message: 'm' },
      ],
    };
    await world.client.patch(podDisruptionBudget, 'b', { status }, { ...where, subresource: 'status' });
    const fixed = await world.status();
    expect(fixed.disruptionsAllowed).toBe(1);
    expect(fixed.conditions?.map(({ type }) => type)).toEqual(['Own', 'DisruptionAllowed']);
  });
});
