/** The core/v1 structs of pods, their scheduling, and their status, as input of `fieldTable`. */
export const pod = `
Pod kind                Containers that run together on a node.
  spec    2  PodSpec    The desired state of the pod.
  status  3  PodStatus  The observed state of the pod.

PodSpec                                                                            The desired state of a pod.
  volumes                         1  []Volume by(name)? merge retainKeys key(name)  Folders that containers can mount.
  initContainers                 20  []Container by(name)? merge key(name)         Containers that run before the others.
  containers                      2  []Container by(name)! merge key(name)         The containers.
  ephemeralContainers            34  []EphemeralContainer by(name)? merge key(name)  Containers added to the running pod.
  restartPolicy                   3  RestartPolicy?                                Always, OnFailure or Never.
  terminationGracePeriodSeconds   4  int64*                                        The grace period of the deletion, in seconds.
  activeDeadlineSeconds           5  int64*                                        The maximum running time in seconds.
  dnsPolicy                       6  DNSPolicy?                                    How names are resolved.
  nodeSelector                    7  map(string) atomic?                           Labels its node must have.
  serviceAccountName              8  string?                                       The service account.
  serviceAccount                  9  string?                                       Deprecated alias of serviceAccountName.
  automountServiceAccountToken   21  bool*                                         Whether a token is mounted by default.
  nodeName                       10  string?                                       Node it runs on.
  hostNetwork                    11  bool?                                         Whether it uses the node's network.
  hostPID                        12  bool?                                         Whether it sees the node's processes.
  hostIPC                        13  bool?                                         Whether it uses the node's IPC.
  shareProcessNamespace          27  bool*                                         Whether containers see each other's processes.
  securityContext                14  PodSecurityContext*                           Security settings of all containers.
  imagePullSecrets               15  []LocalObjectReference by(name)? merge key(name)  Secrets for pulling images.
  hostname                       16  string?                                       Its host name.
  subdomain                      17  string?                                       The subdomain.
  affinity                       18  Affinity*                                     Scheduling rules.
  schedulerName                  19  string?                                       Name of its scheduler.
  tolerations                    22  []Toleration atomic?                          Taints that the pod tolerates.
  hostAliases                    23  []HostAlias by(ip)? merge key(ip)             Additional host names.
  priorityClassName              24  string?                                       Class of its priority.
  priority                       25  int32*                                        Its priority.
  dnsConfig                      26  PodDNSConfig*                                 How names are resolved.
  readinessGates                 28  []PodReadinessGate atomic?                    Conditions that readiness depends on.
  runtimeClassName               29  string*                                       Class of the runtime.
  enableServiceLinks             30  bool*                                         Whether services are published as environment variables.
  preemptionPolicy               31  PreemptionPolicy*                             Whether it may preempt other pods.
  overhead                       32  ResourceList?                                 Resources in addition to those of its containers.
  topologySpreadConstraints      33  []TopologySpreadConstraint by(topologyKey,whenUnsatisfiable)? merge key(topologyKey)  Rules that spread similar pods.
  setHostnameAsFQDN              35  bool*                                         Whether its host name is its full name.
  os                             36  PodOS*                                        The operating system.
  hostUsers                      37  bool*                                         Whether it uses the node's users.
  schedulingGates                38  []PodSchedulingGate by(name)? merge key(name)  Gates that delay scheduling.
  resourceClaims                 39  []PodResourceClaim by(name)? merge retainKeys key(name)  Claims for devices.

ObjectFieldSelector atomic  A field of the pod.
  apiVersion  1  string?  The API version of the path.
  fieldPath   2  string!  Path of the field.

ResourceFieldSelector atomic  A resource amount of a container.
  containerName  1  string?   Container; needed for volumes.
  resource       2  string!   The amount, such as limits.cpu.
  divisor        3  Quantity  Unit of the result.

PodSecurityContext                                              Security settings of all containers.
  seLinuxOptions             1  SELinuxOptions*                 SELinux labels.
  windowsOptions             8  WindowsSecurityContextOptions*  Settings for Windows.
  runAsUser                  2  int64*                          User id of the processes.
  runAsGroup                 6  int64*                          Group id of the processes.
  runAsNonRoot               3  bool*                           Whether root is refused.
  supplementalGroups         4  []int64 atomic?                 Supplemental groups of the processes.
  supplementalGroupsPolicy  12  SupplementalGroupsPolicy*       Whether groups of the image are added.
  fsGroup                    5  int64*                          Group that owns the volumes.
  sysctls                    7  []Sysctl atomic?                Kernel settings.
  fsGroupChangePolicy        9  PodFSGroupChangePolicy*         When the owner of the volumes is changed.
  seccompProfile            10  SeccompProfile*                 The seccomp profile.
  appArmorProfile           11  AppArmorProfile*                The AppArmor profile.

Sysctl               One kernel setting.
  name   1  string!  Name of the setting.
  value  2  string!  Its value.

Affinity                                Scheduling rules of a pod.
  nodeAffinity     1  NodeAffinity*     Preferences and requirements for nodes.
  podAffinity      2  PodAffinity*      Preferences and requirements for nearby pods.
  podAntiAffinity  3  PodAntiAffinity*  Preferences and requirements for distant pods.

NodeAffinity                                                                             The selected nodes.
  requiredDuringSchedulingIgnoredDuringExecution   1  NodeSelector*                      The requirements.
  preferredDuringSchedulingIgnoredDuringExecution  2  []PreferredSchedulingTerm atomic?  Weighted preferences.

PreferredSchedulingTerm             A weighted preference for nodes.
  weight      1  int32!             From 1 to 100.
  preference  2  NodeSelectorTerm!  The selected nodes.

PodAffinity                                                                              Preferences and requirements for nearby pods.
  requiredDuringSchedulingIgnoredDuringExecution   1  []PodAffinityTerm atomic?          The requirements.
  preferredDuringSchedulingIgnoredDuringExecution  2  []WeightedPodAffinityTerm atomic?  Weighted preferences.

PodAffinityTerm                              The selected pods and their topology.
  labelSelector      1  meta.LabelSelector*  Selects the pods.
  namespaces         2  []string atomic?     Namespaces of the pods.
  topologyKey        3  string!              The node label whose values define the places.
  namespaceSelector  4  meta.LabelSelector*  Selects the namespaces.
  matchLabelKeys     5  []string atomic?     Labels that must have the same value.
  mismatchLabelKeys  6  []string atomic?     Labels that must have different values.

WeightedPodAffinityTerm                 A weighted preference for pods.
  weight           1  int32!            From 1 to 100.
  podAffinityTerm  2  PodAffinityTerm!  The selected pods.

PodAntiAffinity                                                                          Preferences and requirements for distant pods.
  requiredDuringSchedulingIgnoredDuringExecution   1  []PodAffinityTerm atomic?          The requirements.
  preferredDuringSchedulingIgnoredDuringExecution  2  []WeightedPodAffinityTerm atomic?  Weighted preferences.

HostAlias                         Host names of one address.
  ip         1  string!           The address.
  hostnames  2  []string atomic?  The names.

PodDNSConfig                                    How names are resolved.
  nameservers  1  []string atomic?              Addresses of the servers.
  searches     2  []string atomic?              Domains to search.
  options      3  []PodDNSConfigOption atomic?  Options of the resolver.

PodDNSConfigOption   One option of the resolver.
  name   1  string?  Name of the option.
  value  2  string*  Its value.

PodReadinessGate                       A condition that readiness depends on.
  conditionType  1  PodConditionType!  Type of the condition.

TopologySpreadConstraint                                 Rules that spread similar pods.
  maxSkew             1  int32!                          The largest difference between places.
  topologyKey         2  string!                         The node label whose values define the places.
  whenUnsatisfiable   3  UnsatisfiableConstraintAction!  DoNotSchedule or ScheduleAnyway.
  labelSelector       4  meta.LabelSelector*             Selects the pods that count.
  minDomains          5  int32*                          The smallest number of places.
  nodeAffinityPolicy  6  NodeInclusionPolicy*            Whether affinity limits the nodes that count.
  nodeTaintsPolicy    7  NodeInclusionPolicy*            Whether taints limit the nodes that count.
  matchLabelKeys      8  []string atomic?                Labels that must have the same value.

PodOS               The operating system.
  name  1  OSName!  linux or windows.

PodSchedulingGate   A gate that delays scheduling.
  name  1  string!  Name of the gate.

PodResourceClaim                         A claim for devices.
  name                       1  string!  Name of the claim in the pod.
  resourceClaimName          3  string*  Name of an existing claim.
  resourceClaimTemplateName  4  string*  Name of a template for a new claim.

PodStatus                                                                       The observed state of a pod.
  phase                        1  PodPhase?                                     Pending, Running, Succeeded, Failed or Unknown.
  conditions                   2  []PodCondition by(type)? merge key(type)      Its conditions.
  message                      3  string?                                       The reason, for people.
  reason                       4  string?                                       The reason, in one word.
  nominatedNodeName           11  string?                                       Node that it may get after other pods are preempted.
  hostIP                       5  string?                                       Address of its node.
  hostIPs                     16  []HostIP atomic? merge key(ip)                Addresses of its node.
  podIP                        6  string?                                       Its address.
  podIPs                      12  []PodIP by(ip)? merge key(ip)                 Its addresses.
  startTime                    7  Time*                                         When the node accepted the pod.
  initContainerStatuses       10  []ContainerStatus atomic?                     States of the init containers.
  containerStatuses            8  []ContainerStatus atomic?                     States of the containers.
  qosClass                     9  PodQOSClass?                                  Guaranteed, Burstable or BestEffort.
  ephemeralContainerStatuses  13  []ContainerStatus atomic?                     States of the added containers.
  resize                      14  PodResizeStatus?                              The progress of a resize.
  resourceClaimStatuses       15  []PodResourceClaimStatus by(name)? merge retainKeys key(name)  Names of the created claims.

PodCondition                                    A condition of a pod.
  type                1  PodConditionType!      Type of the condition.
  status              2  meta.ConditionStatus!  True, False or Unknown.
  lastProbeTime       3  Time                   When it was last checked.
  lastTransitionTime  4  Time                   When the status last changed.
  reason              5  string?                The reason, in one word.
  message             6  string?                The reason, for people.

HostIP            An address of the node.
  ip  1  string!  The address.

PodIP             An address of the pod.
  ip  1  string!  The address.

PodResourceClaimStatus           Name of the created claim.
  name               1  string!  Name of the claim in the pod.
  resourceClaimName  2  string*  Name of the claim.

Binding kind                   Assigns a pod to a node.
  target  2  ObjectReference!  The node.

PodTemplate kind                A template of pods.
  template  2  PodTemplateSpec  The template of the pods.

PodTemplateSpec                 The template of the pods.
  metadata  1  meta.ObjectMeta  Labels and annotations of the pods.
  spec      2  PodSpec          The desired state of the pods.

`;
