import {
  always,
  intOrString,
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
import { objectFieldSelector, resourceFieldSelector } from './pod-volume.js';

const containerPort = coreStruct('ContainerPort', 'A port that a container listens on.', {
  name: omitEmpty(text, 'Name of the port; unique in the pod.'),
  hostPort: omitEmpty(count, 'Port of the node.'),
  containerPort: required(count, 'Port of the container.'),
  protocol: omitEmpty(string({ typeName: 'v1.Protocol' }), 'TCP, UDP or SCTP.', { default: 'TCP' }),
  hostIP: omitEmpty(text, 'Address of the node.'),
});

const configMapEnvSource = coreStruct('ConfigMapEnvSource', 'All keys of a config map.', {
  name: omitEmpty(text, 'Name of the config map.', { default: '' }),
  optional: omitNull(flag, 'Whether the config map may be missing.'),
});

const secretEnvSource = coreStruct('SecretEnvSource', 'All keys of a secret.', {
  name: omitEmpty(text, 'Name of the secret.', { default: '' }),
  optional: omitNull(flag, 'Whether the secret may be missing.'),
});

const envFromSource = coreStruct('EnvFromSource', 'A source of many variables.', {
  prefix: omitEmpty(text, 'Prefix of each name.'),
  configMapRef: omitNull(configMapEnvSource, 'All keys of a config map.'),
  secretRef: omitNull(secretEnvSource, 'All keys of a secret.'),
});

const configMapKeySelector = coreStruct(
  'ConfigMapKeySelector',
  'One key of a config map.',
  {
    name: omitEmpty(text, 'Name of the config map.', { default: '' }),
    key: required(text, 'The key.'),
    optional: omitNull(flag, 'Whether the config map or key may be missing.'),
  },
  { mapType: 'atomic' },
);

const secretKeySelector = coreStruct(
  'SecretKeySelector',
  'One key of a secret.',
  {
    name: omitEmpty(text, 'Name of the secret.', { default: '' }),
    key: required(text, 'The key.'),
    optional: omitNull(flag, 'Whether the secret or key may be missing.'),
  },
  { mapType: 'atomic' },
);

const envVarSource = coreStruct('EnvVarSource', "Where a variable's value comes from.", {
  fieldRef: omitNull(objectFieldSelector, 'A field of the pod.'),
  resourceFieldRef: omitNull(resourceFieldSelector, 'A resource amount of a container.'),
  configMapKeyRef: omitNull(configMapKeySelector, 'A key of a config map.'),
  secretKeyRef: omitNull(secretKeySelector, 'A key of a secret.'),
});

const envVar = coreStruct('EnvVar', 'One variable.', {
  name: required(text, 'Name of the variable.'),
  value: omitEmpty(text, 'Its value.'),
  valueFrom: omitNull(envVarSource, 'Source of its value.'),
});

const resourceClaim = coreStruct('ResourceClaim', 'A claim of the pod that a container uses.', {
  name: required(text, 'Name of the claim in the pod.'),
  request: omitEmpty(text, 'Name of a request in the claim.'),
});

export const resourceRequirements = coreStruct('ResourceRequirements', 'The resources of a container.', {
  limits: omitEmpty(map(quantity()), 'The largest amounts of each resource.'),
  requests: omitEmpty(map(quantity()), 'The smallest amounts of each resource.'),
  claims: omitEmpty(listMap(resourceClaim, ['name']), 'Claims of the pod that it uses.'),
});

const containerResizePolicy = coreStruct('ContainerResizePolicy', 'The effect of resizing one resource.', {
  resourceName: required(string({ typeName: 'v1.ResourceName' }), 'The amount.'),
  restartPolicy: required(
    string({ typeName: 'v1.ResourceResizeRestartPolicy' }),
    'Whether the container is restarted.',
  ),
});

const volumeMount = coreStruct('VolumeMount', 'Where a volume is mounted.', {
  name: required(text, 'Name of the volume.'),
  readOnly: omitEmpty(flag, 'Whether it is read-only.'),
  recursiveReadOnly: omitNull(
    string({ typeName: 'v1.RecursiveReadOnlyMode' }),
    'Whether mounts below it are read-only too.',
  ),
  mountPath: required(text, 'Path in the container.'),
  subPath: omitEmpty(text, 'Path in the volume.'),
  mountPropagation: omitNull(string({ typeName: 'v1.MountPropagationMode' }), 'How mounts are passed on.'),
  subPathExpr: omitEmpty(text, 'Path in the volume, with variables.'),
});

const volumeDevice = coreStruct('VolumeDevice', 'Path of a raw block device.', {
  name: required(text, "Name of the claim's volume."),
  devicePath: required(text, 'Path in the container.'),
});

const execAction = coreStruct('ExecAction', 'Runs a command in the container.', {
  command: omitEmpty(listAtomic(text), 'Command and arguments; no shell.'),
});

const httpHeader = coreStruct('HTTPHeader', 'One header.', {
  name: required(text, 'Name of the header.'),
  value: required(text, 'Its value.'),
});

const httpGetAction = coreStruct('HTTPGetAction', 'Makes an HTTP request.', {
  path: omitEmpty(text, 'Path of the URL.'),
  port: required(intOrString(), 'Number or name of the port.'),
  host: omitEmpty(text, 'Host; default the pod.'),
  scheme: omitEmpty(string({ typeName: 'v1.URIScheme' }), 'HTTP or HTTPS.'),
  httpHeaders: omitEmpty(listAtomic(httpHeader), 'Headers of the request.'),
});

const tcpSocketAction = coreStruct('TCPSocketAction', 'Opens a connection.', {
  port: required(intOrString(), 'Number or name of the port.'),
  host: omitEmpty(text, 'Host; default the pod.'),
});

const grpcAction = coreStruct('GRPCAction', 'Asks the health service of gRPC.', {
  port: required(count, 'Number of the port.'),
  service: omitNull(text, 'Service to ask about.', { default: '' }),
});

const sleepAction = coreStruct('SleepAction', 'Waits.', {
  seconds: required(long, 'Seconds to wait.'),
});

const probe = coreStruct('Probe', 'A check of a container.', {
  exec: omitNull(execAction, 'Runs a command.'),
  httpGet: omitNull(httpGetAction, 'Makes an HTTP request.'),
  tcpSocket: omitNull(tcpSocketAction, 'Opens a connection.'),
  grpc: omitNull(grpcAction, 'Asks the health service of gRPC.'),
  initialDelaySeconds: omitEmpty(count, 'Seconds before the first check.'),
  timeoutSeconds: omitEmpty(count, 'Seconds a check may take.'),
  periodSeconds: omitEmpty(count, 'Seconds between checks.'),
  successThreshold: omitEmpty(count, 'Successes in a row that count.'),
  failureThreshold: omitEmpty(count, 'Failures in a row that count.'),
  terminationGracePeriodSeconds: omitNull(long, 'Seconds to stop after a failure.'),
});

const lifecycleHandler = coreStruct('LifecycleHandler', "What to do at a turn of a container's life.", {
  exec: omitNull(execAction, 'Runs a command.'),
  httpGet: omitNull(httpGetAction, 'Makes an HTTP request.'),
  tcpSocket: omitNull(tcpSocketAction, 'No longer used.'),
  sleep: omitNull(sleepAction, 'Waits.'),
});

const lifecycle = coreStruct('Lifecycle', "Turns of a container's life.", {
  postStart: omitNull(lifecycleHandler, 'Right after its start.'),
  preStop: omitNull(lifecycleHandler, 'Right before its stop.'),
});

const capabilities = coreStruct('Capabilities', 'Linux capabilities.', {
  add: omitEmpty(listAtomic(string({ typeName: 'v1.Capability' })), 'Capabilities added.'),
  drop: omitEmpty(listAtomic(string({ typeName: 'v1.Capability' })), 'Capabilities removed.'),
});

export const seLinuxOptions = coreStruct('SELinuxOptions', 'SELinux labels.', {
  user: omitEmpty(text, 'User label.'),
  role: omitEmpty(text, 'Role label.'),
  type: omitEmpty(text, 'Type label.'),
  level: omitEmpty(text, 'Level label.'),
});

export const windowsSecurityContextOptions = coreStruct('WindowsSecurityContextOptions', 'Settings of Windows.', {
  gmsaCredentialSpecName: omitNull(text, 'Name of the credential spec.'),
  gmsaCredentialSpec: omitNull(text, 'The credential spec.'),
  runAsUserName: omitNull(text, 'User that runs the entry point.'),
  hostProcess: omitNull(flag, 'Whether it runs as a process of the host.'),
});

export const seccompProfile = coreStruct('SeccompProfile', 'Which system calls are allowed.', {
  type: required(string({ typeName: 'v1.SeccompProfileType' }), 'Kind of the profile.'),
  localhostProfile: omitNull(text, 'A file of the node.'),
});

export const appArmorProfile = coreStruct('AppArmorProfile', 'What the process may do.', {
  type: required(string({ typeName: 'v1.AppArmorProfileType' }), 'Kind of the profile.'),
  localhostProfile: omitNull(text, 'A profile loaded on the node.'),
});

const securityContext = coreStruct('SecurityContext', 'Rights of a container.', {
  capabilities: omitNull(capabilities, 'Linux capabilities.'),
  privileged: omitNull(flag, 'Whether it is like root on the node.'),
  seLinuxOptions: omitNull(seLinuxOptions, 'SELinux labels.'),
  windowsOptions: omitNull(windowsSecurityContextOptions, 'Settings of Windows.'),
  runAsUser: omitNull(long, 'User id of the process.'),
  runAsGroup: omitNull(long, 'Group id of the process.'),
  runAsNonRoot: omitNull(flag, 'Whether root is refused.'),
  readOnlyRootFilesystem: omitNull(flag, 'Whether its root is read-only.'),
  allowPrivilegeEscalation: omitNull(flag, 'Whether a process may gain rights.'),
  procMount: omitNull(string({ typeName: 'v1.ProcMountType' }), 'The way /proc is mounted.'),
  seccompProfile: omitNull(seccompProfile, 'Which system calls are allowed.'),
  appArmorProfile: omitNull(appArmorProfile, 'What the process may do.'),
});

const containerFields = {
  name: required(text, 'Name of the container; unique in the pod.'),
  image: omitEmpty(text, 'Name of the image.'),
  command: omitEmpty(listAtomic(text), "Entry point; default the image's."),
  args: omitEmpty(listAtomic(text), 'Arguments of the entry point.'),
  workingDir: omitEmpty(text, 'Working directory.'),
  ports: omitEmpty(listMap(containerPort, ['containerPort', 'protocol']), 'Ports it listens on.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'containerPort',
  }),
  envFrom: omitEmpty(listAtomic(envFromSource), 'Sources of many variables.'),
  env: omitEmpty(listMap(envVar, ['name']), 'Variables.', { patchStrategy: ['merge'], patchMergeKey: 'name' }),
  resources: always(resourceRequirements, 'The resources it gets.'),
  resizePolicy: omitEmpty(listAtomic(containerResizePolicy), 'The effect of a resize.'),
  restartPolicy: omitNull(string({ typeName: 'v1.ContainerRestartPolicy' }), 'Always: an init container that stays.'),
  volumeMounts: omitEmpty(listMap(volumeMount, ['mountPath']), 'Mounts of volumes.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'mountPath',
  }),
  volumeDevices: omitEmpty(listMap(volumeDevice, ['devicePath']), 'Paths of block devices.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'devicePath',
  }),
  livenessProbe: omitNull(probe, 'Restarts the container when it fails.'),
  readinessProbe: omitNull(probe, 'Takes the container out of service when it fails.'),
  startupProbe: omitNull(probe, 'Holds the other probes back until it succeeds.'),
  lifecycle: omitNull(lifecycle, 'Actions after its start and before its stop.'),
  terminationMessagePath: omitEmpty(text, 'File with the last message.'),
  terminationMessagePolicy: omitEmpty(
    string({ typeName: 'v1.TerminationMessagePolicy' }),
    'Where the last message comes from.',
  ),
  imagePullPolicy: omitEmpty(string({ typeName: 'v1.PullPolicy' }), 'When to pull the image.'),
  securityContext: omitNull(securityContext, 'Its rights.'),
  stdin: omitEmpty(flag, 'Whether standard input is kept open.'),
  stdinOnce: omitEmpty(flag, 'Whether it closes after the first client.'),
  tty: omitEmpty(flag, 'Whether it has a terminal.'),
};

export const container = coreStruct('Container', 'One program of a pod.', containerFields);

export const ephemeralContainer = coreStruct('EphemeralContainer', 'A container added to a running pod.', {
  ...containerFields,
  targetContainerName: omitEmpty(text, 'Container whose processes it sees.'),
});

export type Container = OutputOf<typeof container>;
