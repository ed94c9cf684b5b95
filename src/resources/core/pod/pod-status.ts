import {
  always,
  listAtomic,
  listMap,
  type OutputOf,
  omitEmpty,
  omitNull,
  required,
  string,
  type Typed,
  time,
} from '../../../schema/authoring.js';
import { coreStruct, count, flag, long, resourceList, text } from '../../fragments/core-struct.js';
import { resourceRequirements } from './pod-container.js';

const podCondition = coreStruct('PodCondition', 'Something about a pod that is true or not.', () => ({
  type: required(string({ typeName: 'v1.PodConditionType' }), 1, 'What the condition is about.'),
  status: required(string({ typeName: 'v1.ConditionStatus' }), 2, 'True, False or Unknown.'),
  lastProbeTime: always(time(), 3, 'When it was last looked at.'),
  lastTransitionTime: always(time(), 4, 'When the status last changed.'),
  reason: omitEmpty(text, 5, 'The reason, in one word.'),
  message: omitEmpty(text, 6, 'The reason, for people.'),
}));

export const hostIP = coreStruct('HostIP', 'An address of the node.', () => ({
  ip: required(text, 1, 'The address.'),
}));

export const podIP = coreStruct('PodIP', 'An address of the pod.', () => ({
  ip: required(text, 1, 'The address.'),
}));

export const hostIPs = listAtomic(hostIP);
export const podIPs = listMap(podIP, ['ip']);

const containerStateWaiting = coreStruct('ContainerStateWaiting', 'Not running yet.', () => ({
  reason: omitEmpty(text, 1, 'The reason, in one word.'),
  message: omitEmpty(text, 2, 'The reason, for people.'),
}));

const containerStateRunning = coreStruct('ContainerStateRunning', 'Running.', () => ({
  startedAt: always(time(), 1, 'Since when.'),
}));

const containerStateTerminated = coreStruct('ContainerStateTerminated', 'Ended.', () => ({
  exitCode: required(count, 1, 'Exit code.'),
  signal: omitEmpty(count, 2, 'Signal.'),
  reason: omitEmpty(text, 3, 'The reason, in one word.'),
  message: omitEmpty(text, 4, 'The reason, for people.'),
  startedAt: always(time(), 5, 'When it started.'),
  finishedAt: always(time(), 6, 'When it ended.'),
  containerID: omitEmpty(text, 7, 'Id of the container.'),
}));

const containerStateStruct = coreStruct('ContainerState', 'The state of a container.', () => ({
  waiting: omitNull(containerStateWaiting, 1, 'Not running yet.'),
  running: omitNull(containerStateRunning, 2, 'Running.'),
  terminated: omitNull(containerStateTerminated, 3, 'Ended.'),
}));
export interface ContainerState extends OutputOf<typeof containerStateStruct> {}
const containerState: Typed<ContainerState> = containerStateStruct;

const volumeMountStatus = coreStruct('VolumeMountStatus', 'The state of a mounted volume.', () => ({
  name: required(text, 1, 'Name of the volume.'),
  mountPath: required(text, 2, 'Path in the container.'),
  readOnly: omitEmpty(flag, 3, 'Whether it is read-only.'),
  recursiveReadOnly: omitNull(
    string({ typeName: 'v1.RecursiveReadOnlyMode' }),
    4,
    'Whether mounts below it are read-only too.',
  ),
}));

const linuxContainerUser = coreStruct('LinuxContainerUser', 'User and groups of the first process.', () => ({
  uid: required(long, 1, 'User id.'),
  gid: required(long, 2, 'Group id.'),
  supplementalGroups: omitEmpty(listAtomic(long), 3, 'More groups.'),
}));

const containerUser = coreStruct('ContainerUser', 'User of the first process.', () => ({
  linux: omitNull(linuxContainerUser, 1, 'On Linux.'),
}));

const resourceHealth = coreStruct('ResourceHealth', 'Health of one device.', () => ({
  resourceID: required(string({ typeName: 'v1.ResourceID' }), 1, 'Id of the device.'),
  health: omitEmpty(string({ typeName: 'v1.ResourceHealthStatus' }), 2, 'Healthy, Unhealthy or Unknown.'),
}));

