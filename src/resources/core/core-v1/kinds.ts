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
  type                1  NamespaceConditionType!  What the condition is about.
  status              2  meta.ConditionStatus!    True, False or Unknown.
  lastTransitionTime  4  Time                     When the status last changed.
  reason              5  string?                  The reason, in one word.
  message             6  string?                  The reason, for people.

ConfigMap kind                 Configuration for other objects to use.
  immutable   4  bool*         When true, only metadata can be changed.
  data        2  map(string)?  Text by key.
  binaryData  3  map(bytes)?   Bytes by key, base64.

Secret kind                    Data that not everybody may read.
  immutable   5  bool*         When true, only metadata can be changed.
  data        2  map(bytes)?   Bytes by key, base64.
  stringData  4  map(string)?  Text by key; moved into data when written, never read.
  type        3  SecretType?   What the data is for.

ServiceAccount kind                                                             An identity for programs.
  secrets                       2  []ObjectReference by(name)? merge key(name)  Secrets that programs with this account may use.
  imagePullSecrets              3  []LocalObjectReference atomic?               Secrets for pulling images.
  automountServiceAccountToken  4  bool*                                        Whether programs get a token without asking.

LinuxContainerUser                        User and groups of the first process.
  uid                 1  int64!           User id.
  gid                 2  int64!           Group id.
  supplementalGroups  3  []int64 atomic?  More groups.

Node kind                A machine that runs pods.
  spec    2  NodeSpec    The desired state of the node.
  status  3  NodeStatus  The observed state of the node.

NodeSpec                                 The desired state of a node.
  podCIDR        1  string?              Addresses for its pods.
  podCIDRs       7  []string set? merge  Addresses for its pods, by family.
  providerID     3  string?              Id at the provider.
  unschedulable  4  bool?                Whether new pods are kept away.
  taints         5  []Taint atomic?      Taints of the node.
  configSource   6  NodeConfigSource*    No longer used.
  externalID     2  string?              No longer used.

NodeConfigSource                            A source of configuration; no longer used.
  configMap  2  ConfigMapNodeConfigSource*  A config map.

ConfigMapNodeConfigSource         A config map; no longer used.
  namespace         1  string!    Namespace of the config map.
  name              2  string!    Name of the config map.
  uid               3  meta.UID?  Uid of the config map.
  resourceVersion   4  string?    Version of the config map.
  kubeletConfigKey  5  string!    Key in the config map.

NodeStatus                                                        The observed state of a node.
  capacity          1  ResourceList?                              All resources of the node.
  allocatable       2  ResourceList?                              The resources that pods can use.
  phase             3  NodePhase?                                 No longer set.
  conditions        4  []NodeCondition by(type)? merge key(type)  Its conditions.
  addresses         5  []NodeAddress by(type)? merge key(type)    Its addresses.
  daemonEndpoints   6  NodeDaemonEndpoints                        Ports of its own services.
  nodeInfo          7  NodeSystemInfo                             What it runs on.
  images            8  []ContainerImage atomic?                   Images on it.
  volumesInUse      9  []UniqueVolumeName atomic?                 Volumes in use.
  volumesAttached  10  []AttachedVolume atomic?                   Volumes attached.
  config           11  NodeConfigStatus*                          No longer set.
  runtimeHandlers  12  []NodeRuntimeHandler atomic?               Ways to run containers.
  features         13  NodeFeatures*                              What the container runtime can do.

NodeCondition                                   Something about a node that is true or not.
  type                1  NodeConditionType!     What the condition is about.
  status              2  meta.ConditionStatus!  True, False or Unknown.
  lastHeartbeatTime   3  Time                   When it was last reported.
  lastTransitionTime  4  Time                   When the status last changed.
  reason              5  string?                The reason, in one word.
  message             6  string?                The reason, for people.

NodeDaemonEndpoints                   Ports of the node's own services.
  kubeletEndpoint  1  DaemonEndpoint  Port of the node's agent.

DaemonEndpoint     A port.
  Port  1  int32!  Number of the port.

NodeSystemInfo                          What the node runs on.
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

NodeConfigStatus                       Which configuration is used; no longer set.
  assigned       1  NodeConfigSource*  The desired configuration.
  active         2  NodeConfigSource*  The configuration in use.
  lastKnownGood  3  NodeConfigSource*  The configuration to fall back to.
  error          4  string?            The problem.

