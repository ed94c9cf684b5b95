/** The core/v1 structs of all kinds that the other files of this folder do not declare, as input of `fieldTable`. */
export const kinds = `
Namespace kind                A scope for the names of objects.
  spec    2  NamespaceSpec    The desired state of the namespace.
  status  3  NamespaceStatus  The observed state of the namespace.

NamespaceSpec                             The desired state of a namespace.
  finalizers  1  []FinalizerName atomic?  Finalizers that hold the namespace.

NamespaceStatus                                                The observed state of a namespace.
  phase       1  NamespacePhase?                               Active or Terminating.
  conditions  2  []NamespaceCondition by(type)? merge key(type)  The progress of its removal.

NamespaceCondition                                A condition of a namespace.
  type                1  NamespaceConditionType!  Type of the condition.
  status              2  meta.ConditionStatus!    True, False or Unknown.
  lastTransitionTime  4  Time                     When the status last changed.
  reason              5  string?                  The reason, in one word.
  message             6  string?                  The reason, for people.

ConfigMap kind                 Configuration for other objects to use.
  immutable   4  bool*         When true, only metadata can be changed.
  data        2  map(string)?  Text by key.
  binaryData  3  map(bytes)?   Bytes by key, base64.

Secret kind                    Confidential data.
  immutable   5  bool*         When true, only metadata can be changed.
  data        2  map(bytes)?   Bytes by key, base64.
  stringData  4  map(string)?  Text by key; moved into data when written, never read.
  type        3  SecretType?   The purpose of the data.

ServiceAccount kind                                                             An identity for programs.
  secrets                       2  []ObjectReference by(name)? merge key(name)  Secrets that programs with this account may use.
  imagePullSecrets              3  []LocalObjectReference atomic?               Secrets for pulling images.
  automountServiceAccountToken  4  bool*                                        Whether tokens are mounted into pods by default.

LinuxContainerUser                        User and groups of the first process.
  uid                 1  int64!           User id.
  gid                 2  int64!           Group id.
  supplementalGroups  3  []int64 atomic?  Supplemental groups.

Node kind                A machine that runs pods.
  spec    2  NodeSpec    The desired state of the node.
  status  3  NodeStatus  The observed state of the node.

NodeSpec                                 The desired state of a node.
  podCIDR        1  string?              The address range of its pods.
  podCIDRs       7  []string set? merge  The address ranges of its pods, by IP family.
  providerID     3  string?              Id at the provider.
  unschedulable  4  bool?                Whether new pods are not scheduled to the node.
  taints         5  []Taint atomic?      Taints of the node.
  configSource   6  NodeConfigSource*    Deprecated; not used any more.
  externalID     2  string?              Deprecated; not used any more.

NodeConfigSource                            A source of configuration; not used any more.
  configMap  2  ConfigMapNodeConfigSource*  A config map.

ConfigMapNodeConfigSource         A config map; not used any more.
  namespace         1  string!    Namespace of the config map.
  name              2  string!    Name of the config map.
  uid               3  meta.UID?  Uid of the config map.
  resourceVersion   4  string?    Version of the config map.
  kubeletConfigKey  5  string!    Key in the config map.

NodeStatus                                                        The observed state of a node.
  capacity          1  ResourceList?                              All resources of the node.
  allocatable       2  ResourceList?                              The resources that pods can use.
  phase             3  NodePhase?                                 Deprecated; not set any more.
  conditions        4  []NodeCondition by(type)? merge key(type)  Its conditions.
  addresses         5  []NodeAddress by(type)? merge key(type)    Its addresses.
  daemonEndpoints   6  NodeDaemonEndpoints                        The ports of its daemons.
  nodeInfo          7  NodeSystemInfo                             System information.
  images            8  []ContainerImage atomic?                   Images on it.
  volumesInUse      9  []UniqueVolumeName atomic?                 Volumes in use.
  volumesAttached  10  []AttachedVolume atomic?                   Volumes attached.
  config           11  NodeConfigStatus*                          Deprecated; not set any more.
  runtimeHandlers  12  []NodeRuntimeHandler atomic?               Ways to run containers.
  features         13  NodeFeatures*                              The features of the container runtime.

NodeCondition                                   A condition of a node.
  type                1  NodeConditionType!     Type of the condition.
  status              2  meta.ConditionStatus!  True, False or Unknown.
  lastHeartbeatTime   3  Time                   When it was last reported.
  lastTransitionTime  4  Time                   When the status last changed.
  reason              5  string?                The reason, in one word.
  message             6  string?                The reason, for people.

NodeDaemonEndpoints                   The ports of the node's daemons.
  kubeletEndpoint  1  DaemonEndpoint  Port of the node's agent.

DaemonEndpoint     A port.
  Port  1  int32!  Number of the port.

NodeSystemInfo                          System information of a node.
  machineID                 1  string!  Id of the machine.
  systemUUID                2  string!  Id of the system.
  bootID                    3  string!  Id of the boot.
  kernelVersion             4  string!  Version of the kernel.
  osImage                   5  string!  Name of the operating system's image.
  containerRuntimeVersion   6  string!  Version of the container runtime.
  kubeletVersion            7  string!  Version of the node's agent.
  kubeProxyVersion          8  string!  Version of the node's proxy.
  operatingSystem           9  string!  Operating system.
  architecture             10  string!  Architecture.

NodeConfigStatus                       The configuration in use; not set any more.
  assigned       1  NodeConfigSource*  The desired configuration.
  active         2  NodeConfigSource*  The configuration in use.
  lastKnownGood  3  NodeConfigSource*  The configuration to fall back to.
  error          4  string?            The problem.

NodeRuntimeHandler                          A way to run containers.
  name      1  string? =""                  Name of the handler.
  features  2  NodeRuntimeHandlerFeatures*  The features of the handler.

NodeRuntimeHandlerFeatures           The features of a runtime handler.
  recursiveReadOnlyMounts  1  bool*  Recursive read-only mounts.
  userNamespaces           2  bool*  User namespaces.

NodeFeatures                          The features of the container runtime.
  supplementalGroupsPolicy  1  bool*  Policies for supplemental groups.

ReplicationController kind                A number of identical pods; replaced by ReplicaSet.
  spec    2  ReplicationControllerSpec    The desired pods.
  status  3  ReplicationControllerStatus  The observed pods.

ReplicationControllerSpec                  The desired pods.
  replicas         1  int32*               The number of pods.
  minReadySeconds  4  int32?               Seconds that a pod must be ready for to count as available.
  selector         2  map(string) atomic?  Labels of the pods; default those of the template.
  template         3  PodTemplateSpec*     The template of the pods.

ReplicationControllerStatus                                              The observed pods.
  replicas              1  int32!                                        The number of pods.
  fullyLabeledReplicas  2  int32?                                        Pods with the labels of the template.
  readyReplicas         4  int32?                                        Pods that are ready.
  availableReplicas     5  int32?                                        Pods that have been ready for long enough.
  observedGeneration    3  int64?                                        The generation that was last processed.
  conditions            6  []ReplicationControllerCondition by(type)? merge key(type)  The conditions.

ReplicationControllerCondition                                A condition of the controller.
  type                1  ReplicationControllerConditionType!  Type of the condition.
  status              2  meta.ConditionStatus!                True, False or Unknown.
  lastTransitionTime  3  Time                                 When its status last changed.
  reason              4  string?                              The reason, in one word.
  message             5  string?                              The reason, for people.

Service kind                A stable address for a set of pods.
  spec    2  ServiceSpec    The address.
  status  3  ServiceStatus  The current state.

ServiceSpec                                                                        The desired state of a service.
  ports                           1  []ServicePort by(port,protocol)? merge key(port)  Its ports.
  selector                        2  map(string) atomic?                           The labels of the selected pods.
  clusterIP                       3  string?                                       The address in the cluster, or None.
  clusterIPs                     18  []string atomic?                              The addresses in the cluster, one of each IP family.
  type                            4  ServiceType?                                  The type: ClusterIP, NodePort, LoadBalancer, or ExternalName for a DNS alias.
  externalIPs                     5  []string atomic?                              Further addresses, which are routed to the nodes by other means.
  sessionAffinity                 7  ServiceAffinity?                              Whether a client is always sent to the same pod: None or ClientIP.
  loadBalancerIP                  8  string?                                       The requested address of the load balancer.
  loadBalancerSourceRanges        9  []string atomic?                              The client ranges that may use the load balancer.
  externalName                   10  string?                                       The DNS name for ExternalName.
  externalTrafficPolicy          11  ServiceExternalTrafficPolicy?                 The routing of external traffic: Cluster or Local.
  healthCheckNodePort            12  int32?                                        The port of the health check for load balancers.
  publishNotReadyAddresses       13  bool?                                         Whether pods are published before they are ready.
  sessionAffinityConfig          14  SessionAffinityConfig*                        The configuration of session affinity.
  ipFamilies                     19  []IPFamily atomic?                            The IP families of its addresses.
  ipFamilyPolicy                 17  IPFamilyPolicy*                               Whether it has one IP family or two.
  allocateLoadBalancerNodePorts  20  bool*                                         Whether node ports are allocated for a load balancer.
  loadBalancerClass              21  string*                                       The class of the load balancer.
  internalTrafficPolicy          22  ServiceInternalTrafficPolicy*                 The routing of internal traffic: Cluster or Local.
  trafficDistribution            23  string*                                       The preferred distribution of traffic.

ServicePort                       One port of a service.
  name         1  string?         The name; required if there are several ports.
  protocol     2  Protocol? =TCP  TCP, UDP or SCTP.
  appProtocol  6  string*         The application protocol.
  port         3  int32!          The port number.
  targetPort   4  IntOrString     Number or name of the port of the pods.
  nodePort     5  int32?          The port number on every node.

SessionAffinityConfig           The configuration of session affinity.
  clientIP  1  ClientIPConfig*  The settings for ClientIP.

ClientIPConfig               The duration of session affinity.
  timeoutSeconds  1  int32*  Seconds, at most a day.

ServiceStatus                                                  The current state.
  loadBalancer  1  LoadBalancerStatus                          The addresses of the load balancer.
  conditions    2  []meta.Condition by(type)? merge key(type)  Its conditions.

LoadBalancerStatus                           The addresses of the load balancer.
  ingress  1  []LoadBalancerIngress atomic?  The addresses.

LoadBalancerIngress                  An address of the load balancer.
  ip        1  string?               The address.
  hostname  2  string?               The name.
  ipMode    3  LoadBalancerIPMode*   How the address is treated: VIP or Proxy.
  ports     4  []PortStatus atomic?  The states of the ports.

PortStatus                The state of a port.
  port      1  int32!     Number of the port.
  protocol  2  Protocol!  TCP, UDP or SCTP.
  error     3  string*    The error, in one word.

Endpoints kind                          The addresses of a service.
  subsets  2  []EndpointSubset atomic?  Addresses and ports; each address has each port of its subset.

EndpointSubset                                     Addresses that have the same ports.
  addresses          1  []EndpointAddress atomic?  Addresses that are ready.
  notReadyAddresses  2  []EndpointAddress atomic?  Addresses that are not ready.
  ports              3  []EndpointPort atomic?     The ports that each address has.

EndpointAddress atomic            One address that serves.
  ip         1  string!           The address.
  hostname   3  string?           The host name in the domain of the service.
  nodeName   4  string*           The node of the address.
  targetRef  2  ObjectReference*  The object of the address.

EndpointPort atomic          One port of the addresses.
  name         1  string?    The name; required if there are several ports.
  port         2  int32!     The port number.
  protocol     3  Protocol?  TCP, UDP or SCTP.
  appProtocol  4  string*    The application protocol.

ResourceQuota kind                Limits the resources that a namespace uses.
  spec    2  ResourceQuotaSpec    The limits.
  status  3  ResourceQuotaStatus  The usage.

ResourceQuotaSpec                                 The limits of a namespace.
  hard           1  ResourceList?                 The limit of each resource.
  scopes         2  []ResourceQuotaScope atomic?  Counts only objects that all of these scopes have.
  scopeSelector  3  ScopeSelector*                Counts only objects that match all of these requirements.

ResourceQuotaStatus       The usage.
  hard  1  ResourceList?  The limits in force.
  used  2  ResourceList?  The amount in use of each resource.

LimitRange kind            Limits of single objects of a namespace.
  spec  2  LimitRangeSpec  The limits.

LimitRangeSpec                         Limits by type of object.
  limits  1  []LimitRangeItem atomic!  The limits, with each type at most once.

LimitRangeItem                            Limits of one type of object.
  type                  1  LimitType!     The type: Container, Pod or PersistentVolumeClaim.
  max                   2  ResourceList?  The largest amounts.
  min                   3  ResourceList?  The smallest amounts.
  default               4  ResourceList?  The default limits.
  defaultRequest        5  ResourceList?  The default requests.
  maxLimitRequestRatio  6  ResourceList?  The maximum ratio of limit to request.

Event options                               Something that happened to an object.
  metadata             1  meta.ObjectMeta!  The metadata of the object.
  involvedObject       2  ObjectReference!  The object it happened to.
  reason               3  string?           The reason, in one word.
  message              4  string?           The message, for people.
  source               5  EventSource       The reporting component, in the core/v1 format.
  firstTimestamp       6  Time              When it was first reported.
  lastTimestamp        7  Time              When it was last reported.
  count                8  int32?            The number of occurrences.
  type                 9  string?           Normal or Warning.
  eventTime           10  MicroTime         When it first happened.
  series              11  EventSeries*      The number of occurrences.
  action              12  string?           What was done.
  related             13  ObjectReference*  A related object.
  reportingComponent  14  string            The program that reported it.
  reportingInstance   15  string            The instance that reported it.

EventSource              The reporting component, in the core/v1 format.
  component  1  string?  The program.
  host       2  string?  The host it runs on.

EventSeries                       How often an event happened.
  count             1  int32?     The number of occurrences.
  lastObservedTime  2  MicroTime  When it last happened.

ComponentStatus kind                                           The health of a component of the control plane.
  conditions  2  []ComponentCondition by(type)? merge key(type)  The observed conditions.

ComponentCondition                     A condition of a component.
  type     1  ComponentConditionType!  Type of the condition: Healthy.
  status   2  meta.ConditionStatus!    True, False or Unknown.
  message  3  string?                  The message of the component.
  error    4  string?                  The error that prevented the check.
`;
