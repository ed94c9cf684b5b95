/** The core/v1 structs of containers, their images and environment, and their probes, as input of `fieldTable`. */
export const containers = `
Container                                                                     A container of a pod.
  name                       1  string!                                       Name of the container; unique in the pod.
  image                      2  string?                                       Name of the image.
  command                    3  []string atomic?                              Entry point; default that of the image.
  args                       4  []string atomic?                              Arguments of the entry point.
  workingDir                 5  string?                                       Working directory.
  ports                      6  []ContainerPort by(containerPort,protocol)? merge key(containerPort)  Ports that the container listens on.
  envFrom                   19  []EnvFromSource atomic?                       Sources of many variables.
  env                        7  []EnvVar by(name)? merge key(name)            Variables.
  resources                  8  ResourceRequirements                          The resources of the container.
  resizePolicy              23  []ContainerResizePolicy atomic?               The effect of a resize.
  restartPolicy             24  ContainerRestartPolicy*                       Always, for an init container that keeps running.
  volumeMounts               9  []VolumeMount by(mountPath)? merge key(mountPath)  Mounts of volumes.
  volumeDevices             21  []VolumeDevice by(devicePath)? merge key(devicePath)  Paths of block devices.
  livenessProbe             10  Probe*                                        Restarts the container when it fails.
  readinessProbe            11  Probe*                                        Removes the container from services when it fails.
  startupProbe              22  Probe*                                        Delays the other probes until it succeeds.
  lifecycle                 12  Lifecycle*                                    Actions after its start and before its stop.
  terminationMessagePath    13  string?                                       File with the last message.
  terminationMessagePolicy  20  TerminationMessagePolicy?                     Where the last message comes from.
  imagePullPolicy           14  PullPolicy?                                   When to pull the image.
  securityContext           15  SecurityContext*                              The security settings of the container.
  stdin                     16  bool?                                         Whether standard input is kept open.
  stdinOnce                 17  bool?                                         Whether standard input closes after the first client.
  tty                       18  bool?                                         Whether the container has a terminal.

ContainerPort                       A port that a container listens on.
  name           1  string?         Name of the port; unique in the pod.
  hostPort       2  int32?          Port of the node.
  containerPort  3  int32!          Port of the container.
  protocol       4  Protocol? =TCP  TCP, UDP or SCTP.
  hostIP         5  string?         Address of the node.

EnvFromSource                           A source of many variables.
  prefix        1  string?              Prefix of each name.
  configMapRef  2  ConfigMapEnvSource*  All keys of a config map.
  secretRef     3  SecretEnvSource*     All keys of a secret.

ConfigMapEnvSource            All keys of a config map.
  name      1.1  string? =""  Name of the config map.
  optional    2  bool*        Whether the config map may be missing.

SecretEnvSource               All keys of a secret.
  name      1.1  string? =""  Name of the secret.
  optional    2  bool*        Whether the secret may be missing.

EnvVar                         One variable.
  name       1  string!        Name of the variable.
  value      2  string?        Its value.
  valueFrom  3  EnvVarSource*  Source of its value.

EnvVarSource                                   Where a variable's value comes from.
  fieldRef          1  ObjectFieldSelector*    A field of the pod.
  resourceFieldRef  2  ResourceFieldSelector*  A resource amount of a container.
  configMapKeyRef   3  ConfigMapKeySelector*   A key of a config map.
  secretKeyRef      4  SecretKeySelector*      A key of a secret.

ConfigMapKeySelector atomic   One key of a config map.
  name      1.1  string? =""  Name of the config map.
  key         2  string!      The key.
  optional    3  bool*        Whether the config map or key may be missing.

SecretKeySelector atomic      One key of a secret.
  name      1.1  string? =""  Name of the secret.
  key         2  string!      The key.
  optional    3  bool*        Whether the secret or key may be missing.

ContainerResizePolicy                             The effect of resizing one resource.
  resourceName   1  ResourceName!                 The name of the resource.
  restartPolicy  2  ResourceResizeRestartPolicy!  Whether the container is restarted.

Probe                                                   A check of a container.
  exec                           1.1  ExecAction*       Runs a command.
  httpGet                        1.2  HTTPGetAction*    Makes an HTTP request.
  tcpSocket                      1.3  TCPSocketAction*  Opens a connection.
  grpc                           1.4  GRPCAction*       Calls the gRPC health service.
  initialDelaySeconds              2  int32?            Seconds before the first check.
  timeoutSeconds                   3  int32?            Seconds a check may take.
  periodSeconds                    4  int32?            Seconds between checks.
  successThreshold                 5  int32?            Successes in a row that count.
  failureThreshold                 6  int32?            Failures in a row that count.
  terminationGracePeriodSeconds    7  int64*            Seconds to stop after a failure.

ExecAction                      Runs a command in the container.
  command  1  []string atomic?  Command and arguments; no shell.

HTTPGetAction                           Makes an HTTP request.
  path         1  string?               Path of the URL.
  port         2  IntOrString!          Number or name of the port.
  host         3  string?               Host; default the pod.
  scheme       4  URIScheme?            HTTP or HTTPS.
  httpHeaders  5  []HTTPHeader atomic?  Headers of the request.

HTTPHeader           One header.
  name   1  string!  Name of the header.
  value  2  string!  Its value.

TCPSocketAction          Opens a connection.
  port  1  IntOrString!  Number or name of the port.
  host  2  string?       Host; default the pod.

GRPCAction                 Calls the gRPC health service.
  port     1  int32!       Number of the port.
  service  2  string* =""  Service to ask about.

Lifecycle                          Actions after the start and before the stop of a container.
  postStart  1  LifecycleHandler*  The action after the start.
  preStop    2  LifecycleHandler*  The action before the stop.

LifecycleHandler                  An action in the lifecycle of a container.
  exec       1  ExecAction*       Runs a command.
  httpGet    2  HTTPGetAction*    Makes an HTTP request.
  tcpSocket  3  TCPSocketAction*  Deprecated; not used any more.
  sleep      4  SleepAction*      Waits.

SleepAction           Waits.
  seconds  1  int64!  Seconds to wait.

SecurityContext                                                 Security settings of a container.
  capabilities               1  Capabilities*                   Linux capabilities.
  privileged                 2  bool*                           Whether it has root privileges on the node.
  seLinuxOptions             3  SELinuxOptions*                 SELinux labels.
  windowsOptions            10  WindowsSecurityContextOptions*  Settings for Windows.
  runAsUser                  4  int64*                          User id of the process.
  runAsGroup                 8  int64*                          Group id of the process.
  runAsNonRoot               5  bool*                           Whether root is refused.
  readOnlyRootFilesystem     6  bool*                           Whether the root file system is read-only.
  allowPrivilegeEscalation   7  bool*                           Whether a process may gain privileges.
  procMount                  9  ProcMountType*                  The way /proc is mounted.
  seccompProfile            11  SeccompProfile*                 The seccomp profile.
  appArmorProfile           12  AppArmorProfile*                The AppArmor profile.

Capabilities                     Linux capabilities.
  add   1  []Capability atomic?  Capabilities added.
  drop  2  []Capability atomic?  Capabilities removed.

SELinuxOptions       SELinux labels.
  user   1  string?  User label.
  role   2  string?  Role label.
  type   3  string?  Type label.
  level  4  string?  Level label.

WindowsSecurityContextOptions         Settings for Windows.
  gmsaCredentialSpecName  1  string*  Name of the credential spec.
  gmsaCredentialSpec      2  string*  The credential spec.
  runAsUserName           3  string*  User that runs the entry point.
  hostProcess             4  bool*    Whether it runs as a process of the host.

SeccompProfile                              The seccomp profile.
  type              1  SeccompProfileType!  Kind of the profile.
  localhostProfile  2  string*              A file of the node.

AppArmorProfile union(type: localhostProfile)  The AppArmor profile.
  type              1  AppArmorProfileType!  Kind of the profile.
  localhostProfile  2  string*               A profile loaded on the node.

EphemeralContainer                                                              A container added to a running pod.
  embed 1 Container
  targetContainerName          2  string?                                       The container whose processes it can see.

ContainerStatus                                                               The observed state of a container.
  name                       1  string!                                       Name of the container.
  state                      2  ContainerState                                The current state.
  lastState                  3  ContainerState                                The previous state.
  ready                      4  bool!                                         Whether it passes its readiness check.
  restartCount               5  int32!                                        How often it was restarted.
  image                      6  string!                                       Name of its image.
  imageID                    7  string!                                       Id of its image.
  containerID                8  string?                                       Id of the container.
  started                    9  bool*                                         Whether it has started.
  allocatedResources        10  ResourceList?                                 Amounts allocated on the node.
  resources                 11  ResourceRequirements*                         The observed state.
  volumeMounts              12  []VolumeMountStatus by(mountPath)? merge key(mountPath)  States of mounted volumes.
  user                      13  ContainerUser*                                User of the first process.
  allocatedResourcesStatus  14  []ResourceStatus by(name)? merge key(name)    Health of its devices.

ContainerState                              The state of a container.
  waiting     1  ContainerStateWaiting*     Not running yet.
  running     2  ContainerStateRunning*     Running.
  terminated  3  ContainerStateTerminated*  Ended.

ContainerStateWaiting  Not running yet.
  reason   1  string?  The reason, in one word.
  message  2  string?  The reason, for people.

ContainerStateRunning  Running.
  startedAt  1  Time  When the container started.

ContainerStateTerminated   Ended.
  exitCode     1  int32!   Exit code.
  signal       2  int32?   Signal.
  reason       3  string?  The reason, in one word.
  message      4  string?  The reason, for people.
  startedAt    5  Time     When it started.
  finishedAt   6  Time     When it ended.
  containerID  7  string?  Id of the container.

ContainerUser                    User of the first process.
  linux  1  LinuxContainerUser*  On Linux.

ResourceStatus                                    Health of devices of one kind.
  name       1  ResourceName!                     Name of the resource.
  resources  2  []ResourceHealth by(resourceID)?  The devices.

ResourceHealth                          Health of one device.
  resourceID  1  ResourceID!            Id of the device.
  health      2  ResourceHealthStatus?  Healthy, Unhealthy or Unknown.

ContainerImage                    An image on a node.
  names      1  []string atomic?  Names of the image.
  sizeBytes  2  int64?            Its size.

`;