NodeRuntimeHandler                          A way to run containers.
  name      1  string? =""                  Name of the handler.
  features  2  NodeRuntimeHandlerFeatures*  What it can do.

NodeRuntimeHandlerFeatures           What a runtime handler can do.
  recursiveReadOnlyMounts  1  bool*  Recursive read-only mounts.
  userNamespaces           2  bool*  User namespaces.

NodeFeatures                          What the container runtime can do.
  supplementalGroupsPolicy  1  bool*  Policies for supplemental groups.

ReplicationController kind                A number of equal pods, in the old form.
  spec    2  ReplicationControllerSpec    The desired pods.
  status  3  ReplicationControllerStatus  The observed pods.

ReplicationControllerSpec                  The desired pods.
  replicas         1  int32*               The number of pods.
  minReadySeconds  4  int32?               Seconds that a pod must be ready for to count as available.
  selector         2  map(string) atomic?  Labels of the pods; default those of the template.
  template         3  PodTemplateSpec*     The pods to make.

ReplicationControllerStatus                                              The observed pods.
  replicas              1  int32!                                        The number of pods.
  fullyLabeledReplicas  2  int32?                                        Pods with the labels of the template.
  readyReplicas         4  int32?                                        Pods that are ready.
  availableReplicas     5  int32?                                        Pods that have been ready for long enough.
  observedGeneration    3  int64?                                        The generation that was last looked at.
  conditions            6  []ReplicationControllerCondition by(type)? merge key(type)  The conditions.

ReplicationControllerCondition                                A condition of the controller.
  type                1  ReplicationControllerConditionType!  Type of the condition.
  status              2  meta.ConditionStatus!                True, False or Unknown.
  lastTransitionTime  3  Time                                 When its status last changed.
  reason              4  string?                              The reason, in one word.
  message             5  string?                              The reason, for people.

Service kind                A name and address for pods.
  spec    2  ServiceSpec    How it is reached.
  status  3  ServiceStatus  How it is.

ServiceSpec                                                                        How the service is reached.
  ports                           1  []ServicePort by(port,protocol)? merge key(port)  Its ports.
  selector                        2  map(string) atomic?                           Labels of the pods that serve.
  clusterIP                       3  string?                                       Its address in the cluster; None for none.
  clusterIPs                     18  []string atomic?                              Its addresses in the cluster, one of each family.
  type                            4  ServiceType?                                  Who can reach it: ClusterIP, NodePort, LoadBalancer, or ExternalName for a mere name.
  externalIPs                     5  []string atomic?                              More addresses, which somebody else routes to the nodes.
  sessionAffinity                 7  ServiceAffinity?                              Whether clients stay with a pod: None or ClientIP.
  loadBalancerIP                  8  string?                                       The address asked of the load balancer.
  loadBalancerSourceRanges        9  []string atomic?                              Who may use the load balancer.
  externalName                   10  string?                                       The name of it.
  externalTrafficPolicy          11  ServiceExternalTrafficPolicy?                 Where requests from outside go: Cluster or Local.
  healthCheckNodePort            12  int32?                                        The port that says whether a node serves.
  publishNotReadyAddresses       13  bool?                                         Whether pods count before they are ready.
  sessionAffinityConfig          14  SessionAffinityConfig*                        How clients stay with a pod.
  ipFamilies                     19  []IPFamily atomic?                            The families of its addresses.
  ipFamilyPolicy                 17  IPFamilyPolicy*                               Whether it has one family or both.
  allocateLoadBalancerNodePorts  20  bool*                                         Whether a load balancer needs ports of the nodes.
  loadBalancerClass              21  string*                                       The class of the load balancer.
  internalTrafficPolicy          22  ServiceInternalTrafficPolicy*                 Where requests from inside go: Cluster or Local.
  trafficDistribution            23  string*                                       Which endpoints are to be preferred.

ServicePort                       One port of a service.
  name         1  string?         Its name; there must be one where there are several ports.
  protocol     2  Protocol? =TCP  TCP, UDP or SCTP.
  appProtocol  6  string*         What is spoken above the protocol.
  port         3  int32!          Its number.
  targetPort   4  IntOrString     Number or name of the port of the pods.
  nodePort     5  int32?          Its number on every node.

