import {
  atomicMap,
  listAtomic,
  listMap,
  type OutputOf,
  omitEmpty,
  omitNull,
  required,
  string,
  type Typed,
} from '../../../schema/authoring.js';
import { coreStruct, count, flag, long, resourceList, text } from '../../fragments/core-struct.js';
import { labelSelector } from '../../fragments/label-selector.js';
import { localObjectReference } from '../../fragments/object-reference.js';
import {
  appArmorProfile,
  container,
  ephemeralContainer,
  seccompProfile,
  seLinuxOptions,
  windowsSecurityContextOptions,
} from './pod-container.js';
import { volume } from './pod-volume.js';

const sysctl = coreStruct('Sysctl', 'One kernel setting.', () => ({
  name: required(text, 1, 'Name of the setting.'),
  value: required(text, 2, 'Its value.'),
}));

const podSecurityContext = coreStruct('PodSecurityContext', 'Rights of all containers.', () => ({
  seLinuxOptions: omitNull(seLinuxOptions, 1, 'SELinux labels.'),
  windowsOptions: omitNull(windowsSecurityContextOptions, 8, 'Settings of Windows.'),
  runAsUser: omitNull(long, 2, 'User id of the processes.'),
  runAsGroup: omitNull(long, 6, 'Group id of the processes.'),
  runAsNonRoot: omitNull(flag, 3, 'Whether root is refused.'),
  supplementalGroups: omitEmpty(listAtomic(long), 4, 'More groups of the processes.'),
  supplementalGroupsPolicy: omitNull(
    string({ typeName: 'v1.SupplementalGroupsPolicy', enum: ['Merge', 'Strict'] }),
    12,
    'The way groups of the image count.',
  ),
  fsGroup: omitNull(long, 5, 'Group that owns the volumes.'),
  sysctls: omitEmpty(listAtomic(sysctl), 7, 'Kernel settings.'),
  fsGroupChangePolicy: omitNull(
    string({ typeName: 'v1.PodFSGroupChangePolicy', enum: ['Always', 'OnRootMismatch'] }),
    9,
    "When the volumes' owner is changed.",
  ),
  seccompProfile: omitNull(seccompProfile, 10, 'Which system calls are allowed.'),
  appArmorProfile: omitNull(appArmorProfile, 11, 'What the processes may do.'),
}));

const nodeSelectorRequirement = coreStruct('NodeSelectorRequirement', 'One requirement on a node.', () => ({
  key: required(text, 1, 'Key of the label or field.'),
  operator: required(
    string({ typeName: 'v1.NodeSelectorOperator', enum: ['DoesNotExist', 'Exists', 'Gt', 'In', 'Lt', 'NotIn'] }),
    2,
    'In, NotIn, Exists, DoesNotExist, Gt or Lt.',
  ),
  values: omitEmpty(listAtomic(text), 3, 'Values to compare with.'),
}));

const nodeSelectorTermStruct = coreStruct(
  'NodeSelectorTerm',
  'Requirements that must all hold.',
  () => ({
    matchExpressions: omitEmpty(listAtomic(nodeSelectorRequirement), 1, 'On labels.'),
    matchFields: omitEmpty(listAtomic(nodeSelectorRequirement), 2, 'On fields.'),
  }),
  { mapType: 'atomic' },
);
export interface NodeSelectorTerm extends OutputOf<typeof nodeSelectorTermStruct> {}
export const nodeSelectorTerm: Typed<NodeSelectorTerm> = nodeSelectorTermStruct;

export const nodeSelector = coreStruct(
  'NodeSelector',
  'Terms of which one must hold.',
  () => ({
    nodeSelectorTerms: required(listAtomic(nodeSelectorTerm), 1, 'The terms.'),
  }),
  { mapType: 'atomic' },
);

