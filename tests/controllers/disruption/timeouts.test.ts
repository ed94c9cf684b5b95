import { describe, expect, it } from 'vitest';
import { podDisruptionBudget } from '../../../src/exports/kinds.js';
import { pod } from '../../../src/index.js';
import { MINUTE, openWorld, type World, where } from './world.js';

/** Uses up the budget. The pod is kept, because the uid in the request is another. */
const FAILING = { preconditions: { uid: '00000000-0000-4000-8000-000000000000' } };

describe('an evicted pod that is not deleted', () => {
  it('is not counted for two minutes, and then counted again', async () => {
    await using world = await openWorld();
    for (const name of ['p', 'q', 'r']) await world.makePod(name);
    await world.makeBudget({ minAvailable: 1 });
    await world.status();
    expect((await world.evict('p', FAILING)).status).toBe(409);
    await world.later(MINUTE);
    expect((await world.evict('q', FAILING)).status).toBe(409);
    const waiting = await world.status();
    expect(waiting).toMatchObject({
      currentHealthy: 1,
      expectedPods: 3,
      disruptionsAllowed: 0,
      disruptedPods: { p: '2030-01-01T00:00:00Z', q: '2030-01-01T00:01:00Z' },
    });
    await world.later(MINUTE);
    expect(await world.status()).toEqual(waiting);
    await world.later(1);
    const first = await world.status();
    expect(first).toMatchObject({ currentHealthy: 2, disruptionsAllowed: 1 });
    expect(first.disruptedPods).toEqual({ q: '2030-01-01T00:01:00Z' });
    expect((await world.events()).filter((line) => line.includes('NotDeleted'))).toEqual([
      "Warning Pod p NotDeleted 1: Pod was expected by PDB default/default to be deleted but it wasn't",
    ]);
    await world.later(MINUTE);
    const second = await world.status();
    expect(second).toMatchObject({ currentHealthy: 3, disruptionsAllowed: 2 });
    expect(second.disruptedPods).toBeUndefined();
  });

  it('is forgotten when it is being deleted, and when it is not selected any more', async () => {
    await using world = await openWorld();
    for (const name of ['p', 'q', 'r']) await world.makePod(name);
    await world.makeBudget({ minAvailable: 1 });
    await world.status();
    for (const name of ['p', 'q']) expect((await world.evict(name, FAILING)).status).toBe(409);
    await world.client.delete(pod, 'p', where);
    await world.client.patch(pod, 'q', { metadata: { labels: { app: 'other' } } }, where);
    const status = await world.status();
    expect(status).toMatchObject({ currentHealthy: 1, expectedPods: 2, disruptionsAllowed: 0 });
    expect(status.disruptedPods).toBeUndefined();
  });

  it('counts at once if the time of its eviction is unknown', async () => {
    await using world = await openWorld();
    await world.makePod('constructor');
    await world.makeBudget({ minAvailable: 0 });
    await world.status();
    const status = { disruptedPods: { constructor: null } };
    await world.client.patch(podDisruptionBudget, 'b', { status }, { ...where, subresource: 'status' });
    expect(await world.status()).toMatchObject({ currentHealthy: 1, disruptionsAllowed: 1 });
  });
});

describe('the condition DisruptionTarget', () => {
  interface Given {
    readonly status?: string;
    readonly reason?: string;
    readonly phase?: string;
    readonly time?: string;
  }
  const mark = ({ client }: World, name: string, given: Given = {}) => {
    const {
      status = 'True',
      reason = 'PreemptionByScheduler',
      phase = 'Running',
      time = '2030-01-01T00:00:00Z',
    } = given;
    const condition = { type: 'DisruptionTarget', status, reason, message: 'why', lastTransitionTime: time };
    return client.patch(pod, name, { status: { phase, conditions: [condition] } }, { ...where, subresource: 'status' });
  };
  const conditionOf = async (world: World, name: string) => {
    await world.server.settle();
    const { status } = await world.client.get(pod, name, where);
    return status.conditions?.find(({ type }) => type === 'DisruptionTarget');
  };

  it.each(['k8s', 'orch'] as const)('is removed after two minutes (%s)', async (dialect) => {
    await using world = await openWorld({ dialect });
    await world.makePod('p');
    await mark(world, 'p');
    await world.later(2 * MINUTE - 1);
    expect(await conditionOf(world, 'p')).toMatchObject({ status: 'True' });
    await world.later(1);
    expect(await conditionOf(world, 'p')).toEqual({
      type: 'DisruptionTarget',
      status: 'False',
      lastProbeTime: null,
      lastTransitionTime: '2030-01-01T00:02:00Z',
    });
    const { metadata } = await world.client.get(pod, 'p', where);
    expect(metadata.managedFields?.map(({ manager, subresource }) => `${manager} ${subresource}`)).toContain(
      'kube-controller-manager status',
    );
  });

  it('is removed at once if it is older', async () => {
    await using world = await openWorld();
    await world.makePod('p');
    await mark(world, 'p', { time: '2029-12-31T23:00:00Z' });
    expect(await conditionOf(world, 'p')).toMatchObject({ status: 'False' });
  });

  it('is removed in time if it was set again', async () => {
    await using world = await openWorld();
    await world.makePod('p');
    await mark(world, 'p');
    await world.later(MINUTE);
    await mark(world, 'p', { time: '2030-01-01T00:01:00Z' });
    await world.later(MINUTE);
    expect(await conditionOf(world, 'p')).toMatchObject({ status: 'True' });
    await world.later(MINUTE);
    expect(await conditionOf(world, 'p')).toMatchObject({ status: 'False' });
  });

  it.each<[string, Given]>([
    ['the kubelet has set it', { reason: 'TerminationByKubelet' }],
    ['its pod has failed', { phase: 'Failed' }],
    ['its pod has succeeded', { phase: 'Succeeded' }],
    ['its status is not True', { status: 'False' }],
  ])('stays if %s', async (_, given) => {
    await using world = await openWorld();
    await world.makePod('p');
    await mark(world, 'p', given);
    await world.later(3 * MINUTE);
    expect(await conditionOf(world, 'p')).toMatchObject({ status: given.status ?? 'True', message: 'why' });
  });

  it('stays on a pod that is being deleted', async () => {
    await using world = await openWorld();
    await world.makePod('p');
    await mark(world, 'p');
    await world.client.delete(pod, 'p', where);
    await world.later(3 * MINUTE);
    expect(await conditionOf(world, 'p')).toMatchObject({ status: 'True' });
  });

  it('is removed when a server starts with stored objects', async () => {
    await using before = await openWorld();
    await before.makePod('p');
    await mark(before, 'p');
    await using world = await openWorld({}, await before.server.save());
    await world.later(2 * MINUTE);
    expect(await conditionOf(world, 'p')).toMatchObject({ status: 'False' });
  });
});
