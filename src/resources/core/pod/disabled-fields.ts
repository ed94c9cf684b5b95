import type { FeatureGate } from '../../../meta/features/gates.js';
import { type GatedFields, gatedWithin } from '../../../registry/definitions/gated-fields.js';
import { originalOf } from '../../../registry/edit.js';
import type { Draft } from '../../../registry/strategy.js';
import type { Container, PodSpec } from '../core-v1.types.js';
import { containersThat } from './pod-containers.js';

interface Part {
  readonly spec: PodSpec;
}

const LISTS = ['initContainers', 'containers', 'ephemeralContainers'];
const inContainers = (...paths: readonly string[]) =>
  LISTS.flatMap((list) => paths.map((path) => `spec.${list}.${path}`));
const inStatuses = (...paths: readonly string[]) =>
  ['initContainerStatuses', 'containerStatuses', 'ephemeralContainerStatuses'].flatMap((list) =>
    paths.map((path) => `status.${list}.${path}`),
  );
const inAffinity = (name: string) =>
  ['podAffinity', 'podAntiAffinity'].flatMap((kind) => [
    `spec.affinity.${kind}.requiredDuringSchedulingIgnoredDuringExecution.${name}`,
    `spec.affinity.${kind}.preferredDuringSchedulingIgnoredDuringExecution.podAffinityTerm.${name}`,
  ]);
const inSpreads = (name: string) => [`spec.topologySpreadConstraints.${name}`];

const SLEEP = inContainers('lifecycle.preStop.sleep', 'lifecycle.postStart.sleep');
const RESIZE_POLICIES = ['spec.containers.resizePolicy'];
const RECURSIVE = inContainers('volumeMounts.recursiveReadOnly');
const GROUPS_POLICY = ['spec.securityContext.supplementalGroupsPolicy'];

const OF_SPEC: readonly GatedFields<never>[] = [
  { gate: 'UserNamespacesSupport', fields: ['spec.hostUsers'] },
  { gate: 'SupplementalGroupsPolicy', fields: GROUPS_POLICY },
  // As in upstream, the field is set to `Default` instead of being removed, because stored objects may contain `Default`.
  { gate: 'ProcMountType', fields: inContainers('securityContext.procMount'), instead: 'Default' },
  { gate: 'NodeInclusionPolicyInPodTopologySpread', fields: inSpreads('nodeTaintsPolicy') },
  { gate: 'NodeInclusionPolicyInPodTopologySpread', fields: inSpreads('nodeAffinityPolicy') },
  { gate: 'MatchLabelKeysInPodTopologySpread', fields: inSpreads('matchLabelKeys') },
  {
    gate: 'MatchLabelKeysInPodAffinity',
    fields: [...inAffinity('matchLabelKeys'), ...inAffinity('mismatchLabelKeys')],
  },
  {
    gate: 'DynamicResourceAllocation',
    fields: ['spec.resourceClaims', ...inContainers('resources.claims')],
    usedBy: ['spec.resourceClaims'],
  },
  { gate: 'ClusterTrustBundleProjection', fields: ['spec.volumes.projected.sources.clusterTrustBundle'] },
  { gate: 'InPlacePodVerticalScaling', fields: inContainers('resizePolicy'), usedBy: RESIZE_POLICIES },
  { gate: 'SidecarContainers', fields: ['spec.initContainers.restartPolicy'] },
  { gate: 'RecursiveReadOnlyMounts', fields: RECURSIVE },
  { gate: 'PodLifecycleSleepAction', fields: SLEEP, drop: dropSleep },
  { gate: 'ImageVolume', fields: ['spec.volumes.image'], drop: dropImageVolumes },
];

const ofStatus = (gate: FeatureGate, fields: readonly string[], usedBy: readonly string[]): GatedFields => ({
  gate,
  fields,
  usedBy,
  ofStatus: true,
});
const OF_STATUS: readonly GatedFields[] = [
  ofStatus(
    'InPlacePodVerticalScaling',
    ['status.resize', ...inStatuses('resources', 'allocatedResources')],
    RESIZE_POLICIES,
  ),
  ofStatus('DynamicResourceAllocation', ['status.resourceClaimStatuses'], ['spec.resourceClaims']),
  ofStatus('RecursiveReadOnlyMounts', inStatuses('volumeMounts'), RECURSIVE),
  ofStatus('SupplementalGroupsPolicy', inStatuses('user'), GROUPS_POLICY),
  ofStatus('ResourceHealthStatus', inStatuses('allocatedResourcesStatus'), []),
];

/** The fields of pods that depend on feature gates. */
export const gatedOfPods: readonly GatedFields[] = [...OF_SPEC, ...OF_STATUS];

/** Returns the gated fields of the pod template at `path`. */
/* @__NO_SIDE_EFFECTS__ */
export const gatedOfTemplate = (path = 'spec.template'): readonly GatedFields[] => gatedWithin(path, OF_SPEC);

/** Removes sleep actions. Hooks that then have no action and lifecycles that then have no hooks are removed, too. */
function dropSleep({ spec }: Draft<Part>): void {
  const hooks = ['preStop', 'postStart'] as const;
  const sleeps = (container: object) => hooks.some((hook) => (container as Container).lifecycle?.[hook]?.sleep);
  for (const container of containersThat(spec, sleeps) as Iterable<Draft<Container>>) {
    for (const hook of hooks) {
      const handler = container.lifecycle?.[hook];
      if (handler?.sleep === undefined) continue;
      delete handler.sleep;
      if (Object.keys(handler).length === 0) delete container.lifecycle?.[hook];
    }
    if (Object.keys(container.lifecycle ?? {}).length === 0) delete container.lifecycle;
  }
}

/** Removes image volumes together with their mounts. Lists that are then empty are removed, too, because empty lists are not stored. */
function dropImageVolumes({ spec }: Draft<Part>): void {
  const volumes = originalOf(spec.volumes ?? []);
  const names = new Set(volumes.filter(({ image }) => image !== undefined).map(({ name }) => name));
  if (names.size === 0) return;
  const kept = volumes.filter(({ image }) => image === undefined);
  if (kept.length > 0) spec.volumes = kept;
  else delete spec.volumes;
  for (const container of containersThat(spec, ({ volumeMounts }) => volumeMounts !== undefined)) {
    const mounts = container.volumeMounts?.filter(({ name }) => !names.has(name)) ?? [];
    if (mounts.length > 0) container.volumeMounts = mounts;
    else delete container.volumeMounts;
  }
}