const preferredSchedulingTerm = coreStruct('PreferredSchedulingTerm', 'A wish for nodes.', () => ({
  weight: required(count, 1, 'From 1 to 100.'),
  preference: required(nodeSelectorTerm, 2, 'The selected nodes.'),
}));

const nodeAffinity = coreStruct('NodeAffinity', 'The selected nodes.', () => ({
  requiredDuringSchedulingIgnoredDuringExecution: omitNull(nodeSelector, 1, 'The requirements.'),
  preferredDuringSchedulingIgnoredDuringExecution: omitEmpty(
    listAtomic(preferredSchedulingTerm),
    2,
    'Weighted preferences.',
  ),
}));

const podAffinityTermStruct = coreStruct('PodAffinityTerm', 'The selected pods and their topology.', () => ({
  labelSelector: omitNull(labelSelector, 1, 'Picks the pods.'),
  namespaces: omitEmpty(listAtomic(text), 2, 'Namespaces of the pods.'),
  topologyKey: required(text, 3, 'Label of nodes that are near each other.'),
  namespaceSelector: omitNull(labelSelector, 4, 'Picks the namespaces.'),
  matchLabelKeys: omitEmpty(listAtomic(text), 5, 'Labels that must be the same.'),
  mismatchLabelKeys: omitEmpty(listAtomic(text), 6, 'Labels that must differ.'),
}));
export interface PodAffinityTerm extends OutputOf<typeof podAffinityTermStruct> {}
const podAffinityTerm: Typed<PodAffinityTerm> = podAffinityTermStruct;

const weightedPodAffinityTerm = coreStruct('WeightedPodAffinityTerm', 'A wish for pods.', () => ({
  weight: required(count, 1, 'From 1 to 100.'),
  podAffinityTerm: required(podAffinityTerm, 2, 'The selected pods.'),
}));

const podAffinity = coreStruct('PodAffinity', 'Near which pods.', () => ({
  requiredDuringSchedulingIgnoredDuringExecution: omitEmpty(listAtomic(podAffinityTerm), 1, 'The requirements.'),
  preferredDuringSchedulingIgnoredDuringExecution: omitEmpty(
    listAtomic(weightedPodAffinityTerm),
    2,
    'Weighted preferences.',
  ),
}));

const podAntiAffinity = coreStruct('PodAntiAffinity', 'Far from which pods.', () => ({
  requiredDuringSchedulingIgnoredDuringExecution: omitEmpty(listAtomic(podAffinityTerm), 1, 'The requirements.'),
  preferredDuringSchedulingIgnoredDuringExecution: omitEmpty(
    listAtomic(weightedPodAffinityTerm),
    2,
    'Weighted preferences.',
  ),
}));

const affinityStruct = coreStruct('Affinity', 'Scheduling rules of a pod.', () => ({
  nodeAffinity: omitNull(nodeAffinity, 1, 'On which nodes.'),
  podAffinity: omitNull(podAffinity, 2, 'Near which pods.'),
  podAntiAffinity: omitNull(podAntiAffinity, 3, 'Far from which pods.'),
}));
export interface Affinity extends OutputOf<typeof affinityStruct> {}
const affinity: Typed<Affinity> = affinityStruct;

const tolerationStruct = coreStruct('Toleration', 'A taint that the pod bears.', () => ({
  key: omitEmpty(text, 1, 'Key of the taint; empty for all.'),
  operator: omitEmpty(
    string<string>({ typeName: 'v1.TolerationOperator', enum: ['Equal', 'Exists'] }),
    2,
    'Exists or Equal.',
  ),
  value: omitEmpty(text, 3, 'Value of the taint.'),
  effect: omitEmpty(
    string<string>({ typeName: 'v1.TaintEffect', enum: ['NoExecute', 'NoSchedule', 'PreferNoSchedule'] }),
    4,
    'Effect of the taint; empty for all.',
  ),
  tolerationSeconds: omitNull(long, 5, 'Seconds that NoExecute is tolerated.'),
}));
export interface Toleration extends OutputOf<typeof tolerationStruct> {}
export const toleration: Typed<Toleration> = tolerationStruct;

