import {
  always,
  embedded,
  intOrString,
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
import { objectFieldSelector, resourceFieldSelector } from './pod-volume.js';

const containerPort = coreStruct('ContainerPort', 'A port that a container listens on.', () => ({
  name: omitEmpty(text, 1, 'Name of the port; unique in the pod.'),
  hostPort: omitEmpty(count, 2, 'Port of the node.'),
  containerPort: required(count, 3, 'Port of the container.'),
  protocol: omitEmpty(string({ typeName: 'v1.Protocol', enum: ['SCTP', 'TCP', 'UDP'] }), 4, 'TCP, UDP or SCTP.', {
    default: 'TCP',
  }),
  hostIP: omitEmpty(text, 5, 'Address of the node.'),
}));

const configMapEnvSource = coreStruct('ConfigMapEnvSource', 'All keys of a config map.', () => ({
  ...embedded(1, { name: omitEmpty(text, 1, 'Name of the config map.', { default: '' }) }),
  optional: omitNull(flag, 2, 'Whether the config map may be missing.'),
}));

const secretEnvSource = coreStruct('SecretEnvSource', 'All keys of a secret.', () => ({
  ...embedded(1, { name: omitEmpty(text, 1, 'Name of the secret.', { default: '' }) }),
  optional: omitNull(flag, 2, 'Whether the secret may be missing.'),
}));

const envFromSourceStruct = coreStruct('EnvFromSource', 'A source of many variables.', () => ({
  prefix: omitEmpty(text, 1, 'Prefix of each name.'),
  configMapRef: omitNull(configMapEnvSource, 2, 'All keys of a config map.'),
  secretRef: omitNull(secretEnvSource, 3, 'All keys of a secret.'),
}));
export interface EnvFromSource extends OutputOf<typeof envFromSourceStruct> {}
const envFromSource: Typed<EnvFromSource> = envFromSourceStruct;

const configMapKeySelector = coreStruct(
  'ConfigMapKeySelector',
  'One key of a config map.',
  () => ({
    ...embedded(1, { name: omitEmpty(text, 1, 'Name of the config map.', { default: '' }) }),
    key: required(text, 2, 'The key.'),
    optional: omitNull(flag, 3, 'Whether the config map or key may be missing.'),
  }),
  { mapType: 'atomic' },
);

const secretKeySelector = coreStruct(
  'SecretKeySelector',
  'One key of a secret.',
  () => ({
    ...embedded(1, { name: omitEmpty(text, 1, 'Name of the secret.', { default: '' }) }),
    key: required(text, 2, 'The key.'),
    optional: omitNull(flag, 3, 'Whether the secret or key may be missing.'),
  }),
  { mapType: 'atomic' },
);

const envVarSource = coreStruct('EnvVarSource', "Where a variable's value comes from.", () => ({
  fieldRef: omitNull(objectFieldSelector, 1, 'A field of the pod.'),
  resourceFieldRef: omitNull(resourceFieldSelector, 2, 'A resource amount of a container.'),
  configMapKeyRef: omitNull(configMapKeySelector, 3, 'A key of a config map.'),
  secretKeyRef: omitNull(secretKeySelector, 4, 'A key of a secret.'),
}));

const envVarStruct = coreStruct('EnvVar', 'One variable.', () => ({
  name: required(text, 1, 'Name of the variable.'),
  value: omitEmpty(text, 2, 'Its value.'),
  valueFrom: omitNull(envVarSource, 3, 'Source of its value.'),
}));
export interface EnvVar extends OutputOf<typeof envVarStruct> {}
const envVar: Typed<EnvVar> = envVarStruct;

const resourceClaim = coreStruct('ResourceClaim', 'A claim of the pod that a container uses.', () => ({
  name: required(text, 1, 'Name of the claim in the pod.'),
  request: omitEmpty(text, 2, 'Name of a request in the claim.'),
}));

const resourceRequirementsStruct = coreStruct('ResourceRequirements', 'The resources of a container.', () => ({
  limits: omitEmpty(resourceList, 1, 'The largest amounts of each resource.'),
  requests: omitEmpty(resourceList, 2, 'The smallest amounts of each resource.'),
  claims: omitEmpty(listMap(resourceClaim, ['name']), 3, 'Claims of the pod that it uses.'),
}));
export interface ResourceRequirements extends OutputOf<typeof resourceRequirementsStruct> {}
export const resourceRequirements: Typed<ResourceRequirements> = resourceRequirementsStruct;

export const containerResizePolicy = coreStruct(
  'ContainerResizePolicy',
  'The effect of resizing one resource.',
  () => ({
    resourceName: required(string({ typeName: 'v1.ResourceName' }), 1, 'The amount.'),
    restartPolicy: required(
      string({ typeName: 'v1.ResourceResizeRestartPolicy' }),
      2,
      'Whether the container is restarted.',
    ),
  }),
);

const volumeMount = coreStruct('VolumeMount', 'Where a volume is mounted.', () => ({
  name: required(text, 1, 'Name of the volume.'),
  readOnly: omitEmpty(flag, 2, 'Whether it is read-only.'),
  recursiveReadOnly: omitNull(
    string({ typeName: 'v1.RecursiveReadOnlyMode' }),
    7,
    'Whether mounts below it are read-only too.',
  ),
  mountPath: required(text, 3, 'Path in the container.'),
  subPath: omitEmpty(text, 4, 'Path in the volume.'),
  mountPropagation: omitNull(
    string({ typeName: 'v1.MountPropagationMode', enum: ['Bidirectional', 'HostToContainer', 'None'] }),
    5,
    'How mounts are passed on.',
  ),
  subPathExpr: omitEmpty(text, 6, 'Path in the volume, with variables.'),
}));

const volumeDevice = coreStruct('VolumeDevice', 'Path of a raw block device.', () => ({
  name: required(text, 1, "Name of the claim's volume."),
  devicePath: required(text, 2, 'Path in the container.'),
}));

const execAction = coreStruct('ExecAction', 'Runs a command in the container.', () => ({
  command: omitEmpty(listAtomic(text), 1, 'Command and arguments; no shell.'),
}));

const httpHeader = coreStruct('HTTPHeader', 'One header.', () => ({
  name: required(text, 1, 'Name of the header.'),
  value: required(text, 2, 'Its value.'),
}));

const httpGetAction = coreStruct('HTTPGetAction', 'Makes an HTTP request.', () => ({
  path: omitEmpty(text, 1, 'Path of the URL.'),
  port: required(intOrString(), 2, 'Number or name of the port.'),
  host: omitEmpty(text, 3, 'Host; default the pod.'),
  scheme: omitEmpty(string({ typeName: 'v1.URIScheme', enum: ['HTTP', 'HTTPS'] }), 4, 'HTTP or HTTPS.'),
  httpHeaders: omitEmpty(listAtomic(httpHeader), 5, 'Headers of the request.'),
}));

const tcpSocketAction = coreStruct('TCPSocketAction', 'Opens a connection.', () => ({
  port: required(intOrString(), 1, 'Number or name of the port.'),
  host: omitEmpty(text, 2, 'Host; default the pod.'),
}));

const grpcAction = coreStruct('GRPCAction', 'Asks the health service of gRPC.', () => ({
  port: required(count, 1, 'Number of the port.'),
  service: omitNull(text, 2, 'Service to ask about.', { default: '' }),
}));

const sleepAction = coreStruct('SleepAction', 'Waits.', () => ({
  seconds: required(long, 1, 'Seconds to wait.'),
}));

const probeStruct = coreStruct('Probe', 'A check of a container.', () => ({
  ...embedded(1, {
    exec: omitNull(execAction, 1, 'Runs a command.'),
    httpGet: omitNull(httpGetAction, 2, 'Makes an HTTP request.'),
    tcpSocket: omitNull(tcpSocketAction, 3, 'Opens a connection.'),
    grpc: omitNull(grpcAction, 4, 'Asks the health service of gRPC.'),
  }),
  initialDelaySeconds: omitEmpty(count, 2, 'Seconds before the first check.'),
  timeoutSeconds: omitEmpty(count, 3, 'Seconds a check may take.'),
  periodSeconds: omitEmpty(count, 4, 'Seconds between checks.'),
  successThreshold: omitEmpty(count, 5, 'Successes in a row that count.'),
  failureThreshold: omitEmpty(count, 6, 'Failures in a row that count.'),
  terminationGracePeriodSeconds: omitNull(long, 7, 'Seconds to stop after a failure.'),
}));
export interface Probe extends OutputOf<typeof probeStruct> {}
const probe: Typed<Probe> = probeStruct;

const lifecycleHandlerStruct = coreStruct('LifecycleHandler', "What to do at a turn of a container's life.", () => ({
  exec: omitNull(execAction, 1, 'Runs a command.'),
  httpGet: omitNull(httpGetAction, 2, 'Makes an HTTP request.'),
  tcpSocket: omitNull(tcpSocketAction, 3, 'No longer used.'),
  sleep: omitNull(sleepAction, 4, 'Waits.'),
}));
export interface LifecycleHandler extends OutputOf<typeof lifecycleHandlerStruct> {}
const lifecycleHandler: Typed<LifecycleHandler> = lifecycleHandlerStruct;

const lifecycle = coreStruct('Lifecycle', "Turns of a container's life.", () => ({
  postStart: omitNull(lifecycleHandler, 1, 'Right after its start.'),
  preStop: omitNull(lifecycleHandler, 2, 'Right before its stop.'),
}));

const capabilities = coreStruct('Capabilities', 'Linux capabilities.', () => ({
  add: omitEmpty(listAtomic(string({ typeName: 'v1.Capability' })), 1, 'Capabilities added.'),
  drop: omitEmpty(listAtomic(string({ typeName: 'v1.Capability' })), 2, 'Capabilities removed.'),
}));

const seLinuxOptionsStruct = coreStruct('SELinuxOptions', 'SELinux labels.', () => ({
  user: omitEmpty(text, 1, 'User label.'),
  role: omitEmpty(text, 2, 'Role label.'),
  type: omitEmpty(text, 3, 'Type label.'),
  level: omitEmpty(text, 4, 'Level label.'),
}));
export interface SELinuxOptions extends OutputOf<typeof seLinuxOptionsStruct> {}
export const seLinuxOptions: Typed<SELinuxOptions> = seLinuxOptionsStruct;

const windowsSecurityContextOptionsStruct = coreStruct('WindowsSecurityContextOptions', 'Settings of Windows.', () => ({
  gmsaCredentialSpecName: omitNull(text, 1, 'Name of the credential spec.'),
  gmsaCredentialSpec: omitNull(text, 2, 'The credential spec.'),
  runAsUserName: omitNull(text, 3, 'User that runs the entry point.'),
  hostProcess: omitNull(flag, 4, 'Whether it runs as a process of the host.'),
}));
export interface WindowsSecurityContextOptions extends OutputOf<typeof windowsSecurityContextOptionsStruct> {}
export const windowsSecurityContextOptions: Typed<WindowsSecurityContextOptions> = windowsSecurityContextOptionsStruct;

export const seccompProfile = coreStruct('SeccompProfile', 'Which system calls are allowed.', () => ({
  type: required(
    string({ typeName: 'v1.SeccompProfileType', enum: ['Localhost', 'RuntimeDefault', 'Unconfined'] }),
    1,
    'Kind of the profile.',
  ),
  localhostProfile: omitNull(text, 2, 'A file of the node.'),
}));

export const appArmorProfile = coreStruct(
  'AppArmorProfile',
  'What the process may do.',
  () => ({
    type: required(
      string({ typeName: 'v1.AppArmorProfileType', enum: ['Localhost', 'RuntimeDefault', 'Unconfined'] }),
      1,
      'Kind of the profile.',
    ),
    localhostProfile: omitNull(text, 2, 'A profile loaded on the node.'),
  }),
  { union: { discriminator: 'type', fields: ['localhostProfile'] } },
);

const securityContextStruct = coreStruct('SecurityContext', 'Rights of a container.', () => ({
  capabilities: omitNull(capabilities, 1, 'Linux capabilities.'),
  privileged: omitNull(flag, 2, 'Whether it is like root on the node.'),
  seLinuxOptions: omitNull(seLinuxOptions, 3, 'SELinux labels.'),
  windowsOptions: omitNull(windowsSecurityContextOptions, 10, 'Settings of Windows.'),
  runAsUser: omitNull(long, 4, 'User id of the process.'),
  runAsGroup: omitNull(long, 8, 'Group id of the process.'),
  runAsNonRoot: omitNull(flag, 5, 'Whether root is refused.'),
  readOnlyRootFilesystem: omitNull(flag, 6, 'Whether its root is read-only.'),
  allowPrivilegeEscalation: omitNull(flag, 7, 'Whether a process may gain rights.'),
  procMount: omitNull(
    string({ typeName: 'v1.ProcMountType', enum: ['Default', 'Unmasked'] }),
    9,
    'The way /proc is mounted.',
  ),
  seccompProfile: omitNull(seccompProfile, 11, 'Which system calls are allowed.'),
  appArmorProfile: omitNull(appArmorProfile, 12, 'What the process may do.'),
}));
export interface SecurityContext extends OutputOf<typeof securityContextStruct> {}
export const securityContext: Typed<SecurityContext> = securityContextStruct;

const containerFields = () => ({
  name: required(text, 1, 'Name of the container; unique in the pod.'),
  image: omitEmpty(text, 2, 'Name of the image.'),
  command: omitEmpty(listAtomic(text), 3, "Entry point; default the image's."),
  args: omitEmpty(listAtomic(text), 4, 'Arguments of the entry point.'),
  workingDir: omitEmpty(text, 5, 'Working directory.'),
  ports: omitEmpty(listMap(containerPort, ['containerPort', 'protocol']), 6, 'Ports it listens on.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'containerPort',
  }),
  envFrom: omitEmpty(listAtomic(envFromSource), 19, 'Sources of many variables.'),
  env: omitEmpty(listMap(envVar, ['name']), 7, 'Variables.', { patchStrategy: ['merge'], patchMergeKey: 'name' }),
  resources: always(resourceRequirements, 8, 'The resources it gets.'),
  resizePolicy: omitEmpty(listAtomic(containerResizePolicy), 23, 'The effect of a resize.'),
  restartPolicy: omitNull(
    string({ typeName: 'v1.ContainerRestartPolicy' }),
    24,
    'Always: an init container that stays.',
  ),
  volumeMounts: omitEmpty(listMap(volumeMount, ['mountPath']), 9, 'Mounts of volumes.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'mountPath',
  }),
  volumeDevices: omitEmpty(listMap(volumeDevice, ['devicePath']), 21, 'Paths of block devices.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'devicePath',
  }),
  livenessProbe: omitNull(probe, 10, 'Restarts the container when it fails.'),
  readinessProbe: omitNull(probe, 11, 'Takes the container out of service when it fails.'),
  startupProbe: omitNull(probe, 22, 'Holds the other probes back until it succeeds.'),
  lifecycle: omitNull(lifecycle, 12, 'Actions after its start and before its stop.'),
  terminationMessagePath: omitEmpty(text, 13, 'File with the last message.'),
  terminationMessagePolicy: omitEmpty(
    string({ typeName: 'v1.TerminationMessagePolicy', enum: ['FallbackToLogsOnError', 'File'] }),
    20,
    'Where the last message comes from.',
  ),
  imagePullPolicy: omitEmpty(
    string({ typeName: 'v1.PullPolicy', enum: ['Always', 'IfNotPresent', 'Never'] }),
    14,
    'When to pull the image.',
  ),
  securityContext: omitNull(securityContext, 15, 'Its rights.'),
  stdin: omitEmpty(flag, 16, 'Whether standard input is kept open.'),
  stdinOnce: omitEmpty(flag, 17, 'Whether it closes after the first client.'),
  tty: omitEmpty(flag, 18, 'Whether it has a terminal.'),
});

const containerStruct = coreStruct('Container', 'One program of a pod.', containerFields);

const ephemeralContainerStruct = coreStruct('EphemeralContainer', 'A container added to a running pod.', () => ({
  ...embedded(1, containerFields()),
  targetContainerName: omitEmpty(text, 2, 'Container whose processes it sees.'),
}));
export interface EphemeralContainer extends OutputOf<typeof ephemeralContainerStruct> {}
export const ephemeralContainer: Typed<EphemeralContainer> = ephemeralContainerStruct;
export interface Container extends OutputOf<typeof containerStruct> {}
export const container: Typed<Container> = containerStruct;
