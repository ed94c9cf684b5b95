import {
  always,
  listAtomic,
  listMap,
  listSet,
  omitEmpty,
  omitNull,
  required,
  string,
  time,
} from '../../../schema/authoring.js';
import { coreStruct, count, flag, long, resourceList, text } from '../../fragments/core-struct.js';

export const taint = coreStruct('Taint', 'Keeps pods away.', () => ({
  key: required(text, 1, 'Key of the taint.'),
  value: omitEmpty(text, 2, 'Value of the taint.'),
  effect: required(
    string<string>({ typeName: 'v1.TaintEffect', enum: ['NoExecute', 'NoSchedule', 'PreferNoSchedule'] }),
    3,
    'NoSchedule, PreferNoSchedule or NoExecute.',
  ),
  timeAdded: omitNull(time(), 4, 'When it was set.'),
}));

const configMapNodeConfigSource = coreStruct('ConfigMapNodeConfigSource', 'A config map; no longer used.', () => ({
  namespace: required(text, 1, 'Namespace of the config map.'),
  name: required(text, 2, 'Name of the config map.'),
  uid: omitEmpty(string({ typeName: 'types.UID' }), 3, 'Uid of the config map.'),
  resourceVersion: omitEmpty(text, 4, 'Version of the config map.'),
  kubeletConfigKey: required(text, 5, 'Key in the config map.'),
}));

const nodeConfigSource = coreStruct('NodeConfigSource', 'A source of configuration; no longer used.', () => ({
  configMap: omitNull(configMapNodeConfigSource, 2, 'A config map.'),
}));

export const nodeSpec = coreStruct('NodeSpec', 'The desired state of a node.', () => ({
  podCIDR: omitEmpty(text, 1, 'Addresses for its pods.'),
  podCIDRs: omitEmpty(listSet(text), 7, 'Addresses for its pods, by family.', { patchStrategy: ['merge'] }),
  providerID: omitEmpty(text, 3, 'Id at the provider.'),
  unschedulable: omitEmpty(flag, 4, 'Whether new pods are kept away.'),
  taints: omitEmpty(listAtomic(taint), 5, 'Taints of the node.'),
  configSource: omitNull(nodeConfigSource, 6, 'No longer used.'),
  externalID: omitEmpty(text, 2, 'No longer used.'),
}));

const nodeCondition = coreStruct('NodeCondition', 'Something about a node that is true or not.', () => ({
  type: required(string({ typeName: 'v1.NodeConditionType' }), 1, 'What the condition is about.'),
  status: required(string({ typeName: 'v1.ConditionStatus' }), 2, 'True, False or Unknown.'),
  lastHeartbeatTime: always(time(), 3, 'When it was last reported.'),
  lastTransitionTime: always(time(), 4, 'When the status last changed.'),
  reason: omitEmpty(text, 5, 'The reason, in one word.'),
  message: omitEmpty(text, 6, 'The reason, for people.'),
}));

const nodeAddress = coreStruct('NodeAddress', 'One address of a node.', () => ({
  type: required(string({ typeName: 'v1.NodeAddressType' }), 1, 'Hostname, InternalIP and the like.'),
  address: required(text, 2, 'The address.'),
}));

const daemonEndpoint = coreStruct('DaemonEndpoint', 'A port.', () => ({
  Port: required(count, 1, 'Number of the port.'),
}));

const nodeDaemonEndpoints = coreStruct('NodeDaemonEndpoints', "Ports of the node's own services.", () => ({
  kubeletEndpoint: always(daemonEndpoint, 1, "Port of the node's agent."),
}));

const nodeSystemInfo = coreStruct('NodeSystemInfo', 'What the node runs on.', () => ({
  machineID: required(text, 1, 'Id of the machine.'),
  systemUUID: required(text, 2, 'Id of the system.'),
  bootID: required(text, 3, 'Id of the boot.'),
  kernelVersion: required(text, 4, 'Version of the kernel.'),
  osImage: required(text, 5, "Name of the operating system's image."),
  containerRuntimeVersion: required(text, 6, 'Version of the container runtime.'),
  kubeletVersion: required(text, 7, "Version of the node's agent."),
  kubeProxyVersion: required(text, 8, "Version of the node's proxy."),
  operatingSystem: required(text, 9, 'Operating system.'),
  architecture: required(text, 10, 'Architecture.'),
}));

const containerImage = coreStruct('ContainerImage', 'An image on a node.', () => ({
  names: omitEmpty(listAtomic(text), 1, 'Names of the image.'),
  sizeBytes: omitEmpty(long, 2, 'Its size.'),
}));

const attachedVolume = coreStruct('AttachedVolume', 'A volume attached to a node.', () => ({
  name: required(string({ typeName: 'v1.UniqueVolumeName' }), 1, 'Name of the volume.'),
  devicePath: required(text, 2, 'Path of the device.'),
}));

const nodeConfigStatus = coreStruct('NodeConfigStatus', 'Which configuration is used; no longer set.', () => ({
  assigned: omitNull(nodeConfigSource, 1, 'The desired configuration.'),
  active: omitNull(nodeConfigSource, 2, 'The configuration in use.'),
  lastKnownGood: omitNull(nodeConfigSource, 3, 'The configuration to fall back to.'),
  error: omitEmpty(text, 4, 'The problem.'),
}));

const nodeRuntimeHandlerFeatures = coreStruct('NodeRuntimeHandlerFeatures', 'What a runtime handler can do.', () => ({
  recursiveReadOnlyMounts: omitNull(flag, 1, 'Recursive read-only mounts.'),
  userNamespaces: omitNull(flag, 2, 'User namespaces.'),
}));

const nodeRuntimeHandler = coreStruct('NodeRuntimeHandler', 'A way to run containers.', () => ({
  name: omitEmpty(text, 1, 'Name of the handler.', { default: '' }),
  features: omitNull(nodeRuntimeHandlerFeatures, 2, 'What it can do.'),
}));

const nodeFeatures = coreStruct('NodeFeatures', 'What the container runtime can do.', () => ({
  supplementalGroupsPolicy: omitNull(flag, 1, 'Policies for supplemental groups.'),
}));

export const nodeStatus = coreStruct('NodeStatus', 'The observed state of a node.', () => ({
  capacity: omitEmpty(resourceList, 1, 'All resources of the node.'),
  allocatable: omitEmpty(resourceList, 2, 'The resources that pods can use.'),
  phase: omitEmpty(
    string({ typeName: 'v1.NodePhase', enum: ['Pending', 'Running', 'Terminated'] }),
    3,
    'No longer set.',
  ),
  conditions: omitEmpty(listMap(nodeCondition, ['type']), 4, 'Its conditions.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'type',
  }),
  addresses: omitEmpty(listMap(nodeAddress, ['type']), 5, 'Its addresses.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'type',
  }),
  daemonEndpoints: always(nodeDaemonEndpoints, 6, 'Ports of its own services.'),
  nodeInfo: always(nodeSystemInfo, 7, 'What it runs on.'),
  images: omitEmpty(listAtomic(containerImage), 8, 'Images on it.'),
  volumesInUse: omitEmpty(listAtomic(string({ typeName: 'v1.UniqueVolumeName' })), 9, 'Volumes in use.'),
  volumesAttached: omitEmpty(listAtomic(attachedVolume), 10, 'Volumes attached.'),
  config: omitNull(nodeConfigStatus, 11, 'No longer set.'),
  runtimeHandlers: omitEmpty(listAtomic(nodeRuntimeHandler), 12, 'Ways to run containers.'),
  features: omitNull(nodeFeatures, 13, 'What the container runtime can do.'),
}));