const hostAlias = coreStruct('HostAlias', 'Host names of one address.', () => ({
  ip: required(text, 1, 'The address.'),
  hostnames: omitEmpty(listAtomic(text), 2, 'The names.'),
}));

const podDNSConfigOption = coreStruct('PodDNSConfigOption', 'One option of the resolver.', () => ({
  name: omitEmpty(text, 1, 'Name of the option.'),
  value: omitNull(text, 2, 'Its value.'),
}));

const podDNSConfig = coreStruct('PodDNSConfig', 'How names are resolved.', () => ({
  nameservers: omitEmpty(listAtomic(text), 1, 'Addresses of the servers.'),
  searches: omitEmpty(listAtomic(text), 2, 'Domains to search.'),
  options: omitEmpty(listAtomic(podDNSConfigOption), 3, 'Options of the resolver.'),
}));

const podReadinessGate = coreStruct('PodReadinessGate', 'A condition that readiness depends on.', () => ({
  conditionType: required(string({ typeName: 'v1.PodConditionType' }), 1, 'Type of the condition.'),
}));

const topologySpreadConstraint = coreStruct('TopologySpreadConstraint', 'Rules that spread similar pods.', () => ({
  maxSkew: required(count, 1, 'The largest difference between places.'),
  topologyKey: required(text, 2, 'Label of nodes that count as one place.'),
  whenUnsatisfiable: required(
    string({ typeName: 'v1.UnsatisfiableConstraintAction', enum: ['DoNotSchedule', 'ScheduleAnyway'] }),
    3,
    'DoNotSchedule or ScheduleAnyway.',
  ),
  labelSelector: omitNull(labelSelector, 4, 'Picks the pods that count.'),
  minDomains: omitNull(count, 5, 'The smallest number of places.'),
  nodeAffinityPolicy: omitNull(
    string({ typeName: 'v1.NodeInclusionPolicy', enum: ['Honor', 'Ignore'] }),
    6,
    'Whether affinity limits the nodes that count.',
  ),
  nodeTaintsPolicy: omitNull(
    string({ typeName: 'v1.NodeInclusionPolicy', enum: ['Honor', 'Ignore'] }),
    7,
    'Whether taints limit the nodes that count.',
  ),
  matchLabelKeys: omitEmpty(listAtomic(text), 8, 'Labels that must be the same.'),
}));

const podOS = coreStruct('PodOS', 'The operating system.', () => ({
  name: required(string({ typeName: 'v1.OSName' }), 1, 'linux or windows.'),
}));

const podSchedulingGate = coreStruct('PodSchedulingGate', 'Something that scheduling waits for.', () => ({
  name: required(text, 1, 'Name of the gate.'),
}));

export const podResourceClaim = coreStruct('PodResourceClaim', 'A claim for devices.', () => ({
  name: required(text, 1, 'Name of the claim in the pod.'),
  resourceClaimName: omitNull(text, 3, 'Name of an existing claim.'),
  resourceClaimTemplateName: omitNull(text, 4, 'Name of a template to make one from.'),
}));

