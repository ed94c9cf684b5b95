import {
  atomicMap,
  listAtomic,
  listMap,
  map,
  type OutputOf,
  omitEmpty,
  omitNull,
  quantity,
  required,
  string,
} from '../../../schema/authoring.js';
import { coreStruct, count, flag, long, text } from '../../fragments/core-struct.js';
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

const sysctl = coreStruct('Sysctl', 'One kernel setting.', {
  name: required(text, 'Name of the setting.'),
  value: required(text, 'Its value.'),
});

const podSecurityContext = coreStruct('PodSecurityContext', 'Rights of all containers.', {
  seLinuxOptions: omitNull(seLinuxOptions, 'SELinux labels.'),
  windowsOptions: omitNull(windowsSecurityContextOptions, 'Settings of Windows.'),
  runAsUser: omitNull(long, 'User id of the processes.'),
  runAsGroup: omitNull(long, 'Group id of the processes.'),
  runAsNonRoot: omitNull(flag, 'Whether root is refused.'),
  supplementalGroups: omitEmpty(listAtomic(long), 'More groups of the processes.'),
  supplementalGroupsPolicy: omitNull(
    string({ typeName: 'v1.SupplementalGroupsPolicy' }),
    'The way groups of the image count.',
  ),
  fsGroup: omitNull(long, 'Group that owns the volumes.'),
  sysctls: omitEmpty(listAtomic(sysctl), 'Kernel settings.'),
  fsGroupChangePolicy: omitNull(
    string({ typeName: 'v1.PodFSGroupChangePolicy' }),
    "When the volumes' owner is changed.",
  ),
  seccompProfile: omitNull(seccompProfile, 'Which system calls are allowed.'),
  appArmorProfile: omitNull(appArmorProfile, 'What the processes may do.'),
});

const nodeSelectorRequirement = coreStruct('NodeSelectorRequirement', 'One requirement on a node.', {
  key: required(text, 'Key of the label or field.'),
  operator: required(string({ typeName: 'v1.NodeSelectorOperator' }), 'In, NotIn, Exists, DoesNotExist, Gt or Lt.'),
  values: omitEmpty(listAtomic(text), 'Values to compare with.'),
});

const nodeSelectorTerm = coreStruct(
  'NodeSelectorTerm',
  'Requirements that must all hold.',
  {
    matchExpressions: omitEmpty(listAtomic(nodeSelectorRequirement), 'On labels.'),
    matchFields: omitEmpty(listAtomic(nodeSelectorRequirement), 'On fields.'),
  },
  { mapType: 'atomic' },
);

const nodeSelector = coreStruct(
  'NodeSelector',
  'Terms of which one must hold.',
  {
    nodeSelectorTerms: required(listAtomic(nodeSelectorTerm), 'The terms.'),
  },
  { mapType: 'atomic' },
);

const preferredSchedulingTerm = coreStruct('PreferredSchedulingTerm', 'A wish for nodes.', {
  weight: required(count, 'From 1 to 100.'),
  preference: required(nodeSelectorTerm, 'The selected nodes.'),
});

const nodeAffinity = coreStruct('NodeAffinity', 'The selected nodes.', {
  requiredDuringSchedulingIgnoredDuringExecution: omitNull(nodeSelector, 'The requirements.'),
  preferredDuringSchedulingIgnoredDuringExecution: omitEmpty(
    listAtomic(preferredSchedulingTerm),
    'Weighted preferences.',
  ),
});

const podAffinityTerm = coreStruct('PodAffinityTerm', 'The selected pods and their topology.', {
  labelSelector: omitNull(labelSelector, 'Picks the pods.'),
  namespaces: omitEmpty(listAtomic(text), 'Namespaces of the pods.'),
  topologyKey: required(text, 'Label of nodes that are near each other.'),
  namespaceSelector: omitNull(labelSelector, 'Picks the namespaces.'),
  matchLabelKeys: omitEmpty(listAtomic(text), 'Labels that must be the same.'),
  mismatchLabelKeys: omitEmpty(listAtomic(text), 'Labels that must differ.'),
});

const weightedPodAffinityTerm = coreStruct('WeightedPodAffinityTerm', 'A wish for pods.', {
  weight: required(count, 'From 1 to 100.'),
  podAffinityTerm: required(podAffinityTerm, 'The selected pods.'),
});

