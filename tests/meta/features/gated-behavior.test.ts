import { describe, expect, it } from 'vitest';
import {
  job,
  node,
  persistentVolumeClaim,
  pod,
  podTemplate,
  service,
  statefulSet,
} from '../../../src/exports/kinds.js';
import type { FeatureGate } from '../../../src/meta/features/gates.js';
import { after, at, indexed, jobOf, made, openServer, runs, setOf, size, template } from './gated-objects.js';

const ignoring = { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] };
const failing = { action: 'FailIndex', onExitCodes: { operator: 'In', values: [1] } };

const WHERE = { namespace: 'default' };
const ofStatus = { ...WHERE, subresource: 'status' };
const patchOf = (object: object) => object as never;
const messageOf = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    () => 'done',
    (error: Error) => error.message,
  );
const withGates = (...names: readonly FeatureGate[]) =>
  openServer({ featureGates: Object.fromEntries(names.map((name) => [name, true])) });

describe('further effects of a feature gate', () => {
  it('ProcMountType: procMount is set to Default while the gate is off', async () => {
    const asked = runs({ hostUsers: false }, { securityContext: { procMount: 'Unmasked' } });
    await using off = await openServer();
    await using on = await withGates('ProcMountType', 'UserNamespacesSupport');
    const path = 'spec.containers.0.securityContext.procMount';
    expect(at(await made(off, pod, asked), path)).toBe('Default');
    expect(at(await made(on, pod, asked), path)).toBe('Unmasked');
    const shared = messageOf(made(on, pod, { spec: { ...asked.spec, hostUsers: true } }));
    expect(await shared).toContain('`hostUsers` must be false to use `Unmasked`');
  });

  it('PodLifecycleSleepAction: other hooks are kept', async () => {
    await using off = await openServer({ featureGates: { PodLifecycleSleepAction: false } });
    const lifecycle = { preStop: { sleep: { seconds: 1 } }, postStart: { exec: { command: ['true'] } } };
    const stored = await made(off, pod, runs({}, { lifecycle }));
    expect(at(stored, 'spec.containers.0.lifecycle')).toEqual({ postStart: { exec: { command: ['true'] } } });
  });

  it('ImageVolume: a volume is dropped with its mounts', async () => {
    await using off = await openServer();
    const volumes = [
      { name: 'v', image: { reference: 'r' } },
      { name: 'w', emptyDir: {} },
    ];
    const volumeMounts = volumes.map(({ name }) => ({ name, mountPath: `/${name}` }));
    const { spec } = (await made(off, pod, runs({ volumes }, { volumeMounts }))) as { spec: never };
    expect([at(spec, 'volumes'), at(spec, 'containers.0.volumeMounts')]).toEqual([
      [{ name: 'w', emptyDir: {} }],
      [{ name: 'w', mountPath: '/w' }],
    ]);
  });

  it('ImageVolume: lists that are then empty are not stored', async () => {
    await using off = await openServer();
    const volumes = [{ name: 'v', image: { reference: 'r' } }];
    const volumeMounts = [{ name: 'v', mountPath: '/v' }];
    const { spec } = (await made(off, pod, runs({ volumes }, { volumeMounts }))) as { spec: never };
    expect([at(spec, 'volumes'), at(spec, 'containers.0.volumeMounts')]).toEqual([undefined, undefined]);
  });

  it('JobBackoffLimitPerIndex: rules by which single indexes fail are dropped with it', async () => {
    await using off = await openServer({ featureGates: { JobBackoffLimitPerIndex: false } });
    const stored = await made(off, job, jobOf({ ...indexed, podFailurePolicy: { rules: [failing, ignoring] } }));
    expect(at(stored, 'spec.podFailurePolicy.rules')).toMatchObject([{ action: 'Ignore' }]);
  });

  it('JobManagedBy: the status of a job must be consistent', async () => {
    for (const [on, message] of [
      [false, 'done'],
      [true, 'startTime is required for finished job'],
    ] as const) {
      await using server = await openServer({ featureGates: { JobManagedBy: on } });
      await made(server, job, jobOf({}));
      const status = { conditions: [{ type: 'Failed', status: 'True' }], active: 1, ready: 2 };
      const said = await messageOf(server.client().patch(job, 'a', patchOf({ status }), ofStatus));
      expect(said).toContain(message);
      if (on) expect(said).toContain('cannot set more ready pods than active');
    }
  });

  it('JobManagedBy: the manager of a job is immutable, whether the gate is on or off', async () => {
    await using off = await openServer();
    await made(off, job, jobOf({}));
    const change = patchOf({ spec: { managedBy: 'example.com/me' } });
    expect(await messageOf(off.client().patch(job, 'a', change, WHERE))).toContain('spec.managedBy');
  });

  it('InPlacePodVerticalScaling: resources of containers may change, and the status says whether a resize is pending', async () => {
    const sized = (cpu: string) => runs({}, { resources: { requests: { cpu }, limits: { memory: '1Gi' } } });
    await using off = await openServer();
    await made(off, pod, sized('1'));
    const larger = patchOf(sized('2'));
    expect(await messageOf(off.client().patch(pod, 'a', larger, WHERE))).toContain('pod updates may not change fields');
    await using on = await withGates('InPlacePodVerticalScaling');
    const stored = await made(on, pod, sized('1'));
    expect(at(stored, 'spec.containers.0.resizePolicy')).toEqual(
      ['cpu', 'memory'].map((resourceName) => ({ resourceName, restartPolicy: 'NotRequired' })),
    );
    const state = {
      name: 'c',
      ready: true,
      restartCount: 0,
      image: 'i',
      imageID: '',
      allocatedResources: { cpu: '1' },
    };
    await on.client().patch(pod, 'a', patchOf({ status: { containerStatuses: [state] } }), ofStatus);
    expect(await on.client().patch(pod, 'a', larger, WHERE)).toMatchObject({ status: { resize: 'Proposed' } });
  });

  it('InPlacePodVerticalScaling: other resources may be added only where a container has none', async () => {
    await using on = await withGates('InPlacePodVerticalScaling', 'DynamicResourceAllocation');
    const change = async (before: object, resources: object) => {
      const name = `p${Object.keys(before).join('')}`;
      const object = { metadata: { name }, ...runs(claimed, { resources: before }) } as never;
      await on.client().create(pod, object, WHERE);
      return messageOf(on.client().patch(pod, name, patchOf(runs({}, { resources })), WHERE));
    };
    const claimed = { resourceClaims: [{ name: 'g', resourceClaimName: 'g' }] };
    const disk = { 'ephemeral-storage': '1Gi' };
    expect(await change({}, { requests: disk })).toBe('done');
    expect(await change({ requests: { cpu: '1' } }, { requests: disk })).toContain('may not change fields');
    // The claims of a container are compared without those of the new container, so each change of the pod is refused.
    expect(await change({ claims: [{ name: 'g' }] }, { requests: disk })).toContain('resources.claims');
  });

  it('RelaxedEnvironmentVariableValidation: nearly every name is valid, and so is one that was stored before', async () => {
    const named = (name: string) => runs({}, { env: [{ name, value: 'v' }] });
    await using off = await openServer();
    expect(await messageOf(made(off, pod, named('1 a')))).toContain(
      'a valid environment variable name must consist of',
    );
    await using on = await withGates('RelaxedEnvironmentVariableValidation');
    expect(await messageOf(made(on, pod, named('a=b')))).toContain("printable ASCII characters other than '='");
    await made(on, podTemplate, { template: template({}, { env: [{ name: '1 a' }] }) });
    await using later = await after(on, {});
    const image = patchOf({ template: template({}, { image: 'other', env: [{ name: '1 a' }] }) });
    expect(await messageOf(later.client().patch(podTemplate, 'a', image, WHERE))).toBe('done');
  });

  it('PodDeletionCost: an invalid cost is not an error while the gate is off', async () => {
    const annotations = { 'controller.kubernetes.io/pod-deletion-cost': 'dear' };
    const answers = [];
    for (const on of [false, true]) {
      await using server = await openServer({ featureGates: { PodDeletionCost: on } });
      const object = { metadata: { name: 'a', annotations }, ...runs() } as never;
      answers.push(await messageOf(server.client().create(pod, object, WHERE)));
    }
    expect(answers).toEqual(['done', expect.stringContaining('must be a 32bit integer')]);
  });

  it('RecoverVolumeExpansionFailure: a claim may be reduced again, but not below its capacity', async () => {
    await using on = await withGates('RecoverVolumeExpansionFailure');
    const client = on.client();
    await made(on, persistentVolumeClaim, { spec: size });
    const status = { phase: 'Bound', capacity: { storage: '1Gi' }, allocatedResources: { storage: '5Gi' } };
    const known = await client.patch(persistentVolumeClaim, 'a', patchOf({ status }), ofStatus);
    expect(known.status.allocatedResources).toEqual({ storage: '5Gi' });
    const requestSize = (storage: string) =>
      messageOf(
        client.patch(persistentVolumeClaim, 'a', patchOf({ spec: { resources: { requests: { storage } } } }), WHERE),
      );
    expect([await requestSize('5Gi'), await requestSize('2Gi')]).toEqual(['done', 'done']);
    expect(await requestSize('1Gi')).toContain('field can not be less than status.capacity');
  });

  it('VolumeAttributesClass: a bound claim may change its class, but not remove it', async () => {
    await using on = await withGates('VolumeAttributesClass');
    await made(on, persistentVolumeClaim, { spec: { ...size, volumeAttributesClassName: 'slow' } });
    const patch = (change: object, where: object = WHERE) =>
      messageOf(on.client().patch(persistentVolumeClaim, 'a', patchOf(change), where));
    await patch({ status: { phase: 'Bound' } }, ofStatus);
    expect(await patch({ spec: { volumeAttributesClassName: 'fast' } })).toBe('done');
    expect(await patch({ spec: { volumeAttributesClassName: null } })).toContain('from non-nil value to nil');
  });

  it('LoadBalancerIPMode, SupplementalGroupsPolicy, RecursiveReadOnlyMounts: fields of the status of services and nodes', async () => {
    await using off = await openServer({
      featureGates: { LoadBalancerIPMode: false, RecursiveReadOnlyMounts: false },
    });
    await made(off, service, { spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } });
    const status = { loadBalancer: { ingress: [{ ip: '1.2.3.4', ipMode: 'Proxy' }] } };
    const known = await off.client().patch(service, 'a', patchOf({ status }), ofStatus);
    expect(known.status.loadBalancer.ingress).toEqual([{ ip: '1.2.3.4' }]);
    const ofNode = { features: { supplementalGroupsPolicy: true }, runtimeHandlers: [{ name: 'r', features: {} }] };
    const kept = (await made(off, node, { status: ofNode })) as { status: object };
    expect(Object.keys(kept.status)).not.toEqual(expect.arrayContaining(['features']));
    expect(Object.keys(kept.status)).not.toEqual(expect.arrayContaining(['runtimeHandlers']));
  });

  it.each([
    [
      'UserNamespacesSupport',
      runs({ hostUsers: false, hostNetwork: true }),
      'spec.hostNetwork: Forbidden: when `pod.Spec.HostUsers` is false',
    ],
    [
      'SupplementalGroupsPolicy',
      runs({ securityContext: { supplementalGroupsPolicy: 'x' } }),
      'Unsupported value: "x": supported values: "Merge", "Strict"',
    ],
    [
      'DynamicResourceAllocation',
      runs({ resourceClaims: [{ name: 'g' }] }),
      'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
    ],
    [
      'DynamicResourceAllocation',
      runs({}, { resources: { claims: [{ name: 'g' }] } }),
      'must be one of the names in pod.spec.resourceClaims which is empty',
    ],
    ['ImageVolume', runs({ volumes: [{ name: 'v', image: {} }] }), 'spec.volumes[0].image.reference: Required value'],
    [
      'InPlacePodVerticalScaling',
      runs({ restartPolicy: 'Never' }, { resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] }),
      "must be 'NotRequired' when `restartPolicy` is 'Never'",
    ],
    [
      'ClusterTrustBundleProjection',
      runs({ volumes: [{ name: 'v', projected: { sources: [{ clusterTrustBundle: { path: 'p' } }] } }] }),
      'either name or signerName must be specified',
    ],
  ] as const)('%s: errors of the field are reported while the gate is on', async (gate, object, message) => {
    await using on = await withGates(gate);
    expect(await messageOf(made(on, pod, object))).toContain(message);
  });

  it('MaxUnavailableStatefulSet: one pod may be unavailable by default, and zero is refused', async () => {
    await using on = await withGates('MaxUnavailableStatefulSet');
    const stored = await made(on, statefulSet, setOf({}));
    expect(at(stored, 'spec.updateStrategy.rollingUpdate')).toEqual({ partition: 0, maxUnavailable: 1 });
    const none = patchOf({ spec: { updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } } });
    expect(await messageOf(on.client().patch(statefulSet, 'a', none, WHERE))).toContain('cannot be 0');
  });
});
