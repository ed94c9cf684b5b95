import { describe, expect, it } from 'vitest';
import {
  csiDriver,
  endpointSlice,
  job,
  lease,
  persistentVolume,
  persistentVolumeClaim,
  pod,
  podTemplate,
  service,
  statefulSet,
} from '../../../src/exports/kinds.js';
import type { ResourceDefinition } from '../../../src/index.js';
import type { FeatureGate } from '../../../src/meta/features/gates.js';
import {
  after,
  at,
  container,
  indexed,
  jobOf,
  made,
  openServer,
  placed,
  runs,
  setOf,
  size,
  template,
} from './gated-objects.js';

const spreads = (more: object) => ({
  topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'k', whenUnsatisfiable: 'ScheduleAnyway', ...more }],
});
const term = { topologyKey: 'k', labelSelector: { matchLabels: { a: 'b' } }, matchLabelKeys: ['x'] };

/** A kind with an object that has the field, the path of the field, and a change of the object that does not touch the field. */
const FIELDS: readonly [gate: FeatureGate, kind: ResourceDefinition<never>, object: object, path: string][] = [
  ['UserNamespacesSupport', pod, runs({ hostUsers: false }), 'spec.hostUsers'],
  [
    'SupplementalGroupsPolicy',
    pod,
    runs({ securityContext: { supplementalGroupsPolicy: 'Strict' } }),
    'spec.securityContext.supplementalGroupsPolicy',
  ],
  [
    'NodeInclusionPolicyInPodTopologySpread',
    pod,
    runs(spreads({ nodeTaintsPolicy: 'Honor' })),
    'spec.topologySpreadConstraints.0.nodeTaintsPolicy',
  ],
  [
    'NodeInclusionPolicyInPodTopologySpread',
    pod,
    runs(spreads({ nodeAffinityPolicy: 'Honor' })),
    'spec.topologySpreadConstraints.0.nodeAffinityPolicy',
  ],
  [
    'MatchLabelKeysInPodTopologySpread',
    pod,
    runs(spreads({ matchLabelKeys: ['x'], labelSelector: {} })),
    'spec.topologySpreadConstraints.0.matchLabelKeys',
  ],
  [
    'MatchLabelKeysInPodAffinity',
    pod,
    runs({ affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } }),
    'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution.0.matchLabelKeys',
  ],
  [
    'DynamicResourceAllocation',
    pod,
    runs({ resourceClaims: [{ name: 'gpu', resourceClaimName: 'g' }] }, { resources: { claims: [{ name: 'gpu' }] } }),
    'spec.containers.0.resources.claims',
  ],
  [
    'ClusterTrustBundleProjection',
    pod,
    runs({ volumes: [{ name: 'v', projected: { sources: [{ clusterTrustBundle: { name: 'b', path: 'p' } }] } }] }),
    'spec.volumes.0.projected.sources.0.clusterTrustBundle',
  ],
  [
    'InPlacePodVerticalScaling',
    pod,
    runs({}, { resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] }),
    'spec.containers.0.resizePolicy',
  ],
  [
    'SidecarContainers',
    pod,
    runs({ initContainers: [{ ...container, name: 'first', restartPolicy: 'Always' }] }),
    'spec.initContainers.0.restartPolicy',
  ],
  [
    'RecursiveReadOnlyMounts',
    pod,
    runs(
      { volumes: [{ name: 'v', emptyDir: {} }] },
      { volumeMounts: [{ name: 'v', mountPath: '/v', readOnly: true, recursiveReadOnly: 'Enabled' }] },
    ),
    'spec.containers.0.volumeMounts.0.recursiveReadOnly',
  ],
  [
    'PodLifecycleSleepAction',
    pod,
    runs({}, { lifecycle: { preStop: { sleep: { seconds: 1 } } } }),
    'spec.containers.0.lifecycle',
  ],
  ['ImageVolume', pod, runs({ volumes: [{ name: 'v', image: { reference: 'r' } }] }), 'spec.volumes.0.image'],
  ['UserNamespacesSupport', podTemplate, { template: template({ hostUsers: false }) }, 'template.spec.hostUsers'],
  [
    'UserNamespacesSupport',
    job,
    { spec: { template: template({ hostUsers: false }) } },
    'spec.template.spec.hostUsers',
  ],
  [
    'JobSuccessPolicy',
    job,
    jobOf({ completionMode: 'Indexed', completions: 2, successPolicy: { rules: [{ succeededCount: 1 }] } }),
    'spec.successPolicy',
  ],
  ['JobBackoffLimitPerIndex', job, jobOf(indexed), 'spec.backoffLimitPerIndex'],
  ['JobBackoffLimitPerIndex', job, jobOf({ ...indexed, maxFailedIndexes: 1 }), 'spec.maxFailedIndexes'],
  ['JobPodReplacementPolicy', job, jobOf({ podReplacementPolicy: 'Failed' }), 'spec.podReplacementPolicy'],
  ['JobManagedBy', job, jobOf({ managedBy: 'example.com/me' }), 'spec.managedBy'],
  [
    'StatefulSetAutoDeletePVC',
    statefulSet,
    setOf({ persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' } }),
    'spec.persistentVolumeClaimRetentionPolicy',
  ],
  [
    'MaxUnavailableStatefulSet',
    statefulSet,
    setOf({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } } }),
    'spec.updateStrategy.rollingUpdate.maxUnavailable',
  ],
  [
    'ServiceTrafficDistribution',
    service,
    { spec: { ports: [{ port: 80 }], trafficDistribution: 'PreferClose' } },
    'spec.trafficDistribution',
  ],
  [
    'VolumeAttributesClass',
    persistentVolume,
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        csi: { driver: 'd', volumeHandle: 'h' },
        volumeAttributesClassName: 'fast',
      },
    },
    'spec.volumeAttributesClassName',
  ],
  [
    'VolumeAttributesClass',
    persistentVolumeClaim,
    { spec: { ...size, volumeAttributesClassName: 'fast' } },
    'spec.volumeAttributesClassName',
  ],
  [
    'AnyVolumeDataSource',
    persistentVolumeClaim,
    { spec: { ...size, dataSourceRef: { apiGroup: 'example.com', kind: 'K', name: 'n' } } },
    'spec.dataSourceRef',
  ],
  [
    'CrossNamespaceVolumeDataSource',
    persistentVolumeClaim,
    { spec: { ...size, dataSourceRef: { apiGroup: 'example.com', kind: 'K', name: 'n', namespace: 'other' } } },
    'spec.dataSourceRef',
  ],
  ['SELinuxMountReadWriteOncePod', csiDriver, { spec: { seLinuxMount: true } }, 'spec.seLinuxMount'],
  [
    'TopologyAwareHints',
    endpointSlice,
    { addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'], hints: { forZones: [{ name: 'z' }] } }] },
    'endpoints.0.hints',
  ],
  ['CoordinatedLeaderElection', lease, { spec: { strategy: 'OldestEmulationVersion' } }, 'spec.strategy'],
  [
    'CoordinatedLeaderElection',
    lease,
    { spec: { strategy: 'example.com/mine', preferredHolder: 'me' } },
    'spec.preferredHolder',
  ],
];

describe.each(FIELDS)('%s', (gate, kind, object, path) => {
  it(`${kind.kind}: ${path} is stored while it is on, and is not while it is off`, async () => {
    await using on = await openServer({ featureGates: { [gate]: true } });
    await using off = await openServer({ featureGates: { [gate]: false } });
    expect(at(await made(on, kind, object), path)).toBeDefined();
    expect(at(await made(off, kind, object), path)).toBeUndefined();
  });

  it(`${kind.kind}: ${path} stays in objects that had it when it was switched off`, async () => {
    await using on = await openServer({ featureGates: { [gate]: true } });
    const before = at(await made(on, kind, object), path);
    await using off = await after(on, { [gate]: false });
    const change = { metadata: { labels: { changed: 'yes' } } } as never;
    const changed = await off.client().patch(kind, 'a', change, placed(kind));
    expect(at(changed, path)).toEqual(before);
  });
});