const podAffinity = coreStruct('PodAffinity', 'Near which pods.', {
  requiredDuringSchedulingIgnoredDuringExecution: omitEmpty(listAtomic(podAffinityTerm), 'The requirements.'),
  preferredDuringSchedulingIgnoredDuringExecution: omitEmpty(
    listAtomic(weightedPodAffinityTerm),
    'Weighted preferences.',
  ),
});

const podAntiAffinity = coreStruct('PodAntiAffinity', 'Far from which pods.', {
  requiredDuringSchedulingIgnoredDuringExecution: omitEmpty(listAtomic(podAffinityTerm), 'The requirements.'),
  preferredDuringSchedulingIgnoredDuringExecution: omitEmpty(
    listAtomic(weightedPodAffinityTerm),
    'Weighted preferences.',
  ),
});

const affinity = coreStruct('Affinity', 'Scheduling rules of a pod.', {
  nodeAffinity: omitNull(nodeAffinity, 'On which nodes.'),
  podAffinity: omitNull(podAffinity, 'Near which pods.'),
  podAntiAffinity: omitNull(podAntiAffinity, 'Far from which pods.'),
});

const toleration = coreStruct('Toleration', 'A taint that the pod bears.', {
  key: omitEmpty(text, 'Key of the taint; empty for all.'),
  operator: omitEmpty(string({ typeName: 'v1.TolerationOperator' }), 'Exists or Equal.'),
  value: omitEmpty(text, 'Value of the taint.'),
  effect: omitEmpty(string({ typeName: 'v1.TaintEffect' }), 'Effect of the taint; empty for all.'),
  tolerationSeconds: omitNull(long, 'Seconds that NoExecute is tolerated.'),
});

const hostAlias = coreStruct('HostAlias', 'Host names of one address.', {
  ip: required(text, 'The address.'),
  hostnames: omitEmpty(listAtomic(text), 'The names.'),
});

const podDNSConfigOption = coreStruct('PodDNSConfigOption', 'One option of the resolver.', {
  name: omitEmpty(text, 'Name of the option.'),
  value: omitNull(text, 'Its value.'),
});

const podDNSConfig = coreStruct('PodDNSConfig', 'How names are resolved.', {
  nameservers: omitEmpty(listAtomic(text), 'Addresses of the servers.'),
  searches: omitEmpty(listAtomic(text), 'Domains to search.'),
  options: omitEmpty(listAtomic(podDNSConfigOption), 'Options of the resolver.'),
});

const podReadinessGate = coreStruct('PodReadinessGate', 'A condition that readiness depends on.', {
  conditionType: required(string({ typeName: 'v1.PodConditionType' }), 'Type of the condition.'),
});

const topologySpreadConstraint = coreStruct('TopologySpreadConstraint', 'Rules that spread similar pods.', {
  maxSkew: required(count, 'The largest difference between places.'),
  topologyKey: required(text, 'Label of nodes that count as one place.'),
  whenUnsatisfiable: required(
    string({ typeName: 'v1.UnsatisfiableConstraintAction' }),
    'DoNotSchedule or ScheduleAnyway.',
  ),
  labelSelector: omitNull(labelSelector, 'Picks the pods that count.'),
  minDomains: omitNull(count, 'The smallest number of places.'),
  nodeAffinityPolicy: omitNull(
    string({ typeName: 'v1.NodeInclusionPolicy' }),
    'Whether affinity limits the nodes that count.',
  ),
  nodeTaintsPolicy: omitNull(
    string({ typeName: 'v1.NodeInclusionPolicy' }),
    'Whether taints limit the nodes that count.',
  ),
  matchLabelKeys: omitEmpty(listAtomic(text), 'Labels that must be the same.'),
});

const podOS = coreStruct('PodOS', 'The operating system.', {
  name: required(string({ typeName: 'v1.OSName' }), 'linux or windows.'),
});

const podSchedulingGate = coreStruct('PodSchedulingGate', 'Something that scheduling waits for.', {
  name: required(text, 'Name of the gate.'),
});

const podResourceClaim = coreStruct('PodResourceClaim', 'A claim for devices.', {
  name: required(text, 'Name of the claim in the pod.'),
  resourceClaimName: omitNull(text, 'Name of an existing claim.'),
  resourceClaimTemplateName: omitNull(text, 'Name of a template to make one from.'),
});

