import { describe, expect, it } from 'vitest';
import { persistentVolumeClaim, pod, resourceClaim, resourceQuota } from '../../../src/exports/kinds.js';
import { k8s } from '../../../src/meta/dialect.js';
import type { FeatureGate } from '../../../src/meta/features/gates.js';
import type { ApiObject } from '../../../src/meta/object-meta.js';
import { usageEvaluators } from '../../../src/plugins/quota/evaluators.js';
import { context, readBody } from '../../resources/steps.js';
import { openServer } from '../../support/servers.js';

/* The effect of features that are off by default on the usage of objects, from upstream's tables. */
const evaluatorOf = (group: string, resource: string, ...on: FeatureGate[]) => {
  const gates = { ...context.host.gates, ...Object.fromEntries(on.map((gate) => [gate, true])) };
  return usageEvaluators({ dialect: k8s, gates }).of({ group, resource });
};
const metadata = { name: 'x' };

describe('claims of devices', () => {
  const evaluator = evaluatorOf('resource.k8s.io', 'resourceclaims', 'DynamicResourceAllocation');
  const GPU = 'gpu.deviceclass.resource.k8s.io/devices';
  const NIC = 'nic.deviceclass.resource.k8s.io/devices';
  const COUNT = 'count/resourceclaims.resource.k8s.io';
  const one = { name: 'r', deviceClassName: 'gpu' };
  it.each<readonly [what: string, requests: readonly object[], devices: object]>([
    ['counts one device', [one], { [GPU]: '1' }],
    ['adds up the requests', [one, one, one, one, one], { [GPU]: '5' }],
    ['counts the devices of a request', [{ ...one, count: 5 }], { [GPU]: '5' }],
    ['counts the maximum for all devices', [{ ...one, allocationMode: 'All' }], { [GPU]: '32' }],
    ['counts nothing for an unknown allocation mode', [{ ...one, allocationMode: 'future-mode' }], { [GPU]: '0' }],
    ['counts devices for administrators', [{ ...one, adminAccess: true }], { [GPU]: '1' }],
    [
      'counts each class by itself',
      [one, { ...one, deviceClassName: 'nic', count: 2 }, one],
      { [GPU]: '2', [NIC]: '2' },
    ],
    ['counts no devices for a claim without requests', [], {}],
  ])('%s', (_, requests, devices) => {
    const claim = readBody<ApiObject>(resourceClaim, { metadata, spec: { devices: { requests } } });
    expect(evaluator?.usage(claim, 0)).toEqual({ [COUNT]: '1', ...devices });
  });

  it('are counted under these names', () => {
    const others = ['resourceclaims', 'storage', 'bronze.deviceclass.resource.k8s.io/storage', 'a.storage.k8s.io/b'];
    expect(evaluator?.matching([COUNT, GPU, ...others])).toEqual([COUNT, GPU]);
    expect(evaluatorOf('resource.k8s.io', 'resourceclaims')?.matching([COUNT, GPU])).toEqual([COUNT]);
  });

  it('are refused beyond the quota of their class', async () => {
    await using server = await openServer({
      controllers: { definitions: (defaults) => defaults, mode: 'stepped' },
      featureGates: { DynamicResourceAllocation: true },
      runtimeConfig: { 'resource.k8s.io/v1alpha3': 'true' },
    });
    const client = server.client();
    const at = { namespace: 'default' };
    await client.create(resourceQuota, { metadata: { name: 'q' }, spec: { hard: { [GPU]: '3' } } }, at);
    await server.settle();
    const claim = (name: string, count: number) =>
      client.create(resourceClaim, { metadata: { name }, spec: { devices: { requests: [{ ...one, count }] } } }, at);
    await claim('a', 2);
    await expect(claim('b', 2)).rejects.toThrow(`requested: ${GPU}=2, used: ${GPU}=2, limited: ${GPU}=3`);
    expect((await client.get(resourceQuota, 'q', at)).status.used).toEqual({ [GPU]: '2' });
  });
});

it.each<readonly [asked: string, given: string | undefined, counted: string]>([
  ['1Gi', undefined, '1Gi'],
  ['1Gi', '2Gi', '2Gi'],
  ['2Gi', '1Gi', '2Gi'],
  ['1', '1500m', '2'],
])('a claim of %s that was allocated %s counts for %s if expansion may fail', (asked, given, counted) => {
  const claim = readBody<ApiObject>(persistentVolumeClaim, {
    metadata,
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: asked } } },
    status: given === undefined ? {} : { allocatedResources: { storage: given } },
  });
  const sized = (...on: FeatureGate[]) =>
    evaluatorOf('', 'persistentvolumeclaims', ...on)?.usage(claim, 0)['requests.storage'];
  expect(sized('RecoverVolumeExpansionFailure')).toBe(counted);
  expect(sized()).toBe(asked);
});

describe('pods that are resized', () => {
  const evaluator = evaluatorOf('', 'pods', 'InPlacePodVerticalScaling');
  const body = (cpu: string, status: object) => ({
    metadata,
    spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu, memory: '1Gi' } } }] },
    status,
  });
  const had = (allocatedResources: object, resize?: string) => ({
    ...(resize === undefined ? {} : { resize }),
    containerStatuses: [
      {
        name: 'c',
        ready: true,
        restartCount: 0,
        image: 'i',
        imageID: '',
        state: {},
        lastState: {},
        allocatedResources,
      },
    ],
  });
  it.each<readonly [what: string, cpu: string, status: object, counted: readonly [cpu: string, memory: string]]>([
    ['requested while no resources are allocated', '2', {}, ['2', '1Gi']],
    ['allocated while they shrink', '1', had({ cpu: '3', memory: '2Gi' }), ['3', '2Gi']],
    ['requested while they grow', '4', had({ cpu: '3', memory: '1Gi' }, 'InProgress'), ['4', '1Gi']],
    ['allocated if they cannot grow', '4', had({ cpu: '3', memory: '1Gi' }, 'Infeasible'), ['3', '1Gi']],
  ])('are counted as %s', (_, cpu, status, [requests, memory]) => {
    const read = readBody<ApiObject>(pod, body(cpu, status));
    expect(evaluator?.usage(read, 0)).toMatchObject({ 'requests.cpu': requests, 'requests.memory': memory });
    expect(evaluatorOf('', 'pods')?.usage(read, 0)).toMatchObject({ 'requests.cpu': cpu, 'requests.memory': '1Gi' });
  });

  it('are held to their quota', async () => {
    await using server = await openServer({
      controllers: { definitions: (defaults) => defaults, mode: 'stepped' },
      featureGates: { InPlacePodVerticalScaling: true },
    });
    const client = server.client();
    const at = { namespace: 'default' };
    await server.settle();
    await client.create(resourceQuota, { metadata: { name: 'q' }, spec: { hard: { 'requests.cpu': '3' } } }, at);
    await server.settle();
    const made = await client.create(pod, body('2', {}) as never, at);
    const sized = (cpu: string) =>
      client.replace(pod, { ...made, spec: { ...made.spec, ...containers(cpu) } } as never);
    const containers = (cpu: string) => ({
      containers: made.spec.containers?.map((each) => ({ ...each, resources: { requests: { cpu, memory: '1Gi' } } })),
    });
    await expect(sized('4')).rejects.toThrow(
      'requested: requests.cpu=2, used: requests.cpu=2, limited: requests.cpu=3',
    );
    await sized('3');
    expect((await client.get(resourceQuota, 'q', at)).status.used).toEqual({ 'requests.cpu': '3' });
  });
});
