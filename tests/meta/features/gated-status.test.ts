import { describe, expect, it } from 'vitest';
import { customResourceDefinition, node, pod, resourceClaim } from '../../../src/exports/kinds.js';
import { definitionOf } from '../../support/definitions.js';
import { openServer } from '../../support/servers.js';

const ofStatus = { subresource: 'status' } as const;
const patchOf = (object: object) => object as never;

describe('status fields of disabled gates', () => {
  const WHERE = { namespace: 'default' };
  const GPU = { limits: { 'example.com/gpu': '1' } };
  const state = {
    name: 'c',
    ready: true,
    restartCount: 0,
    image: 'i',
    imageID: '',
    allocatedResources: { cpu: '1' },
    resources: { requests: { cpu: '1' } },
    allocatedResourcesStatus: [{ name: 'example.com/gpu', resources: [{ resourceID: 'z', health: 'Healthy' }] }],
    user: { linux: { uid: 1, gid: 1 } },
  };
  const GATED = ['allocatedResources', 'resources', 'allocatedResourcesStatus', 'user'] as const;
  const statesOf = (object: object) =>
    (object as { status: { containerStatuses?: readonly object[] } }).status.containerStatuses?.[0] ?? {};

  it('of a pod are stored by the status route, and dropped by the next write of the object', async () => {
    await using server = await openServer({ admission: [] });
    const client = server.client();
    const spec = { containers: [{ name: 'c', image: 'i', resources: GPU }] };
    await client.create(pod, patchOf({ metadata: { name: 'a' }, spec }), WHERE);
    const status = { resize: 'Proposed', containerStatuses: [state] };
    const written = await client.patch(pod, 'a', patchOf({ status }), { ...WHERE, ...ofStatus });
    expect(written.status.resize).toBe('Proposed');
    expect(statesOf(written)).toMatchObject(state);
    const changed = await client.patch(pod, 'a', patchOf({ metadata: { labels: { a: 'b' } } }), WHERE);
    expect(changed.status.resize).toBeUndefined();
    for (const field of GATED) expect(statesOf(changed)).not.toHaveProperty(field);
    expect(statesOf(changed)).toMatchObject({ name: 'c', ready: true });
  });

  it('of a pod are kept if its resize policies show that it had the feature', async () => {
    const resizePolicy = [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }];
    const spec = { containers: [{ name: 'c', image: 'i', resizePolicy, resources: GPU }] };
    await using on = await openServer({ admission: [], featureGates: { InPlacePodVerticalScaling: true } });
    await on.client().create(pod, patchOf({ metadata: { name: 'a' }, spec }), WHERE);
    const status = { containerStatuses: [state] };
    await on.client().patch(pod, 'a', patchOf({ status }), { ...WHERE, ...ofStatus });
    await using server = await openServer({ admission: [], saved: await on.save() });
    const change = patchOf({ metadata: { labels: { a: 'b' } } });
    const kept = statesOf(await server.client().patch(pod, 'a', change, WHERE));
    expect(kept).toHaveProperty('allocatedResources');
    expect(kept).not.toHaveProperty('user');
  });

  it('of a node are dropped from writes, unless the node had them before', async () => {
    await using server = await openServer({ admission: [], featureGates: { RecursiveReadOnlyMounts: false } });
    const client = server.client();
    const known = { features: { supplementalGroupsPolicy: true }, runtimeHandlers: [{ name: 'r' }] };
    const status = { ...known, config: { error: 'e' } };
    const made = await client.create(node, patchOf({ metadata: { name: 'n' }, status }), {});
    for (const field of ['features', 'runtimeHandlers', 'config']) expect(made.status).not.toHaveProperty(field);
    const written = await client.patch(node, 'n', patchOf({ status }), ofStatus);
    expect(written.status).toMatchObject(known);
    expect(written.status).not.toHaveProperty('config');
    const changed = await client.patch(node, 'n', patchOf({ metadata: { labels: { a: 'b' } } }), {});
    for (const field of ['features', 'runtimeHandlers']) expect(changed.status).not.toHaveProperty(field);
  });
});