SessionAffinityConfig           How clients stay with a pod.
  clientIP  1  ClientIPConfig*  By the address of the client.

ClientIPConfig               How long a client stays with a pod.
  timeoutSeconds  1  int32*  Seconds, at most a day.

ServiceStatus                                                  How it is.
  loadBalancer  1  LoadBalancerStatus                          Where it can be reached.
  conditions    2  []meta.Condition by(type)? merge key(type)  Its conditions.

LoadBalancerStatus                           Where it can be reached.
  ingress  1  []LoadBalancerIngress atomic?  The places.

LoadBalancerIngress                  One place where it can be reached.
  ip        1  string?               The address.
  hostname  2  string?               The name.
  ipMode    3  LoadBalancerIPMode*   How the address is treated: VIP or Proxy.
  ports     4  []PortStatus atomic?  How its ports are.

PortStatus                How one port is.
  port      1  int32!     Number of the port.
  protocol  2  Protocol!  TCP, UDP or SCTP.
  error     3  string*    What went wrong with it, in one word.

Endpoints kind                          The addresses of a service.
  subsets  2  []EndpointSubset atomic?  Addresses and ports: all of them together.

EndpointSubset                                     Addresses that have the same ports.
  addresses          1  []EndpointAddress atomic?  Addresses that are ready.
  notReadyAddresses  2  []EndpointAddress atomic?  Addresses that are not ready.
  ports              3  []EndpointPort atomic?     The ports that each address has.

EndpointAddress atomic            One address that serves.
  ip         1  string!           The address.
  hostname   3  string?           Its name in the domain of the service.
  nodeName   4  string*           The node that has it.
  targetRef  2  ObjectReference*  The object that has it.

EndpointPort atomic          One port of the addresses.
  name         1  string?    Its name; there must be one where there are several ports.
  port         2  int32!     Its number.
  protocol     3  Protocol?  TCP, UDP or SCTP.
  appProtocol  4  string*    What is spoken above the protocol.

ResourceQuota kind                Limits what the objects of a namespace use.
  spec    2  ResourceQuotaSpec    What the namespace may use.
  status  3  ResourceQuotaStatus  What it uses.

ResourceQuotaSpec                                 What a namespace may use.
  hard           1  ResourceList?                 The limit of each resource.
  scopes         2  []ResourceQuotaScope atomic?  Counts only objects that all of these scopes have.
  scopeSelector  3  ScopeSelector*                Counts only objects that all of these requirements pick.

ResourceQuotaStatus       What it uses.
  hard  1  ResourceList?  The limits in force.
  used  2  ResourceList?  The amount in use of each resource.

LimitRange kind            Limits of single objects of a namespace.
  spec  2  LimitRangeSpec  The limits.

LimitRangeSpec                         Limits by sorts of things.
  limits  1  []LimitRangeItem atomic!  The limits, each sort of thing once.

LimitRangeItem                            Limits of one sort of thing.
  type                  1  LimitType!     What is limited: Container, Pod or PersistentVolumeClaim.
  max                   2  ResourceList?  The largest amounts.
  min                   3  ResourceList?  The smallest amounts.
  default               4  ResourceList?  The limits of those that name none.
  defaultRequest        5  ResourceList?  The requests of those that name none.
  maxLimitRequestRatio  6  ResourceList?  How many times its request a limit may be.

Event options                               Something that happened to an object.
  metadata             1  meta.ObjectMeta!  The metadata of the object.
  involvedObject       2  ObjectReference!  The object it happened to.
  reason               3  string?           What happened, in one word.
  message              4  string?           What happened, for people.
  source               5  EventSource       The program that reported it, in the old form.
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

EventSource              The program that reported an event, in the old form.
  component  1  string?  The program.
  host       2  string?  The host it runs on.

EventSeries                       How often an event happened.
  count             1  int32?     The number of occurrences.
  lastObservedTime  2  MicroTime  When it last happened.

ComponentStatus kind                                           The health of a component of the control plane.
  conditions  2  []ComponentCondition by(type)? merge key(type)  What was observed.

ComponentCondition                     A condition of a component.
  type     1  ComponentConditionType!  What the condition is about: Healthy.
  status   2  meta.ConditionStatus!    True, False or Unknown.
  message  3  string?                  What the component says of itself.
  error    4  string?                  Why that is not known.
`;
