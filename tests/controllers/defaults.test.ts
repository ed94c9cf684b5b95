import { expect, it } from 'vitest';
import {
  flowSchema,
  flowSchemaV1beta3,
  type PriorityLevelConfiguration,
  priorityClass,
  priorityLevelConfiguration,
  priorityLevelConfigurationV1beta3,
} from '../../src/exports/kinds.js';
import { createFakeHost } from '../../src/testing/index.js';
import { startServer } from '../support/servers.js';

const MINUTE = 60_000;

async function start(dialect: 'k8s' | 'orch' = 'k8s') {
  const { clock } = createFakeHost();
  const server = await startServer({ dialect, clock, controllers: { mode: 'stepped' } });
  await server.settle();
  return { server, clock, client: server.client(), [Symbol.asyncDispose]: () => server.close() };
}
const names = ({ items }: { items: readonly { metadata: { name?: string } }[] }) =>
  items.map(({ metadata }) => metadata.name);

it.each(['k8s', 'orch'] as const)(
  'a server starts with its priority classes, priority levels and flow schemas (%s)',
  async (dialect) => {
    await using started = await start(dialect);
    const { client } = started;
    expect(names(await client.list(priorityClass))).toEqual(['system-cluster-critical', 'system-node-critical']);
    expect(names(await client.list(priorityLevelConfiguration))).toHaveLength(8);
    const { items } = await client.list(flowSchema);
    expect(items).toHaveLength(13);
    for (const { status } of items)
      expect(status.conditions).toMatchObject([{ type: 'Dangling', status: 'False', reason: 'Found' }]);
  },
);

it('the condition of a flow schema is restored when another client overwrites it', async () => {
  await using started = await start();
  const { client, server } = started;
  const { items } = await client.list(flowSchema);
  const name = items[0]?.metadata.name ?? '';
  const wrong = { type: 'Dangling', status: 'True', reason: 'NotFound', message: 'gone' };
  const status = { conditions: [wrong] };
  const apply = { subresource: 'status', fieldManager: 'other', force: true } as const;
  await client.apply(flowSchema, { metadata: { name }, status } as never, apply);
  await server.settle();
  const { status: after } = await client.get(flowSchema, name);
  expect(after.conditions).toMatchObject([{ type: 'Dangling', status: 'False', reason: 'Found' }]);
});

it('mandatory objects are restored, and suggested ones can be changed', async () => {
  await using started = await start();
  const { client, clock, server } = started;
  const later = async () => {
    clock.advance(MINUTE);
    await server.settle();
  };
  await client.delete(flowSchema, 'catch-all');
  await client.delete(priorityLevelConfiguration, 'workload-low');
  await later();
  expect((await client.get(flowSchema, 'catch-all')).spec.matchingPrecedence).toBe(10_000);
  const shares = async () =>
    (await client.get(priorityLevelConfiguration, 'workload-low')).spec.limited?.nominalConcurrencyShares;
  const setShares = (value: number, annotations: object = {}) =>
    client.patch(priorityLevelConfiguration, 'workload-low', {
      metadata: { annotations },
      spec: { limited: { nominalConcurrencyShares: value } },
    } as never);
  await setShares(7);
  await later();
  expect(await shares()).toBe(100);
  await setShares(7, { 'apf.kubernetes.io/autoupdate-spec': 'false' });
  await later();
  expect(await shares()).toBe(7);
});

it('mandatory objects are restored even if they are changed again and again', async () => {
  await using started = await start();
  const { client, clock, server } = started;
  for (const matchingPrecedence of [4, 5, 6]) {
    await client.patch(flowSchema, 'probes', { spec: { matchingPrecedence } } as never);
    clock.advance(MINUTE / 3);
    await server.settle();
  }
  expect((await client.get(flowSchema, 'probes')).spec.matchingPrecedence).toBe(2);
});