describe('CRDValidationRatcheting: rules with optionalOldSelf', () => {
  const definition = (inner: object) =>
    definitionOf('things', 'Thing', { schema: { type: 'object', properties: { spec: { type: 'object', ...inner } } } });
  const rule = { rule: 'oldSelf == oldSelf', optionalOldSelf: true };
  const inner = { properties: { a: { type: 'integer', 'x-kubernetes-validations': [rule] } } };
  const found = (object: object) => JSON.stringify(object).includes('optionalOldSelf');

  it('are dropped while the gate is off, but not from definitions that had them', async () => {
    const off = { featureGates: { CRDValidationRatcheting: false } };
    const plain = patchOf(definition({}));
    const change = patchOf({
      spec: { versions: (definition(inner) as { spec: { versions: object[] } }).spec.versions },
    });
    await using server = await openServer(off);
    const client = server.client();
    const made = await client.create(customResourceDefinition, patchOf(definition(inner)), {});
    expect(made.spec.versions?.[0]?.schema?.openAPIV3Schema).toMatchObject({
      properties: { spec: { properties: { a: { 'x-kubernetes-validations': [{ rule: 'oldSelf == oldSelf' }] } } } },
    });
    expect(found(made.spec)).toBe(false);
    await using on = await openServer();
    await on.client().create(customResourceDefinition, patchOf(definition(inner)), {});
    const saved = await on.save();
    await using later = await openServer({ ...off, saved });
    expect(found(await later.client().patch(customResourceDefinition, 'things.example.com', change, {}))).toBe(true);
    await later
      .client()
      .patch(customResourceDefinition, 'things.example.com', patchOf({ spec: (plain as { spec: object }).spec }), {});
    const { spec } = await later.client().patch(customResourceDefinition, 'things.example.com', change, {});
    expect(found(spec)).toBe(false);
  });
});

describe('DRAControlPlaneController: status fields of a claim', () => {
  const WHERE = { namespace: 'default' };
  const open = (controllers: boolean, saved?: string) =>
    openServer({
      admission: [],
      runtimeConfig: { 'api/all': 'true' },
      featureGates: { DynamicResourceAllocation: true, DRAControlPlaneController: controllers },
      ...(saved === undefined ? {} : { saved }),
    });
  const allocation = { devices: {}, controller: 'example.com' };

  it.each<readonly [title: string, spec: object, first: object, then: object, kept: readonly string[]]>([
    [
      'an allocation by the scheduler can be stored, a request to deallocate cannot',
      { devices: {} },
      {},
      { allocation, deallocationRequested: true },
      ['allocation'],
    ],
    [
      'an allocation by a controller is stored with its name',
      { devices: {}, controller: 'example.com' },
      {},
      { allocation },
      ['allocation', 'allocation.controller'],
    ],
    [
      'an allocation by a controller can be requested back',
      { devices: {}, controller: 'example.com' },
      { allocation },
      { allocation, deallocationRequested: true },
      ['allocation', 'allocation.controller', 'deallocationRequested'],
    ],
    [
      'an allocation by the scheduler cannot be requested back',
      { devices: {}, controller: 'example.com' },
      { allocation: { devices: {} } },
      { deallocationRequested: true },
      ['allocation'],
    ],
  ])('while the gate is off, %s', async (_, spec, first, then, kept) => {
    await using on = await open(true);
    await on.client().create(resourceClaim, patchOf({ metadata: { name: 'c' }, spec }), WHERE);
    await on.client().patch(resourceClaim, 'c', patchOf({ status: first }), { ...WHERE, ...ofStatus });
    await using off = await open(false, await on.save());
    const { status } = await off
      .client()
      .patch(resourceClaim, 'c', patchOf({ status: then }), { ...WHERE, ...ofStatus });
    const found = [
      ...(status.allocation ? ['allocation'] : []),
      ...(status.allocation?.controller ? ['allocation.controller'] : []),
      ...(status.deallocationRequested ? ['deallocationRequested'] : []),
    ];
    expect(found).toEqual(kept);
  });
});
