import {
  always,
  listAtomic,
  listMap,
  listSet,
  map,
  omitEmpty,
  omitNull,
  quantity,
  required,
  string,
  time,
} from '../../../schema/authoring.js';
import { coreStruct, count, flag, long, text } from '../../fragments/core-struct.js';

const taint = coreStruct('Taint', 'Keeps pods away.', {
  key: required(text, 'Key of the taint.'),
  value: omitEmpty(text, 'Value of the taint.'),
  effect: required(string({ typeName: 'v1.TaintEffect' }), 'NoSchedule, PreferNoSchedule or NoExecute.'),
  timeAdded: omitNull(time(), 'When it was set.'),
});

const configMapNodeConfigSource = coreStruct('ConfigMapNodeConfigSource', 'A config map; no longer used.', {
  namespace: required(text, 'Namespace of the config map.'),
  name: required(text, 'Name of the config map.'),
  uid: omitEmpty(string({ typeName: 'types.UID' }), 'Uid of the config map.'),
  resourceVersion: omitEmpty(text, 'Version of the config map.'),
  kubeletConfigKey: required(text, 'Key in the config map.'),
});

const nodeConfigSource = coreStruct('NodeConfigSource', 'A source of configuration; no longer used.', {
  configMap: omitNull(configMapNodeConfigSource, 'A config map.'),
});

export const nodeSpec = coreStruct('NodeSpec', 'The desired state of a node.', {
  podCIDR: omitEmpty(text, 'Addresses for its pods.'),
  podCIDRs: omitEmpty(listSet(text), 'Addresses for its pods, by family.', { patchStrategy: ['merge'] }),
  providerID: omitEmpty(text, 'Id at the provider.'),
  unschedulable: omitEmpty(flag, 'Whether new pods are kept away.'),
  taints: omitEmpty(listAtomic(taint), 'Taints of the node.'),
  configSource: omitNull(nodeConfigSource, 'No longer used.'),
  externalID: omitEmpty(text, 'No longer used.'),
});

const nodeCondition = coreStruct('NodeCondition', 'Something about a node that is true or not.', {
  type: required(string({ typeName: 'v1.NodeConditionType' }), 'What the condition is about.'),
  status: required(string({ typeName: 'v1.ConditionStatus' }), 'True, False or Unknown.'),
  lastHeartbeatTime: always(time(), 'When it was last reported.'),
  lastTransitionTime: always(time(), 'When the status last changed.'),
  reason: omitEmpty(text, 'The reason, in one word.'),
  message: omitEmpty(text, 'The reason, for people.'),
});

const nodeAddress = coreStruct('NodeAddress', 'One address of a node.', {
  type: required(string({ typeName: 'v1.NodeAddressType' }), 'Hostname, InternalIP and the like.'),
  address: required(text, 'The address.'),
});

const daemonEndpoint = coreStruct('DaemonEndpoint', 'A port.', {
  Port: required(count, 'Number of the port.'),
});

const nodeDaemonEndpoints = coreStruct('NodeDaemonEndpoints', "Ports of the node's own services.", {
  kubeletEndpoint: always(daemonEndpoint, "Port of the node's agent."),
});

const nodeSystemInfo = coreStruct('NodeSystemInfo', 'What the node runs on.', {
  machineID: required(text, 'Id of the machine.'),
  systemUUID: required(text, 'Id of the system.'),
  bootID: required(text, 'Id of the boot.'),
  kernelVersion: required(text, 'Version of the kernel.'),
  osImage: required(text, "Name of the operating system's image."),
  containerRuntimeVersion: required(text, 'Version of the container runtime.'),
  kubeletVersion: required(text, "Version of the node's agent."),
  kubeProxyVersion: required(text, "Version of the node's proxy."),
  operatingSystem: required(text, 'Operating system.'),
  architecture: required(text, 'Architecture.'),
});

const containerImage = coreStruct('ContainerImage', 'An image on a node.', {
  names: omitEmpty(listAtomic(text), 'Names of the image.'),
  sizeBytes: omitEmpty(long, 'Its size.'),
});

const attachedVolume = coreStruct('AttachedVolume', 'A volume attached to a node.', {
  name: required(string({ typeName: 'v1.UniqueVolumeName' }), 'Name of the volume.'),
  devicePath: required(text, 'Path of the device.'),
});

const nodeConfigStatus = coreStruct('NodeConfigStatus', 'Which configuration is used; no longer set.', {
  assigned: omitNull(nodeConfigSource, 'The desired configuration.'),
  active: omitNull(nodeConfigSource, 'The configuration in use.'),
  lastKnownGood: omitNull(nodeConfigSource, 'The configuration to fall back to.'),
  error: omitEmpty(text, 'The problem.'),
});

const nodeRuntimeHandlerFeatures = coreStruct('NodeRuntimeHandlerFeatures', 'What a runtime handler can do.', {
  recursiveReadOnlyMounts: omitNull(flag, 'Recursive read-only mounts.'),
  userNamespaces: omitNull(flag, 'User namespaces.'),
});

const nodeRuntimeHandler = coreStruct('NodeRuntimeHandler', 'A way to run containers.', {
  name: omitEmpty(text, 'Name of the handler.'),
  features: omitNull(nodeRuntimeHandlerFeatures, 'What it can do.'),
});

const nodeFeatures = coreStruct('NodeFeatures', 'What the container runtime can do.', {
  supplementalGroupsPolicy: omitNull(flag, 'Policies for supplemental groups.'),
});

export const nodeStatus = coreStruct('NodeStatus', 'The observed state of a node.', {
  capacity: omitEmpty(map(quantity()), 'All resources of the node.'),
  allocatable: omitEmpty(map(quantity()), 'The resources that pods can use.'),
  phase: omitEmpty(string({ typeName: 'v1.NodePhase' }), 'No longer set.'),
  conditions: omitEmpty(listMap(nodeCondition, ['type']), 'Its conditions.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'type',
  }),
  addresses: omitEmpty(listMap(nodeAddress, ['type']), 'Its addresses.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'type',
  }),
  daemonEndpoints: always(nodeDaemonEndpoints, 'Ports of its own services.'),
  nodeInfo: always(nodeSystemInfo, 'What it runs on.'),
  images: omitEmpty(listAtomic(containerImage), 'Images on it.'),
  volumesInUse: omitEmpty(listAtomic(string({ typeName: 'v1.UniqueVolumeName' })), 'Volumes in use.'),
  volumesAttached: omitEmpty(listAtomic(attachedVolume), 'Volumes attached.'),
  config: omitNull(nodeConfigStatus, 'No longer set.'),
  runtimeHandlers: omitEmpty(listAtomic(nodeRuntimeHandler), 'Ways to run containers.'),
  features: omitNull(nodeFeatures, 'What the container runtime can do.'),
});
