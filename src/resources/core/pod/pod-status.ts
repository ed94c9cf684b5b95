import {
  always,
  listAtomic,
  listMap,
  map,
  type OutputOf,
  omitEmpty,
  omitNull,
  quantity,
  required,
  string,
  time,
} from '../../../schema/authoring.js';
import { coreStruct, count, flag, long, text } from '../../fragments/core-struct.js';
import { resourceRequirements } from './pod-container.js';

const podCondition = coreStruct('PodCondition', 'Something about a pod that is true or not.', {
  type: required(string({ typeName: 'v1.PodConditionType' }), 'What the condition is about.'),
  status: required(string({ typeName: 'v1.ConditionStatus' }), 'True, False or Unknown.'),
  lastProbeTime: always(time(), 'When it was last looked at.'),
  lastTransitionTime: always(time(), 'When the status last changed.'),
  reason: omitEmpty(text, 'The reason, in one word.'),
  message: omitEmpty(text, 'The reason, for people.'),
});

const hostIP = coreStruct('HostIP', 'An address of the node.', {
  ip: required(text, 'The address.'),
});

const podIP = coreStruct('PodIP', 'An address of the pod.', {
  ip: required(text, 'The address.'),
});

const containerStateWaiting = coreStruct('ContainerStateWaiting', 'Not running yet.', {
  reason: omitEmpty(text, 'The reason, in one word.'),
  message: omitEmpty(text, 'The reason, for people.'),
});

const containerStateRunning = coreStruct('ContainerStateRunning', 'Running.', {
  startedAt: always(time(), 'Since when.'),
});

const containerStateTerminated = coreStruct('ContainerStateTerminated', 'Ended.', {
  exitCode: required(count, 'Exit code.'),
  signal: omitEmpty(count, 'Signal.'),
  reason: omitEmpty(text, 'The reason, in one word.'),
  message: omitEmpty(text, 'The reason, for people.'),
  startedAt: always(time(), 'When it started.'),
  finishedAt: always(time(), 'When it ended.'),
  containerID: omitEmpty(text, 'Id of the container.'),
});

const containerState = coreStruct('ContainerState', 'The state of a container.', {
  waiting: omitNull(containerStateWaiting, 'Not running yet.'),
  running: omitNull(containerStateRunning, 'Running.'),
  terminated: omitNull(containerStateTerminated, 'Ended.'),
});

const volumeMountStatus = coreStruct('VolumeMountStatus', 'The state of a mounted volume.', {
  name: required(text, 'Name of the volume.'),
  mountPath: required(text, 'Path in the container.'),
  readOnly: omitEmpty(flag, 'Whether it is read-only.'),
  recursiveReadOnly: omitNull(
    string({ typeName: 'v1.RecursiveReadOnlyMode' }),
    'Whether mounts below it are read-only too.',
  ),
});

const linuxContainerUser = coreStruct('LinuxContainerUser', 'User and groups of the first process.', {
  uid: required(long, 'User id.'),
  gid: required(long, 'Group id.'),
  supplementalGroups: omitEmpty(listAtomic(long), 'More groups.'),
});

const containerUser = coreStruct('ContainerUser', 'User of the first process.', {
  linux: omitNull(linuxContainerUser, 'On Linux.'),
});

const resourceHealth = coreStruct('ResourceHealth', 'Health of one device.', {
  resourceID: required(string({ typeName: 'v1.ResourceID' }), 'Id of the device.'),
  health: omitEmpty(string({ typeName: 'v1.ResourceHealthStatus' }), 'Healthy, Unhealthy or Unknown.'),
});

const resourceStatus = coreStruct('ResourceStatus', 'Health of devices of one kind.', {
  name: required(string({ typeName: 'v1.ResourceName' }), 'Name of the resource.'),
  resources: omitEmpty(listMap(resourceHealth, ['resourceID']), 'The devices.'),
});

const containerStatus = coreStruct('ContainerStatus', 'The observed state of a container.', {
  name: required(text, 'Name of the container.'),
  state: always(containerState, 'The current state.'),
  lastState: always(containerState, 'The previous state.'),
  ready: required(flag, 'Whether it passes its readiness check.'),
  restartCount: required(count, 'How often it was restarted.'),
  image: required(text, 'Name of its image.'),
  imageID: required(text, 'Id of its image.'),
  containerID: omitEmpty(text, 'Id of the container.'),
  started: omitNull(flag, 'Whether it has started.'),
  allocatedResources: omitEmpty(map(quantity()), 'Amounts allocated on the node.'),
  resources: omitNull(resourceRequirements, 'The observed state.'),
  volumeMounts: omitEmpty(listMap(volumeMountStatus, ['mountPath']), 'States of mounted volumes.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'mountPath',
  }),
  user: omitNull(containerUser, 'User of the first process.'),
  allocatedResourcesStatus: omitEmpty(listMap(resourceStatus, ['name']), 'Health of its devices.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'name',
  }),
});

const podResourceClaimStatus = coreStruct('PodResourceClaimStatus', 'Name of the created claim.', {
  name: required(text, 'Name of the claim in the pod.'),
  resourceClaimName: omitNull(text, 'Name of the claim.'),
});

export const podStatus = coreStruct('PodStatus', 'The observed state of a pod.', {
  phase: omitEmpty(string({ typeName: 'v1.PodPhase' }), 'Pending, Running, Succeeded, Failed or Unknown.'),
  conditions: omitEmpty(listMap(podCondition, ['type']), 'Its conditions.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'type',
  }),
  message: omitEmpty(text, 'The reason, for people.'),
  reason: omitEmpty(text, 'The reason, in one word.'),
  nominatedNodeName: omitEmpty(text, 'Node it may get once others have left.'),
  hostIP: omitEmpty(text, 'Address of its node.'),
  hostIPs: omitEmpty(listAtomic(hostIP), 'Addresses of its node.', { patchStrategy: ['merge'], patchMergeKey: 'ip' }),
  podIP: omitEmpty(text, 'Its address.'),
  podIPs: omitEmpty(listMap(podIP, ['ip']), 'Its addresses.', { patchStrategy: ['merge'], patchMergeKey: 'ip' }),
  startTime: omitNull(time(), 'When the node took it.'),
  initContainerStatuses: omitEmpty(listAtomic(containerStatus), 'States of the init containers.'),
  containerStatuses: omitEmpty(listAtomic(containerStatus), 'States of the containers.'),
  qosClass: omitEmpty(string({ typeName: 'v1.PodQOSClass' }), 'Guaranteed, Burstable or BestEffort.'),
  ephemeralContainerStatuses: omitEmpty(listAtomic(containerStatus), 'States of the added containers.'),
  resize: omitEmpty(string({ typeName: 'v1.PodResizeStatus' }), 'The progress of a resize.'),
  resourceClaimStatuses: omitEmpty(listMap(podResourceClaimStatus, ['name']), 'Names of the created claims.', {
    patchStrategy: ['merge', 'retainKeys'],
    patchMergeKey: 'name',
  }),
});

export type PodStatus = OutputOf<typeof podStatus>;
export type ContainerStatus = OutputOf<typeof containerStatus>;
