import { expect, it } from 'vitest';
import { podDisruptionBudget } from '../../src/exports/kinds.js';
import { pod } from '../../src/index.js';
import { ask } from '../support/ask.js';
import { openWorld, serverOf, type World } from './world.js';

const inDefault = { namespace: 'default' };
const ADMIN = { username: 'admin', groups: ['system:masters'] };
const labels = { app: 'web' };
const NAMES = ['p', 'q', 'r', 's', 't', 'u'];

async function fill(world: World, minAvailable: number): Promise<void> {
  const client = serverOf(world, 0).client();
  const spec = { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] };
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  for (const name of NAMES) {
    await client.create(pod, { metadata: { name, labels }, spec }, inDefault);
    await client.patch(pod, name, { status }, { ...inDefault, subresource: 'status' });
  }
  const budget = { minAvailable, selector: { matchLabels: labels } };
  await client.create(podDisruptionBudget, { metadata: { name: 'b' }, spec: budget }, inDefault);
  await world.rest();
}
const evict = async (world: World, index: number, name: string) => {
  const body = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name },
    deleteOptions: { gracePeriodSeconds: 0 },
  };
  const path = `/api/v1/namespaces/default/pods/${name}/eviction`;
  return (await ask(serverOf(world, index), { method: 'POST', path, body }, { user: ADMIN })).status;
};
const statusOf = async (world: World, index: number) =>
  (await serverOf(world, index).client().get(podDisruptionBudget, 'b', inDefault)).status;

it('a budget is counted by every server, and written when it changes', async () => {
  await using world = await openWorld(3);
  await world.rest();
  await fill(world, 4);
  const { log } = world.backend;
  const writes = () => log.filter(({ key }) => key.includes('/poddisruptionbudgets/')).length;
  expect(writes()).toBe(2);
  for (const index of [0, 1, 2])
    expect(await statusOf(world, index)).toMatchObject({ expectedPods: 6, currentHealthy: 6, disruptionsAllowed: 2 });
});

it('of concurrent evictions at several servers, a budget allows the right number', async () => {
  await using world = await openWorld(3);
  await world.rest();
  await fill(world, 4);
  world.hold();
  const codes = await Promise.all(NAMES.map((name, i) => evict(world, i, name)));
  expect(codes.toSorted()).toEqual([201, 201, 429, 429, 429, 429]);
  await world.rest();
  for (const index of [0, 1, 2]) {
    const status = await statusOf(world, index);
    expect(status).toMatchObject({ expectedPods: 4, currentHealthy: 4, disruptionsAllowed: 0 });
    expect(status.disruptedPods).toBeUndefined();
  }
});