it('a suggested object that was changed before it was annotated is annotated as not managed by the server', async () => {
  await using started = await start();
  const { client, clock, server } = started;
  const mark = { 'apf.kubernetes.io/autoupdate-spec': null };
  await client.patch(flowSchema, 'probes', {
    metadata: { annotations: mark },
    spec: { matchingPrecedence: 3 },
  } as never);
  clock.advance(MINUTE);
  await server.settle();
  const { metadata, spec } = await client.get(flowSchema, 'probes');
  expect(metadata.annotations).toEqual({ 'apf.kubernetes.io/autoupdate-spec': 'false' });
  expect(spec.matchingPrecedence).toBe(3);
});

it('an object that is annotated as a default but is not one of the defaults is deleted', async () => {
  await using started = await start();
  const { client, clock, server } = started;
  const spec = { priorityLevelConfiguration: { name: 'exempt' } };
  for (const [name, mark] of [
    ['old', 'True'],
    ['kept', 'false'],
    ['strange', 'yes'],
  ] as const) {
    const annotations = { 'apf.kubernetes.io/autoupdate-spec': mark };
    await client.create(flowSchema, { metadata: { name, annotations }, spec } as never);
  }
  clock.advance(MINUTE);
  await server.settle();
  const all = names(await client.list(flowSchema));
  expect(['old', 'kept', 'strange'].map((name) => all.includes(name))).toEqual([false, true, true]);
});

it('a flow schema has a condition that says whether its priority level exists', async () => {
  await using started = await start();
  const { client, server } = started;
  const about = async () => {
    await server.settle();
    return (await client.get(flowSchema, 'f')).status.conditions?.map(({ reason }) => reason);
  };
  const level = { metadata: { name: 'l' }, spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } };
  await client.create(flowSchema, {
    metadata: { name: 'f' },
    spec: { priorityLevelConfiguration: { name: 'l' } },
  } as never);
  expect(await about()).toEqual(['NotFound']);
  await client.create(priorityLevelConfiguration, level as never);
  expect(await about()).toEqual(['Found']);
  await client.delete(priorityLevelConfiguration, 'l');
  expect(await about()).toEqual(['NotFound']);
});

it('the condition of a flow schema has the time of its last change, even if its status stays the same', async () => {
  await using started = await start();
  const { client, server, clock } = started;
  const condition = async () => {
    await server.settle();
    return (await client.get(flowSchema, 'f')).status.conditions?.[0];
  };
  const spec = (name: string) => ({ metadata: { name: 'f' }, spec: { priorityLevelConfiguration: { name } } }) as never;
  await client.create(flowSchema, spec('workload-low'));
  const before = await condition();
  clock.advance(5_000);
  await client.patch(flowSchema, 'f', spec('workload-high'));
  const after = await condition();
  expect(after).toMatchObject({ status: 'False', message: expect.stringContaining('"workload-high"') });
  expect(Date.parse(after?.lastTransitionTime ?? '') - Date.parse(before?.lastTransitionTime ?? '')).toBe(5_000);
});

it('both versions are one object: the older one represents zero shares by an annotation', async () => {
  await using started = await start();
  const { client } = started;
  const limited = { nominalConcurrencyShares: 0, limitResponse: { type: 'Reject' } };
  const body = (name: string) => ({ metadata: { name }, spec: { type: 'Limited', limited } }) as never;
  const sharesOf = ({ spec }: PriorityLevelConfiguration) => spec.limited?.nominalConcurrencyShares;
  expect(sharesOf(await client.create(priorityLevelConfigurationV1beta3, body('beta')))).toBe(30);
  expect(sharesOf(await client.get(priorityLevelConfiguration, 'beta'))).toBe(30);
  expect(sharesOf(await client.create(priorityLevelConfiguration, body('none')))).toBe(0);
  const older = await client.get(priorityLevelConfigurationV1beta3, 'none');
  expect(older.metadata.annotations).toEqual({ 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares': '' });
  expect(sharesOf(await client.replace(priorityLevelConfigurationV1beta3, older))).toBe(0);
  expect((await client.get(priorityLevelConfiguration, 'none')).metadata.annotations).toBeUndefined();
  expect((await client.get(flowSchemaV1beta3, 'exempt')).apiVersion).toBe('flowcontrol.apiserver.k8s.io/v1beta3');
});
