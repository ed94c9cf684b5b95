/**
 * The part of the core/v1 field table (the input of `fieldTable`) that several kinds share: types with a name of their own (string enums,
 * maps), and structs.
 */
export const shared = `
FinalizerName = string
NamespacePhase = string {Active | Terminating}
NamespaceConditionType = string
SecretType = string
ResourceList = map(Quantity)
PersistentVolumeAccessMode = string {ReadOnlyMany, ReadWriteMany, ReadWriteOnce, ReadWriteOncePod}
PersistentVolumeReclaimPolicy = string {Delete, Recycle, Retain}
PersistentVolumeMode = string {Block, Filesystem}
HostPathType = string { | BlockDevice | CharDevice | Directory | DirectoryOrCreate | File | FileOrCreate | Socket}
AzureDataDiskCachingMode = string {None | ReadOnly | ReadWrite}
AzureDataDiskKind = string {Dedicated | Managed | Shared}
NodeSelectorOperator = string {DoesNotExist | Exists | Gt | In | Lt | NotIn}
PersistentVolumePhase = string {Available, Bound, Failed, Pending, Released}
PersistentVolumeClaimPhase = string {Bound, Lost, Pending}
ClaimResourceStatuses = map(ClaimResourceStatus) granular as map[v1.ResourceName]v1.ClaimResourceStatus
ClaimResourceStatus = string {ControllerResizeInProgress, ControllerResizeInfeasible, NodeResizeInProgress, NodeResizeInfeasible, NodeResizePending}
PersistentVolumeClaimConditionType = string
PersistentVolumeClaimModifyVolumeStatus = string {InProgress, Infeasible, Pending}
RestartPolicy = string {Always | Never | OnFailure}
DNSPolicy = string {ClusterFirst | ClusterFirstWithHostNet | Default | None}
PreemptionPolicy = string {Never, PreemptLowerPriority}
StorageMedium = string
PullPolicy = string {Always | IfNotPresent | Never}
ContainerRestartPolicy = string
TerminationMessagePolicy = string {FallbackToLogsOnError | File}
Protocol = string {SCTP, TCP, UDP}
ResourceName = string
ResourceResizeRestartPolicy = string
RecursiveReadOnlyMode = string
MountPropagationMode = string {Bidirectional | HostToContainer | None}
URIScheme = string {HTTP | HTTPS}
ProcMountType = string {Default | Unmasked}
Capability = string
SeccompProfileType = string {Localhost | RuntimeDefault | Unconfined}
AppArmorProfileType = string {Localhost | RuntimeDefault | Unconfined}
SupplementalGroupsPolicy = string {Merge | Strict}
PodFSGroupChangePolicy = string {Always | OnRootMismatch}
TolerationOperator = string {Equal, Exists}
TaintEffect = string {NoExecute, NoSchedule, PreferNoSchedule}
PodConditionType = string
UnsatisfiableConstraintAction = string {DoNotSchedule | ScheduleAnyway}
NodeInclusionPolicy = string {Honor | Ignore}
OSName = string
PodPhase = string {Failed | Pending | Running | Succeeded | Unknown}
PodQOSClass = string {BestEffort | Burstable | Guaranteed}
PodResizeStatus = string
ResourceID = string
ResourceHealthStatus = string
NodePhase = string {Pending | Running | Terminated}
UniqueVolumeName = string
NodeConditionType = string
NodeAddressType = string
ReplicationControllerConditionType = string
ServiceType = string {ClusterIP, ExternalName, LoadBalancer, NodePort}
ServiceAffinity = string {ClientIP, None}
ServiceExternalTrafficPolicy = string {Cluster, Local}
IPFamily = string {, IPv4, IPv6}
IPFamilyPolicy = string {PreferDualStack, RequireDualStack, SingleStack}
ServiceInternalTrafficPolicy = string {Cluster, Local}
LoadBalancerIPMode = string
ResourceQuotaScope = string {BestEffort | CrossNamespacePodAffinity | NotBestEffort | NotTerminating | PriorityClass | Terminating}
ScopeSelectorOperator = string {DoesNotExist, Exists, In, NotIn}
LimitType = string
ComponentConditionType = string

ObjectReference atomic           Names another object.
  kind             1  string?    Kind of the object.
  namespace        2  string?    Namespace of the object.
  name             3  string?    Name of the object.
  uid              4  meta.UID?  Uid of the object.
  apiVersion       5  string?    Group and version of the object.
  resourceVersion  6  string?    Version of the object.
  fieldPath        7  string?    A part of the object.

LocalObjectReference atomic  Names an object of the same namespace.
  name  1  string? =""  Name of the object.

SecretReference atomic   Names a secret.
  name       1  string?  Name of the secret.
  namespace  2  string?  Namespace of the secret.

NodeSelector atomic                                 Terms, one of which must match.
  nodeSelectorTerms  1  []NodeSelectorTerm atomic!  The terms.

NodeSelectorTerm atomic                                   Requirements, all of which must match.
  matchExpressions  1  []NodeSelectorRequirement atomic?  Requirements on labels.
  matchFields       2  []NodeSelectorRequirement atomic?  Requirements on fields.

NodeSelectorRequirement               One requirement on a node.
  key       1  string!                Key of the label or field.
  operator  2  NodeSelectorOperator!  In, NotIn, Exists, DoesNotExist, Gt or Lt.
  values    3  []string atomic?       Values to compare with.

VolumeResourceRequirements    The storage that a claim requests.
  limits    1  ResourceList?  The largest amounts of each resource.
  requests  2  ResourceList?  The smallest amounts of each resource.

TypedLocalObjectReference atomic  Names an object of any kind in the namespace.
  apiGroup  1  string~  Group of the object.
  kind      2  string!  Kind of the object.
  name      3  string!  Name of the object.

TypedObjectReference     Names an object of any kind.
  apiGroup   1  string~  Group of the object.
  kind       2  string!  Kind of the object.
  name       3  string!  Name of the object.
  namespace  4  string*  Namespace of the object.

ResourceRequirements                      The resources of a container.
  limits    1  ResourceList?              The largest amounts of each resource.
  requests  2  ResourceList?              The smallest amounts of each resource.
  claims    3  []ResourceClaim by(name)?  The claims of the pod that the container uses.

ResourceClaim          A claim of the pod that a container uses.
  name     1  string!  Name of the claim in the pod.
  request  2  string?  Name of a request in the claim.

Toleration                                   A taint that the pod tolerates.
  key                1  string?              Key of the taint; empty means all.
  operator           2  TolerationOperator?  Exists or Equal.
  value              3  string?              Value of the taint.
  effect             4  TaintEffect?         Effect of the taint; empty means all.
  tolerationSeconds  5  int64*               Seconds that NoExecute is tolerated.

Taint                         Repels pods from a node.
  key        1  string!       Key of the taint.
  value      2  string?       Value of the taint.
  effect     3  TaintEffect!  NoSchedule, PreferNoSchedule or NoExecute.
  timeAdded  4  Time*         When it was set.

NodeAddress                     One address of a node.
  type     1  NodeAddressType!  The type, such as Hostname or InternalIP.
  address  2  string!           The address.

ScopeSelector atomic                                                Selects objects by scopes.
  matchExpressions  1  []ScopedResourceSelectorRequirement atomic?  Requirements, all of which must match.

ScopedResourceSelectorRequirement       One requirement on objects.
  scopeName  1  ResourceQuotaScope!     The name of the scope.
  operator   2  ScopeSelectorOperator!  In, NotIn, Exists or DoesNotExist.
  values     3  []string atomic?        Values to compare with.

TopologySelectorTerm atomic                                             Selects topology segments by their labels.
  matchLabelExpressions  1  []TopologySelectorLabelRequirement atomic?  Requirements, all of which must match.

TopologySelectorLabelRequirement  One requirement on labels.
  key     1  string!           Key of the label.
  values  2  []string atomic!  The allowed values.
`;
