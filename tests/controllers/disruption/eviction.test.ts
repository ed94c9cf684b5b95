import { describe, expect, it } from 'vitest';
import { podDisruptionBudget } from '../../../src/exports/kinds.js';
import { pod } from '../../../src/index.js';
import { MINUTE, openWorld, where } from './world.js';

describe.each(['k8s', 'orch'] as const)('evictions (%s)', (dialect) => {
  it('pass until the budget is used up, and again when pods have come', async () => {
    await using world = await openWorld({ dialect });
    for (const name of ['p', 'q', 'r']) await world.makePod(name);
    await world.makeBudget({ minAvailable: 1 });
    expect(await world.evict('p')).toBe(429);
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
    expect(await world.evict('p')).toBe(201);
    expect(await world.evict('q')).toBe(201);
    await world.later(1000);
    expect(await world.status()).toMatchObject({
      disruptionsAllowed: 0,
      currentHealthy: 1,
      expectedPods: 1,
      conditions: [{ status: 'False', reason: 'InsufficientPods', lastTransitionTime: '2030-01-01T00:00:00Z' }],
    });
    expect(await world.evict('r')).toBe(429);
    await world.makePod('s');
    await world.later(1000);
    expect((await world.status()).conditions).toMatchObject([
      { status: 'True', lastTransitionTime: '2030-01-01T00:00:02Z' },
    ]);
    expect(await world.evict('r')).toBe(201);
    expect(await world.evict('s')).toBe(429);
    const { metadata } = await world.budget();
    const managers = metadata.managedFields?.map(({ manager, subresource }) => `${manager} ${subresource}`);
    expect(managers).toContain('kube-controller-manager status');
  });
});