const resourceStatus = coreStruct('ResourceStatus', 'Health of devices of one kind.', () => ({
  name: required(string({ typeName: 'v1.ResourceName' }), 1, 'Name of the resource.'),
  resources: omitEmpty(listMap(resourceHealth, ['resourceID']), 2, 'The devices.'),
}));

const containerStatusStruct = coreStruct('ContainerStatus', 'The observed state of a container.', () => ({
  name: required(text, 1, 'Name of the container.'),
  state: always(containerState, 2, 'The current state.'),
  lastState: always(containerState, 3, 'The previous state.'),
  ready: required(flag, 4, 'Whether it passes its readiness check.'),
  restartCount: required(count, 5, 'How often it was restarted.'),
  image: required(text, 6, 'Name of its image.'),
  imageID: required(text, 7, 'Id of its image.'),
  containerID: omitEmpty(text, 8, 'Id of the container.'),
  started: omitNull(flag, 9, 'Whether it has started.'),
  allocatedResources: omitEmpty(resourceList, 10, 'Amounts allocated on the node.'),
  resources: omitNull(resourceRequirements, 11, 'The observed state.'),
  volumeMounts: omitEmpty(listMap(volumeMountStatus, ['mountPath']), 12, 'States of mounted volumes.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'mountPath',
  }),
  user: omitNull(containerUser, 13, 'User of the first process.'),
  allocatedResourcesStatus: omitEmpty(listMap(resourceStatus, ['name']), 14, 'Health of its devices.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'name',
  }),
}));
export interface ContainerStatus extends OutputOf<typeof containerStatusStruct> {}
const containerStatus: Typed<ContainerStatus> = containerStatusStruct;

const podResourceClaimStatus = coreStruct('PodResourceClaimStatus', 'Name of the created claim.', () => ({
  name: required(text, 1, 'Name of the claim in the pod.'),
  resourceClaimName: omitNull(text, 2, 'Name of the claim.'),
}));

const podStatusStruct = coreStruct('PodStatus', 'The observed state of a pod.', () => ({
  phase: omitEmpty(
    string({ typeName: 'v1.PodPhase', enum: ['Failed', 'Pending', 'Running', 'Succeeded', 'Unknown'] }),
    1,
    'Pending, Running, Succeeded, Failed or Unknown.',
  ),
  conditions: omitEmpty(listMap(podCondition, ['type']), 2, 'Its conditions.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'type',
  }),
  message: omitEmpty(text, 3, 'The reason, for people.'),
  reason: omitEmpty(text, 4, 'The reason, in one word.'),
  nominatedNodeName: omitEmpty(text, 11, 'Node it may get once others have left.'),
  hostIP: omitEmpty(text, 5, 'Address of its node.'),
  hostIPs: omitEmpty(hostIPs, 16, 'Addresses of its node.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'ip',
  }),
  podIP: omitEmpty(text, 6, 'Its address.'),
  podIPs: omitEmpty(podIPs, 12, 'Its addresses.', { patchStrategy: ['merge'], patchMergeKey: 'ip' }),
  startTime: omitNull(time(), 7, 'When the node took it.'),
  initContainerStatuses: omitEmpty(listAtomic(containerStatus), 10, 'States of the init containers.'),
  containerStatuses: omitEmpty(listAtomic(containerStatus), 8, 'States of the containers.'),
  qosClass: omitEmpty(
    string({ typeName: 'v1.PodQOSClass', enum: ['BestEffort', 'Burstable', 'Guaranteed'] }),
    9,
    'Guaranteed, Burstable or BestEffort.',
  ),
  ephemeralContainerStatuses: omitEmpty(listAtomic(containerStatus), 13, 'States of the added containers.'),
  resize: omitEmpty(string({ typeName: 'v1.PodResizeStatus' }), 14, 'The progress of a resize.'),
  resourceClaimStatuses: omitEmpty(listMap(podResourceClaimStatus, ['name']), 15, 'Names of the created claims.', {
    patchStrategy: ['merge', 'retainKeys'],
    patchMergeKey: 'name',
  }),
}));
export interface PodStatus extends OutputOf<typeof podStatusStruct> {}
export const podStatus: Typed<PodStatus> = podStatusStruct;