export const podSpec = coreStruct('PodSpec', 'The desired state of a pod.', {
  volumes: omitEmpty(listMap(volume, ['name']), 'Folders that containers can mount.', {
    patchStrategy: ['merge', 'retainKeys'],
    patchMergeKey: 'name',
  }),
  initContainers: omitEmpty(listMap(container, ['name']), 'Containers that run before the others.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'name',
  }),
  containers: required(listMap(container, ['name']), 'The containers.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'name',
  }),
  ephemeralContainers: omitEmpty(listMap(ephemeralContainer, ['name']), 'Containers added to the running pod.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'name',
  }),
  restartPolicy: omitEmpty(string({ typeName: 'v1.RestartPolicy' }), 'Always, OnFailure or Never.'),
  terminationGracePeriodSeconds: omitNull(long, 'Seconds to stop in.'),
  activeDeadlineSeconds: omitNull(long, 'Seconds it may run.'),
  dnsPolicy: omitEmpty(string({ typeName: 'v1.DNSPolicy' }), 'How names are resolved.'),
  nodeSelector: omitEmpty(atomicMap(text), 'Labels its node must have.'),
  serviceAccountName: omitEmpty(text, 'Account it runs as.'),
  serviceAccount: omitEmpty(text, 'Old name of serviceAccountName.'),
  automountServiceAccountToken: omitNull(flag, 'Whether it gets a token without asking.'),
  nodeName: omitEmpty(text, 'Node it runs on.'),
  hostNetwork: omitEmpty(flag, "Whether it uses the node's network."),
  hostPID: omitEmpty(flag, "Whether it sees the node's processes."),
  hostIPC: omitEmpty(flag, "Whether it uses the node's IPC."),
  shareProcessNamespace: omitNull(flag, "Whether containers see each other's processes."),
  securityContext: omitNull(podSecurityContext, 'Rights of all containers.'),
  imagePullSecrets: omitEmpty(listMap(localObjectReference, ['name']), 'Secrets for pulling images.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'name',
  }),
  hostname: omitEmpty(text, 'Its host name.'),
  subdomain: omitEmpty(text, 'Its subdomain.'),
  affinity: omitNull(affinity, 'Scheduling rules.'),
  schedulerName: omitEmpty(text, 'Name of its scheduler.'),
  tolerations: omitEmpty(listAtomic(toleration), 'Taints it bears.'),
  hostAliases: omitEmpty(listMap(hostAlias, ['ip']), 'More host names.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'ip',
  }),
  priorityClassName: omitEmpty(text, 'Class of its priority.'),
  priority: omitNull(count, 'Its priority.'),
  dnsConfig: omitNull(podDNSConfig, 'How names are resolved.'),
  readinessGates: omitEmpty(listAtomic(podReadinessGate), 'Conditions that readiness depends on.'),
  runtimeClassName: omitNull(text, 'Class of the runtime.'),
  enableServiceLinks: omitNull(flag, 'Whether services show as variables.'),
  preemptionPolicy: omitNull(string({ typeName: 'v1.PreemptionPolicy' }), 'Whether it may push others out.'),
  overhead: omitEmpty(map(quantity()), 'Resources it needs beside its containers.'),
  topologySpreadConstraints: omitEmpty(
    listMap(topologySpreadConstraint, ['topologyKey', 'whenUnsatisfiable']),
    'Rules that spread similar pods.',
    { patchStrategy: ['merge'], patchMergeKey: 'topologyKey' },
  ),
  setHostnameAsFQDN: omitNull(flag, 'Whether its host name is its full name.'),
  os: omitNull(podOS, 'The operating system.'),
  hostUsers: omitNull(flag, "Whether it uses the node's users."),
  schedulingGates: omitEmpty(listMap(podSchedulingGate, ['name']), 'What scheduling waits for.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'name',
  }),
  resourceClaims: omitEmpty(listMap(podResourceClaim, ['name']), 'Claims for devices.', {
    patchStrategy: ['merge', 'retainKeys'],
    patchMergeKey: 'name',
  }),
});

export type PodSpec = OutputOf<typeof podSpec>;