const podSpecStruct = coreStruct('PodSpec', 'The desired state of a pod.', () => ({
  volumes: omitEmpty(listMap(volume, ['name']), 1, 'Folders that containers can mount.', {
    patchStrategy: ['merge', 'retainKeys'],
    patchMergeKey: 'name',
  }),
  initContainers: omitEmpty(listMap(container, ['name']), 20, 'Containers that run before the others.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'name',
  }),
  containers: required(listMap(container, ['name']), 2, 'The containers.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'name',
  }),
  ephemeralContainers: omitEmpty(listMap(ephemeralContainer, ['name']), 34, 'Containers added to the running pod.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'name',
  }),
  restartPolicy: omitEmpty(
    string({ typeName: 'v1.RestartPolicy', enum: ['Always', 'Never', 'OnFailure'] }),
    3,
    'Always, OnFailure or Never.',
  ),
  terminationGracePeriodSeconds: omitNull(long, 4, 'Seconds to stop in.'),
  activeDeadlineSeconds: omitNull(long, 5, 'Seconds it may run.'),
  dnsPolicy: omitEmpty(
    string({ typeName: 'v1.DNSPolicy', enum: ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'] }),
    6,
    'How names are resolved.',
  ),
  nodeSelector: omitEmpty(atomicMap(text), 7, 'Labels its node must have.'),
  serviceAccountName: omitEmpty(text, 8, 'Account it runs as.'),
  serviceAccount: omitEmpty(text, 9, 'Old name of serviceAccountName.'),
  automountServiceAccountToken: omitNull(flag, 21, 'Whether it gets a token without asking.'),
  nodeName: omitEmpty(text, 10, 'Node it runs on.'),
  hostNetwork: omitEmpty(flag, 11, "Whether it uses the node's network."),
  hostPID: omitEmpty(flag, 12, "Whether it sees the node's processes."),
  hostIPC: omitEmpty(flag, 13, "Whether it uses the node's IPC."),
  shareProcessNamespace: omitNull(flag, 27, "Whether containers see each other's processes."),
  securityContext: omitNull(podSecurityContext, 14, 'Rights of all containers.'),
  imagePullSecrets: omitEmpty(listMap(localObjectReference, ['name']), 15, 'Secrets for pulling images.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'name',
  }),
  hostname: omitEmpty(text, 16, 'Its host name.'),
  subdomain: omitEmpty(text, 17, 'Its subdomain.'),
  affinity: omitNull(affinity, 18, 'Scheduling rules.'),
  schedulerName: omitEmpty(text, 19, 'Name of its scheduler.'),
  tolerations: omitEmpty(listAtomic(toleration), 22, 'Taints it bears.'),
  hostAliases: omitEmpty(listMap(hostAlias, ['ip']), 23, 'More host names.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'ip',
  }),
  priorityClassName: omitEmpty(text, 24, 'Class of its priority.'),
  priority: omitNull(count, 25, 'Its priority.'),
  dnsConfig: omitNull(podDNSConfig, 26, 'How names are resolved.'),
  readinessGates: omitEmpty(listAtomic(podReadinessGate), 28, 'Conditions that readiness depends on.'),
  runtimeClassName: omitNull(text, 29, 'Class of the runtime.'),
  enableServiceLinks: omitNull(flag, 30, 'Whether services show as variables.'),
  preemptionPolicy: omitNull(
    string({ typeName: 'v1.PreemptionPolicy', enum: ['Never', 'PreemptLowerPriority'] }),
    31,
    'Whether it may push others out.',
  ),
  overhead: omitEmpty(resourceList, 32, 'Resources it needs beside its containers.'),
  topologySpreadConstraints: omitEmpty(
    listMap(topologySpreadConstraint, ['topologyKey', 'whenUnsatisfiable']),
    33,
    'Rules that spread similar pods.',
    { patchStrategy: ['merge'], patchMergeKey: 'topologyKey' },
  ),
  setHostnameAsFQDN: omitNull(flag, 35, 'Whether its host name is its full name.'),
  os: omitNull(podOS, 36, 'The operating system.'),
  hostUsers: omitNull(flag, 37, "Whether it uses the node's users."),
  schedulingGates: omitEmpty(listMap(podSchedulingGate, ['name']), 38, 'What scheduling waits for.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'name',
  }),
  resourceClaims: omitEmpty(listMap(podResourceClaim, ['name']), 39, 'Claims for devices.', {
    patchStrategy: ['merge', 'retainKeys'],
    patchMergeKey: 'name',
  }),
}));
export interface PodSpec extends OutputOf<typeof podSpecStruct> {}
export const podSpec: Typed<PodSpec> = podSpecStruct;
