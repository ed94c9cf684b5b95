import { describe, expect, it } from 'vitest';
import { podDisruptionBudget } from '../../../src/exports/kinds.js';
import { openWorld, where } from './world.js';

describe.each(['k8s', 'orch'] as const)('evictions (%s)', (dialect) => {
  it('are allowed until the budget is used up, and again when pods were added', async () => {
    await using world = await openWorld({ dialect });
    for (const name of ['p', 'q', 'r']) await world.makePod(name);
    await world.makeBudget({ minAvailable: 1 });
    expect(await world.evict('p')).toMatchObject({
      status: 429,
      headers: { 'Retry-After': '10' },
      value: { details: { causes: [{ message: 'The disruption budget b is still being processed by the server.' }] } },
    });
    expect(await world.status()).toEqual({
      observedGeneration: 1,
      disruptionsAllowed: 2,
      currentHealthy: 3,
      desiredHealthy: 1,
      expectedPods: 3,
      conditions: [
        {
          type: 'DisruptionAllowed',
          status: 'True',
          observedGeneration: 1,
          lastTransitionTime: '2030-01-01T00:00:00Z',
          reason: 'SufficientPods',
          message: '',
        },
      ],
    });
    expect((await world.evict('p')).status).toBe(201);
    // Before the next count, evictions use the previous one.
    expect((await world.evict('q')).status).toBe(201);
    expect((await world.budget()).status).toMatchObject({
      disruptionsAllowed: 0,
      currentHealthy: 3,
      disruptedPods: { p: '2030-01-01T00:00:00Z', q: '2030-01-01T00:00:00Z' },
    });
    await world.later(1000);
    const used = await world.status();
    expect(used).toMatchObject({
      disruptionsAllowed: 0,
      currentHealthy: 1,
      expectedPods: 1,
      conditions: [{ status: 'False', reason: 'InsufficientPods', lastTransitionTime: '2030-01-01T00:00:00Z' }],
    });
    // Deleted pods are not waited for.
    expect(used.disruptedPods).toBeUndefined();
    expect((await world.evict('r')).value).toMatchObject({
      code: 429,
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      details: { causes: [{ message: 'The disruption budget b needs 1 healthy pods and has 1 currently' }] },
    });
    await world.makePod('s');
    await world.later(1000);
    const transition = { status: 'True', lastTransitionTime: '2030-01-01T00:00:02Z' };
    expect((await world.status()).conditions).toMatchObject([transition]);
    expect((await world.evict('r')).status).toBe(201);
    expect((await world.evict('s')).status).toBe(429);
    const { metadata } = await world.budget();
    const managers = metadata.managedFields?.map(({ manager, subresource }) => `${manager} ${subresource}`);
    expect(managers).toContain('kube-controller-manager status');
  });

  it('are as many as the budget allows, however many arrive at once', async () => {
    await using world = await openWorld({ dialect, controllers: { mode: 'automatic' } });
    const names = ['p', 'q', 'r', 's', 't'];
    for (const name of names) await world.makePod(name);
    await world.makeBudget({ minAvailable: 3 });
    expect((await world.status()).disruptionsAllowed).toBe(2);
    const codes = await Promise.all(names.map(async (name) => (await world.evict(name)).status));
    expect(codes.toSorted()).toEqual([201, 201, 429, 429, 429]);
    expect(await world.status()).toMatchObject({ disruptionsAllowed: 0, currentHealthy: 3 });
  });

  it('wait until a changed budget is processed again', async () => {
    await using world = await openWorld({ dialect });
    for (const name of ['p', 'q']) await world.makePod(name);
    await world.makeBudget({ minAvailable: 1 });
    await world.status();
    await world.client.patch(podDisruptionBudget, 'b', { spec: { minAvailable: 2 } }, where);
    expect((await world.evict('p')).headers).toHaveProperty('Retry-After');
    expect(await world.status()).toMatchObject({ observedGeneration: 2, desiredHealthy: 2, disruptionsAllowed: 0 });
    expect((await world.evict('p')).headers).not.toHaveProperty('Retry-After');
  });

  it('of unready pods require enough healthy pods', async () => {
    await using world = await openWorld({ dialect });
    await world.makePod('p');
    for (const name of ['q', 'r']) await world.makePod(name, { ready: false });
    await world.makeBudget({ minAvailable: 1 });
    expect(await world.status()).toMatchObject({ currentHealthy: 1, expectedPods: 3, disruptionsAllowed: 0 });
    expect((await world.evict('q')).status).toBe(201);
    await world.client.patch(podDisruptionBudget, 'b', { spec: { minAvailable: 2 } }, where);
    await world.status();
    expect((await world.evict('r')).status).toBe(429);
  });
});
