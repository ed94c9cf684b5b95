// Made by `npm run api-types` of core-v1.ts.
import type { Filled } from '../../meta/sent-form.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface CoreV1 {
  ObjectReference: ObjectReference;
  LocalObjectReference: LocalObjectReference;
  SecretReference: SecretReference;
  NodeSelector: NodeSelector;
  NodeSelectorTerm: NodeSelectorTerm;
  NodeSelectorRequirement: NodeSelectorRequirement;
  VolumeResourceRequirements: VolumeResourceRequirements;
  TypedLocalObjectReference: TypedLocalObjectReference;
  TypedObjectReference: TypedObjectReference;
  ResourceRequirements: ResourceRequirements;
  ResourceClaim: ResourceClaim;
  Toleration: Toleration;
  Taint: Taint;
  NodeAddress: NodeAddress;
  ScopeSelector: ScopeSelector;
  ScopedResourceSelectorRequirement: ScopedResourceSelectorRequirement;
  TopologySelectorTerm: TopologySelectorTerm;
  TopologySelectorLabelRequirement: TopologySelectorLabelRequirement;
  PersistentVolume: PersistentVolume;
  PersistentVolumeSpec: PersistentVolumeSpec;
  VolumeNodeAffinity: VolumeNodeAffinity;
  PersistentVolumeStatus: PersistentVolumeStatus;
  PersistentVolumeClaim: PersistentVolumeClaim;
  PersistentVolumeClaimSpec: PersistentVolumeClaimSpec;
  PersistentVolumeClaimStatus: PersistentVolumeClaimStatus;
  PersistentVolumeClaimCondition: PersistentVolumeClaimCondition;
  ModifyVolumeStatus: ModifyVolumeStatus;
  Volume: Volume;
  KeyToPath: KeyToPath;
  DownwardAPIVolumeFile: DownwardAPIVolumeFile;
  PersistentVolumeClaimTemplate: PersistentVolumeClaimTemplate;
  VolumeMount: VolumeMount;
  VolumeDevice: VolumeDevice;
  VolumeMountStatus: VolumeMountStatus;
  AttachedVolume: AttachedVolume;
  GCEPersistentDiskVolumeSource: GCEPersistentDiskVolumeSource;
  AWSElasticBlockStoreVolumeSource: AWSElasticBlockStoreVolumeSource;
  HostPathVolumeSource: HostPathVolumeSource;
  GlusterfsPersistentVolumeSource: GlusterfsPersistentVolumeSource;
  NFSVolumeSource: NFSVolumeSource;
  RBDPersistentVolumeSource: RBDPersistentVolumeSource;
  ISCSIPersistentVolumeSource: ISCSIPersistentVolumeSource;
  CinderPersistentVolumeSource: CinderPersistentVolumeSource;
  CephFSPersistentVolumeSource: CephFSPersistentVolumeSource;
  FCVolumeSource: FCVolumeSource;
  FlockerVolumeSource: FlockerVolumeSource;
  FlexPersistentVolumeSource: FlexPersistentVolumeSource;
  AzureFilePersistentVolumeSource: AzureFilePersistentVolumeSource;
  VsphereVirtualDiskVolumeSource: VsphereVirtualDiskVolumeSource;
  QuobyteVolumeSource: QuobyteVolumeSource;
  AzureDiskVolumeSource: AzureDiskVolumeSource;
  PhotonPersistentDiskVolumeSource: PhotonPersistentDiskVolumeSource;
  PortworxVolumeSource: PortworxVolumeSource;
  ScaleIOPersistentVolumeSource: ScaleIOPersistentVolumeSource;
  LocalVolumeSource: LocalVolumeSource;
  StorageOSPersistentVolumeSource: StorageOSPersistentVolumeSource;
  CSIPersistentVolumeSource: CSIPersistentVolumeSource;
  EmptyDirVolumeSource: EmptyDirVolumeSource;
  GitRepoVolumeSource: GitRepoVolumeSource;
  SecretVolumeSource: SecretVolumeSource;
  ISCSIVolumeSource: ISCSIVolumeSource;
  GlusterfsVolumeSource: GlusterfsVolumeSource;
  PersistentVolumeClaimVolumeSource: PersistentVolumeClaimVolumeSource;
  RBDVolumeSource: RBDVolumeSource;
  FlexVolumeSource: FlexVolumeSource;
  CinderVolumeSource: CinderVolumeSource;
  CephFSVolumeSource: CephFSVolumeSource;
  DownwardAPIVolumeSource: DownwardAPIVolumeSource;
  AzureFileVolumeSource: AzureFileVolumeSource;
  ConfigMapVolumeSource: ConfigMapVolumeSource;
  ProjectedVolumeSource: ProjectedVolumeSource;
  VolumeProjection: VolumeProjection;
  SecretProjection: SecretProjection;
  DownwardAPIProjection: DownwardAPIProjection;
  ConfigMapProjection: ConfigMapProjection;
  ServiceAccountTokenProjection: ServiceAccountTokenProjection;
  ClusterTrustBundleProjection: ClusterTrustBundleProjection;
  ScaleIOVolumeSource: ScaleIOVolumeSource;
  StorageOSVolumeSource: StorageOSVolumeSource;
  CSIVolumeSource: CSIVolumeSource;
  EphemeralVolumeSource: EphemeralVolumeSource;
  ImageVolumeSource: ImageVolumeSource;
  Pod: Pod;
  PodSpec: PodSpec;
  ObjectFieldSelector: ObjectFieldSelector;
  ResourceFieldSelector: ResourceFieldSelector;
  PodSecurityContext: PodSecurityContext;
  Sysctl: Sysctl;
  Affinity: Affinity;
  NodeAffinity: NodeAffinity;
  PreferredSchedulingTerm: PreferredSchedulingTerm;
  PodAffinity: PodAffinity;
  PodAffinityTerm: PodAffinityTerm;
  WeightedPodAffinityTerm: WeightedPodAffinityTerm;
  PodAntiAffinity: PodAntiAffinity;
  HostAlias: HostAlias;
  PodDNSConfig: PodDNSConfig;
  PodDNSConfigOption: PodDNSConfigOption;
  PodReadinessGate: PodReadinessGate;
  TopologySpreadConstraint: TopologySpreadConstraint;
  PodOS: PodOS;
  PodSchedulingGate: PodSchedulingGate;
  PodResourceClaim: PodResourceClaim;
  PodStatus: PodStatus;
  PodCondition: PodCondition;
  HostIP: HostIP;
  PodIP: PodIP;
  PodResourceClaimStatus: PodResourceClaimStatus;
  Binding: Binding;
  PodTemplate: PodTemplate;
  PodTemplateSpec: PodTemplateSpec;
  Container: Container;
  ContainerPort: ContainerPort;
  EnvFromSource: EnvFromSource;
  ConfigMapEnvSource: ConfigMapEnvSource;
  SecretEnvSource: SecretEnvSource;
  EnvVar: EnvVar;
  EnvVarSource: EnvVarSource;
  ConfigMapKeySelector: ConfigMapKeySelector;
  SecretKeySelector: SecretKeySelector;
  ContainerResizePolicy: ContainerResizePolicy;
  Probe: Probe;
  ExecAction: ExecAction;
  HTTPGetAction: HTTPGetAction;
  HTTPHeader: HTTPHeader;
  TCPSocketAction: TCPSocketAction;
  GRPCAction: GRPCAction;
  Lifecycle: Lifecycle;
  LifecycleHandler: LifecycleHandler;
  SleepAction: SleepAction;
  SecurityContext: SecurityContext;
  Capabilities: Capabilities;
  SELinuxOptions: SELinuxOptions;
  WindowsSecurityContextOptions: WindowsSecurityContextOptions;
  SeccompProfile: SeccompProfile;
  AppArmorProfile: AppArmorProfile;
  EphemeralContainer: EphemeralContainer;
  ContainerStatus: ContainerStatus;
  ContainerState: ContainerState;
  ContainerStateWaiting: ContainerStateWaiting;
  ContainerStateRunning: ContainerStateRunning;
  ContainerStateTerminated: ContainerStateTerminated;
  ContainerUser: ContainerUser;
  ResourceStatus: ResourceStatus;
  ResourceHealth: ResourceHealth;
  ContainerImage: ContainerImage;
  Namespace: Namespace;
  NamespaceSpec: NamespaceSpec;
  NamespaceStatus: NamespaceStatus;
  NamespaceCondition: NamespaceCondition;
  ConfigMap: ConfigMap;
  Secret: Secret;
  ServiceAccount: ServiceAccount;
  LinuxContainerUser: LinuxContainerUser;
  Node: Node;
  NodeSpec: NodeSpec;
  NodeConfigSource: NodeConfigSource;
  ConfigMapNodeConfigSource: ConfigMapNodeConfigSource;
  NodeStatus: NodeStatus;
  NodeCondition: NodeCondition;
  NodeDaemonEndpoints: NodeDaemonEndpoints;
  DaemonEndpoint: DaemonEndpoint;
  NodeSystemInfo: NodeSystemInfo;
  NodeConfigStatus: NodeConfigStatus;
  NodeRuntimeHandler: NodeRuntimeHandler;
  NodeRuntimeHandlerFeatures: NodeRuntimeHandlerFeatures;
  NodeFeatures: NodeFeatures;
  ReplicationController: ReplicationController;
  ReplicationControllerSpec: ReplicationControllerSpec;
  ReplicationControllerStatus: ReplicationControllerStatus;
  ReplicationControllerCondition: ReplicationControllerCondition;
  Service: Service;
  ServiceSpec: ServiceSpec;
  ServicePort: ServicePort;
  SessionAffinityConfig: SessionAffinityConfig;
  ClientIPConfig: ClientIPConfig;
  ServiceStatus: ServiceStatus;
  LoadBalancerStatus: LoadBalancerStatus;
  LoadBalancerIngress: LoadBalancerIngress;
  PortStatus: PortStatus;
  Endpoints: Endpoints;
  EndpointSubset: EndpointSubset;
  EndpointAddress: EndpointAddress;
  EndpointPort: EndpointPort;
  ResourceQuota: ResourceQuota;
  ResourceQuotaSpec: ResourceQuotaSpec;
  ResourceQuotaStatus: ResourceQuotaStatus;
  LimitRange: LimitRange;
  LimitRangeSpec: LimitRangeSpec;
  LimitRangeItem: LimitRangeItem;
  Event: Event;
  EventSource: EventSource;
  EventSeries: EventSeries;
  ComponentStatus: ComponentStatus;
  ComponentCondition: ComponentCondition;
}

export type FinalizerName = string;

export type NamespacePhase = 'Active' | 'Terminating';

export type NamespaceConditionType = string;

export type SecretType = string;

export type ResourceList = { readonly [key: string]: string };

export type PersistentVolumeAccessMode = string;

export type PersistentVolumeReclaimPolicy = string;

export type PersistentVolumeMode = string;

export type HostPathType = '' | 'BlockDevice' | 'CharDevice' | 'Directory' | 'DirectoryOrCreate' | 'File' | 'FileOrCreate' | 'Socket';

export type AzureDataDiskCachingMode = 'None' | 'ReadOnly' | 'ReadWrite';

export type AzureDataDiskKind = 'Dedicated' | 'Managed' | 'Shared';

export type NodeSelectorOperator = 'DoesNotExist' | 'Exists' | 'Gt' | 'In' | 'Lt' | 'NotIn';

export type PersistentVolumePhase = string;

export type PersistentVolumeClaimPhase = string;

export type ClaimResourceStatuses = { readonly [key: string]: ClaimResourceStatus };

export type ClaimResourceStatus = string;

export type PersistentVolumeClaimConditionType = string;

export type PersistentVolumeClaimModifyVolumeStatus = string;

export type RestartPolicy = 'Always' | 'Never' | 'OnFailure';

export type DNSPolicy = 'ClusterFirst' | 'ClusterFirstWithHostNet' | 'Default' | 'None';

export type PreemptionPolicy = string;

export type StorageMedium = string;

export type PullPolicy = 'Always' | 'IfNotPresent' | 'Never';

export type ContainerRestartPolicy = string;

export type TerminationMessagePolicy = 'FallbackToLogsOnError' | 'File';

export type Protocol = string;

export type ResourceName = string;

export type ResourceResizeRestartPolicy = string;

export type RecursiveReadOnlyMode = string;

export type MountPropagationMode = 'Bidirectional' | 'HostToContainer' | 'None';

export type URIScheme = 'HTTP' | 'HTTPS';

export type ProcMountType = 'Default' | 'Unmasked';

export type Capability = string;

export type SeccompProfileType = 'Localhost' | 'RuntimeDefault' | 'Unconfined';

export type AppArmorProfileType = 'Localhost' | 'RuntimeDefault' | 'Unconfined';

export type SupplementalGroupsPolicy = 'Merge' | 'Strict';

export type PodFSGroupChangePolicy = 'Always' | 'OnRootMismatch';

export type TolerationOperator = string;

export type TaintEffect = string;

export type PodConditionType = string;

export type UnsatisfiableConstraintAction = 'DoNotSchedule' | 'ScheduleAnyway';

export type NodeInclusionPolicy = 'Honor' | 'Ignore';

export type OSName = string;

export type PodPhase = 'Failed' | 'Pending' | 'Running' | 'Succeeded' | 'Unknown';

export type PodQOSClass = 'BestEffort' | 'Burstable' | 'Guaranteed';

export type PodResizeStatus = string;

export type ResourceID = string;

export type ResourceHealthStatus = string;

export type NodePhase = 'Pending' | 'Running' | 'Terminated';

export type UniqueVolumeName = string;

export type NodeConditionType = string;

export type NodeAddressType = string;

export type ReplicationControllerConditionType = string;

export type ServiceType = string;

export type ServiceAffinity = string;

export type ServiceExternalTrafficPolicy = string;

export type IPFamily = string;

export type IPFamilyPolicy = string;

export type ServiceInternalTrafficPolicy = string;

export type LoadBalancerIPMode = string;

export type ResourceQuotaScope = 'BestEffort' | 'CrossNamespacePodAffinity' | 'NotBestEffort' | 'NotTerminating' | 'PriorityClass' | 'Terminating';

export type ScopeSelectorOperator = string;

export type LimitType = string;

export type ComponentConditionType = string;

/** Names another object. */
export interface ObjectReference {
  /** Kind of the object. */
  readonly kind?: string;
  /** Namespace of the object. */
  readonly namespace?: string;
  /** Name of the object. */
  readonly name?: string;
  /** Uid of the object. */
  readonly uid?: meta.UID;
  /** Group and version of the object. */
  readonly apiVersion?: string;
  /** Version of the object. */
  readonly resourceVersion?: string;
  /** A part of the object. */
  readonly fieldPath?: string;
}

/** Names an object of the same namespace. */
export interface LocalObjectReference {
  /** Name of the object. */
  readonly name?: string;
}

/** Names a secret. */
export interface SecretReference {
  /** Name of the secret. */
  readonly name?: string;
  /** Namespace of the secret. */
  readonly namespace?: string;
}

/** Terms, one of which must match. */
export interface NodeSelector {
  /** The terms. */
  readonly nodeSelectorTerms: readonly NodeSelectorTerm[];
}

/** Requirements, all of which must match. */
export interface NodeSelectorTerm {
  /** Requirements on labels. */
  readonly matchExpressions?: readonly NodeSelectorRequirement[];
  /** Requirements on fields. */
  readonly matchFields?: readonly NodeSelectorRequirement[];
}

/** One requirement on a node. */
export interface NodeSelectorRequirement {
  /** Key of the label or field. */
  readonly key: string;
  /** In, NotIn, Exists, DoesNotExist, Gt or Lt. */
  readonly operator: NodeSelectorOperator;
  /** Values to compare with. */
  readonly values?: readonly string[];
}

/** The storage that a claim requests. */
export interface VolumeResourceRequirements {
  /** The largest amounts of each resource. */
  readonly limits?: ResourceList;
  /** The smallest amounts of each resource. */
  readonly requests?: ResourceList;
}

/** Names an object of any kind in the namespace. */
export interface TypedLocalObjectReference {
  /** Group of the object. */
  readonly apiGroup: string | null;
  /** Kind of the object. */
  readonly kind: string;
  /** Name of the object. */
  readonly name: string;
}

/** Names an object of any kind. */
export interface TypedObjectReference {
  /** Group of the object. */
  readonly apiGroup: string | null;
  /** Kind of the object. */
  readonly kind: string;
  /** Name of the object. */
  readonly name: string;
  /** Namespace of the object. */
  readonly namespace?: string;
}

/** The resources of a container. */
export interface ResourceRequirements {
  /** The largest amounts of each resource. */
  readonly limits?: ResourceList;
  /** The smallest amounts of each resource. */
  readonly requests?: ResourceList;
  /** The claims of the pod that the container uses. */
  readonly claims?: readonly ResourceClaim[];
}

/** A claim of the pod that a container uses. */
export interface ResourceClaim {
  /** Name of the claim in the pod. */
  readonly name: string;
  /** Name of a request in the claim. */
  readonly request?: string;
}

/** A taint that the pod tolerates. */
export interface Toleration {
  /** Key of the taint; empty means all. */
  readonly key?: string;
  /** Exists or Equal. */
  readonly operator?: TolerationOperator;
  /** Value of the taint. */
  readonly value?: string;
  /** Effect of the taint; empty means all. */
  readonly effect?: TaintEffect;
  /** Seconds that NoExecute is tolerated. */
  readonly tolerationSeconds?: number;
}

/** Repels pods from a node. */
export interface Taint {
  /** Key of the taint. */
  readonly key: string;
  /** Value of the taint. */
  readonly value?: string;
  /** NoSchedule, PreferNoSchedule or NoExecute. */
  readonly effect: TaintEffect;
  /** When it was set. */
  readonly timeAdded?: string;
}

/** One address of a node. */
export interface NodeAddress {
  /** The type, such as Hostname or InternalIP. */
  readonly type: NodeAddressType;
  /** The address. */
  readonly address: string;
}

/** Selects objects by scopes. */
export interface ScopeSelector {
  /** Requirements, all of which must match. */
  readonly matchExpressions?: readonly ScopedResourceSelectorRequirement[];
}

/** One requirement on objects. */
export interface ScopedResourceSelectorRequirement {
  /** The name of the scope. */
  readonly scopeName: ResourceQuotaScope;
  /** In, NotIn, Exists or DoesNotExist. */
  readonly operator: ScopeSelectorOperator;
  /** Values to compare with. */
  readonly values?: readonly string[];
}

/** Selects topology segments by their labels. */
export interface TopologySelectorTerm {
  /** Requirements, all of which must match. */
  readonly matchLabelExpressions?: readonly TopologySelectorLabelRequirement[];
}

/** One requirement on labels. */
export interface TopologySelectorLabelRequirement {
  /** Key of the label. */
  readonly key: string;
  /** The allowed values. */
  readonly values: readonly string[];
}

/** A piece of storage of the cluster. */
export interface PersistentVolume extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The location and usage of the volume. */
  readonly spec: PersistentVolumeSpec;
  /** The current phase. */
  readonly status: PersistentVolumeStatus;
}

/** The location and usage of a volume. */
export interface PersistentVolumeSpec {
  /** The capacity. */
  readonly capacity?: ResourceList;
  /** A disk of Google Compute Engine. */
  readonly gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  /** A disk of Amazon's block store. */
  readonly awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  /** A file or folder of the node. */
  readonly hostPath?: HostPathVolumeSource;
  /** A Glusterfs volume. */
  readonly glusterfs?: GlusterfsPersistentVolumeSource;
  /** A folder of a network file server. */
  readonly nfs?: NFSVolumeSource;
  /** A Ceph block device. */
  readonly rbd?: RBDPersistentVolumeSource;
  /** A disk reached over iSCSI. */
  readonly iscsi?: ISCSIPersistentVolumeSource;
  /** An OpenStack disk. */
  readonly cinder?: CinderPersistentVolumeSource;
  /** A Ceph file system. */
  readonly cephfs?: CephFSPersistentVolumeSource;
  /** A fibre channel disk. */
  readonly fc?: FCVolumeSource;
  /** A Flocker volume. */
  readonly flocker?: FlockerVolumeSource;
  /** A volume of a plug-in command. */
  readonly flexVolume?: FlexPersistentVolumeSource;
  /** An Azure file share. */
  readonly azureFile?: AzureFilePersistentVolumeSource;
  /** A vSphere disk. */
  readonly vsphereVolume?: VsphereVirtualDiskVolumeSource;
  /** A Quobyte volume. */
  readonly quobyte?: QuobyteVolumeSource;
  /** An Azure disk. */
  readonly azureDisk?: AzureDiskVolumeSource;
  /** A Photon disk. */
  readonly photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  /** A Portworx volume. */
  readonly portworxVolume?: PortworxVolumeSource;
  /** A ScaleIO volume. */
  readonly scaleIO?: ScaleIOPersistentVolumeSource;
  /** A disk of a node. */
  readonly local?: LocalVolumeSource;
  /** A StorageOS volume. */
  readonly storageos?: StorageOSPersistentVolumeSource;
  /** A volume of a storage driver. */
  readonly csi?: CSIPersistentVolumeSource;
  /** The access modes. */
  readonly accessModes?: readonly PersistentVolumeAccessMode[];
  /** The claim that the volume is bound to. */
  readonly claimRef?: ObjectReference;
  /** The reclaim policy after the deletion of the claim: Delete, Recycle or Retain. */
  readonly persistentVolumeReclaimPolicy?: PersistentVolumeReclaimPolicy;
  /** Its class. */
  readonly storageClassName?: string;
  /** Options for mounting. */
  readonly mountOptions?: readonly string[];
  /** Filesystem or Block. */
  readonly volumeMode?: PersistentVolumeMode;
  /** The nodes with access to the volume. */
  readonly nodeAffinity?: VolumeNodeAffinity;
  /** The class of its volume attributes. */
  readonly volumeAttributesClassName?: string;
}

/** The nodes with access to a volume. */
export interface VolumeNodeAffinity {
  /** The requirements on nodes. */
  readonly required?: NodeSelector;
}

/** The observed state of a volume. */
export interface PersistentVolumeStatus {
  /** Pending, Available, Bound, Released or Failed. */
  readonly phase?: PersistentVolumePhase;
  /** The reason for the phase, for people. */
  readonly message?: string;
  /** The reason for the phase, in one word. */
  readonly reason?: string;
  /** When the phase last changed. */
  readonly lastPhaseTransitionTime?: string;
}

/** A request for storage. */
export interface PersistentVolumeClaim extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The requested storage. */
  readonly spec: PersistentVolumeClaimSpec;
  /** The current phase. */
  readonly status: PersistentVolumeClaimStatus;
}

/** The requested storage. */
export interface PersistentVolumeClaimSpec extends Filled<'resources'> {
  /** The requested access modes. */
  readonly accessModes?: readonly PersistentVolumeAccessMode[];
  /** Selects volumes. */
  readonly selector?: meta.LabelSelector;
  /** The requested amount. */
  readonly resources: VolumeResourceRequirements;
  /** Name of the bound volume. */
  readonly volumeName?: string;
  /** Class of the storage. */
  readonly storageClassName?: string;
  /** Filesystem or Block. */
  readonly volumeMode?: PersistentVolumeMode;
  /** The initial content of the volume. */
  readonly dataSource?: TypedLocalObjectReference;
  /** The initial content of the volume, from an object of any kind. */
  readonly dataSourceRef?: TypedObjectReference;
  /** The class of its volume attributes. */
  readonly volumeAttributesClassName?: string;
}

/** The observed state of a claim. */
export interface PersistentVolumeClaimStatus {
  /** Pending, Bound or Lost. */
  readonly phase?: PersistentVolumeClaimPhase;
  /** The access modes of the volume. */
  readonly accessModes?: readonly PersistentVolumeAccessMode[];
  /** The capacity of the volume. */
  readonly capacity?: ResourceList;
  /** The conditions. */
  readonly conditions?: readonly PersistentVolumeClaimCondition[];
  /** The requested capacity of the volume. */
  readonly allocatedResources?: ResourceList;
  /** The progress of the expansion. */
  readonly allocatedResourceStatuses?: ClaimResourceStatuses;
  /** The current class of its volume attributes. */
  readonly currentVolumeAttributesClassName?: string;
  /** The progress of a change of attributes. */
  readonly modifyVolumeStatus?: ModifyVolumeStatus;
}

/** A condition of a claim. */
export interface PersistentVolumeClaimCondition extends Filled<'lastProbeTime' | 'lastTransitionTime'> {
  /** Type of the condition. */
  readonly type: PersistentVolumeClaimConditionType;
  /** True, False or Unknown. */
  readonly status: meta.ConditionStatus;
  /** When it was last checked. */
  readonly lastProbeTime: string | null;
  /** When its status last changed. */
  readonly lastTransitionTime: string | null;
  /** The reason, in one word. */
  readonly reason?: string;
  /** The reason, for people. */
  readonly message?: string;
}

/** The progress of a change of attributes. */
export interface ModifyVolumeStatus {
  /** The requested class. */
  readonly targetVolumeAttributesClassName?: string;
  /** Pending, InProgress or Infeasible. */
  readonly status: PersistentVolumeClaimModifyVolumeStatus;
}

/** A folder that containers can mount. */
export interface Volume {
  /** Name of the volume; unique in the pod. */
  readonly name: string;
  /** A file or folder of the node. */
  readonly hostPath?: HostPathVolumeSource;
  /** A folder that lives as long as the pod. */
  readonly emptyDir?: EmptyDirVolumeSource;
  /** A disk of Google Compute Engine. */
  readonly gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  /** A disk of Amazon's block store. */
  readonly awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  /** A clone of a git repository. */
  readonly gitRepo?: GitRepoVolumeSource;
  /** The data of a secret. */
  readonly secret?: SecretVolumeSource;
  /** A folder of a network file server. */
  readonly nfs?: NFSVolumeSource;
  /** A disk reached over iSCSI. */
  readonly iscsi?: ISCSIVolumeSource;
  /** A Glusterfs volume. */
  readonly glusterfs?: GlusterfsVolumeSource;
  /** The volume bound to a claim. */
  readonly persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  /** A Ceph block device. */
  readonly rbd?: RBDVolumeSource;
  /** A volume of a plug-in command. */
  readonly flexVolume?: FlexVolumeSource;
  /** An OpenStack disk. */
  readonly cinder?: CinderVolumeSource;
  /** A Ceph file system. */
  readonly cephfs?: CephFSVolumeSource;
  /** A Flocker volume. */
  readonly flocker?: FlockerVolumeSource;
  /** Fields of the pod. */
  readonly downwardAPI?: DownwardAPIVolumeSource;
  /** A fibre channel disk. */
  readonly fc?: FCVolumeSource;
  /** An Azure file share. */
  readonly azureFile?: AzureFileVolumeSource;
  /** The data of a config map. */
  readonly configMap?: ConfigMapVolumeSource;
  /** A vSphere disk. */
  readonly vsphereVolume?: VsphereVirtualDiskVolumeSource;
  /** A Quobyte volume. */
  readonly quobyte?: QuobyteVolumeSource;
  /** An Azure disk. */
  readonly azureDisk?: AzureDiskVolumeSource;
  /** A Photon disk. */
  readonly photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  /** Several sources in one folder. */
  readonly projected?: ProjectedVolumeSource;
  /** A Portworx volume. */
  readonly portworxVolume?: PortworxVolumeSource;
  /** A ScaleIO volume. */
  readonly scaleIO?: ScaleIOVolumeSource;
  /** A StorageOS volume. */
  readonly storageos?: StorageOSVolumeSource;
  /** A volume of a storage driver. */
  readonly csi?: CSIVolumeSource;
  /** A volume that is created for the pod. */
  readonly ephemeral?: EphemeralVolumeSource;
  /** The content of an image. */
  readonly image?: ImageVolumeSource;
}

/** Maps a key to a file. */
export interface KeyToPath {
  /** The key. */
  readonly key: string;
  /** File, relative to the mount. */
  readonly path: string;
  /** Permission bits of the file. */
  readonly mode?: number;
}

/** A file with a field of the pod. */
export interface DownwardAPIVolumeFile {
  /** File, relative to the mount. */
  readonly path: string;
  /** A field of the pod. */
  readonly fieldRef?: ObjectFieldSelector;
  /** A resource amount of a container. */
  readonly resourceFieldRef?: ResourceFieldSelector;
  /** Permission bits of the file. */
  readonly mode?: number;
}

/** A template of a claim for the pod. */
export interface PersistentVolumeClaimTemplate extends Filled<'metadata'> {
  /** Labels and annotations of the claim. */
  readonly metadata: meta.ObjectMeta;
  /** The requested storage. */
  readonly spec: PersistentVolumeClaimSpec;
}

/** Where a volume is mounted. */
export interface VolumeMount {
  /** Name of the volume. */
  readonly name: string;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
  /** Whether mounts below it are read-only too. */
  readonly recursiveReadOnly?: RecursiveReadOnlyMode;
  /** Path in the container. */
  readonly mountPath: string;
  /** Path in the volume. */
  readonly subPath?: string;
  /** How mounts are propagated. */
  readonly mountPropagation?: MountPropagationMode;
  /** Path in the volume, with variables. */
  readonly subPathExpr?: string;
}

/** Path of a raw block device. */
export interface VolumeDevice {
  /** Name of the claim's volume. */
  readonly name: string;
  /** Path in the container. */
  readonly devicePath: string;
}

/** The state of a mounted volume. */
export interface VolumeMountStatus {
  /** Name of the volume. */
  readonly name: string;
  /** Path in the container. */
  readonly mountPath: string;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
  /** Whether mounts below it are read-only too. */
  readonly recursiveReadOnly?: RecursiveReadOnlyMode;
}

/** A volume attached to a node. */
export interface AttachedVolume {
  /** Name of the volume. */
  readonly name: UniqueVolumeName;
  /** Path of the device. */
  readonly devicePath: string;
}

/** A disk of Google Compute Engine. */
export interface GCEPersistentDiskVolumeSource {
  /** Name of the disk. */
  readonly pdName: string;
  /** File system. */
  readonly fsType?: string;
  /** Partition to mount. */
  readonly partition?: number;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
}

/** A disk of Amazon's block store. */
export interface AWSElasticBlockStoreVolumeSource {
  /** Id of the disk. */
  readonly volumeID: string;
  /** File system. */
  readonly fsType?: string;
  /** Partition to mount. */
  readonly partition?: number;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
}

/** A file or folder of the node. */
export interface HostPathVolumeSource {
  /** Path on the node. */
  readonly path: string;
  /** What must be at the path. */
  readonly type?: HostPathType;
}

/** A Glusterfs volume. */
export interface GlusterfsPersistentVolumeSource {
  /** The endpoints of the servers. */
  readonly endpoints: string;
  /** Name of the volume. */
  readonly path: string;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
  /** Namespace of the endpoints; default that of the claim. */
  readonly endpointsNamespace?: string;
}

/** A folder of a network file server. */
export interface NFSVolumeSource {
  /** Host of the server. */
  readonly server: string;
  /** Path on the server. */
  readonly path: string;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
}

/** A Ceph block device. */
export interface RBDPersistentVolumeSource {
  /** Addresses of the monitors. */
  readonly monitors: readonly string[];
  /** Name of the image. */
  readonly image: string;
  /** Its file system. */
  readonly fsType?: string;
  /** Pool of the image. */
  readonly pool?: string;
  /** User of the storage. */
  readonly user?: string;
  /** The file with its key. */
  readonly keyring?: string;
  /** The secret with its key. */
  readonly secretRef?: SecretReference;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
}

/** A disk reached over iSCSI. */
export interface ISCSIPersistentVolumeSource {
  /** Address of the target. */
  readonly targetPortal: string;
  /** Name of the target. */
  readonly iqn: string;
  /** Number of the disk. */
  readonly lun: number;
  /** Name of the interface. */
  readonly iscsiInterface?: string;
  /** Its file system. */
  readonly fsType?: string;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
  /** Further addresses. */
  readonly portals?: readonly string[];
  /** Whether discovery is authenticated. */
  readonly chapAuthDiscovery?: boolean;
  /** Whether sessions are authenticated. */
  readonly chapAuthSession?: boolean;
  /** The secret for both. */
  readonly secretRef?: SecretReference;
  /** Name of the initiator. */
  readonly initiatorName?: string;
}

/** An OpenStack disk. */
export interface CinderPersistentVolumeSource {
  /** Id of the disk. */
  readonly volumeID: string;
  /** Its file system. */
  readonly fsType?: string;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
  /** The secret with the parameters of the cloud. */
  readonly secretRef?: SecretReference;
}

/** A Ceph file system. */
export interface CephFSPersistentVolumeSource {
  /** Addresses of the monitors. */
  readonly monitors: readonly string[];
  /** The folder to mount. */
  readonly path?: string;
  /** User of the storage. */
  readonly user?: string;
  /** The file with its key. */
  readonly secretFile?: string;
  /** The secret with its key. */
  readonly secretRef?: SecretReference;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
}

/** A fibre channel disk. */
export interface FCVolumeSource {
  /** Names of the targets. */
  readonly targetWWNs?: readonly string[];
  /** Number of the unit. */
  readonly lun?: number;
  /** File system. */
  readonly fsType?: string;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
  /** Names of the disk. */
  readonly wwids?: readonly string[];
}

/** A Flocker volume. */
export interface FlockerVolumeSource {
  /** Name of the data set. */
  readonly datasetName?: string;
  /** Id of the data set. */
  readonly datasetUUID?: string;
}

/** A volume of a plug-in command. */
export interface FlexPersistentVolumeSource {
  /** Name of the command. */
  readonly driver: string;
  /** Its file system. */
  readonly fsType?: string;
  /** A secret for the command. */
  readonly secretRef?: SecretReference;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
  /** Options of the command. */
  readonly options?: { readonly [key: string]: string };
}

/** An Azure file share. */
export interface AzureFilePersistentVolumeSource {
  /** The secret with the name and key of the account. */
  readonly secretName: string;
  /** Name of the share. */
  readonly shareName: string;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
  /** Namespace of the secret; default that of the claim. */
  readonly secretNamespace: string | null;
}

/** A vSphere disk. */
export interface VsphereVirtualDiskVolumeSource {
  /** Path of the disk. */
  readonly volumePath: string;
  /** File system. */
  readonly fsType?: string;
  /** Name of the storage policy. */
  readonly storagePolicyName?: string;
  /** Id of the storage policy. */
  readonly storagePolicyID?: string;
}

/** A Quobyte volume. */
export interface QuobyteVolumeSource {
  /** Addresses of the registry. */
  readonly registry: string;
  /** Name of the volume. */
  readonly volume: string;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
  /** User name. */
  readonly user?: string;
  /** Group name. */
  readonly group?: string;
  /** Tenant. */
  readonly tenant?: string;
}

/** An Azure disk. */
export interface AzureDiskVolumeSource {
  /** Name of the disk. */
  readonly diskName: string;
  /** Address of the disk. */
  readonly diskURI: string;
  /** The caching mode of the host. */
  readonly cachingMode?: AzureDataDiskCachingMode;
  /** File system. */
  readonly fsType?: string;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
  /** Kind of the disk. */
  readonly kind?: AzureDataDiskKind;
}

/** A Photon disk. */
export interface PhotonPersistentDiskVolumeSource {
  /** Id of the disk. */
  readonly pdID: string;
  /** File system. */
  readonly fsType?: string;
}

/** A Portworx volume. */
export interface PortworxVolumeSource {
  /** Id of the volume. */
  readonly volumeID: string;
  /** File system. */
  readonly fsType?: string;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
}

/** A ScaleIO volume. */
export interface ScaleIOPersistentVolumeSource {
  /** Address of the gateway. */
  readonly gateway: string;
  /** Name of the system. */
  readonly system: string;
  /** The secret with the user and password. */
  readonly secretRef: SecretReference;
  /** Whether the gateway is reached over TLS. */
  readonly sslEnabled?: boolean;
  /** Protection domain of the storage. */
  readonly protectionDomain?: string;
  /** Pool of the storage. */
  readonly storagePool?: string;
  /** ThickProvisioned or ThinProvisioned. */
  readonly storageMode?: string;
  /** Name of the volume. */
  readonly volumeName?: string;
  /** Its file system. */
  readonly fsType?: string;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
}

/** A disk of a node. */
export interface LocalVolumeSource {
  /** The path on the node. */
  readonly path: string;
  /** Its file system. */
  readonly fsType?: string;
}

/** A StorageOS volume. */
export interface StorageOSPersistentVolumeSource {
  /** Name of the volume. */
  readonly volumeName?: string;
  /** The scope of the volume in StorageOS. */
  readonly volumeNamespace?: string;
  /** Its file system. */
  readonly fsType?: string;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
  /** The secret with the credentials. */
  readonly secretRef?: ObjectReference;
}

/** A volume of a storage driver. */
export interface CSIPersistentVolumeSource {
  /** Name of the driver. */
  readonly driver: string;
  /** The id of the volume for the driver. */
  readonly volumeHandle: string;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
  /** Its file system. */
  readonly fsType?: string;
  /** Parameters for the driver. */
  readonly volumeAttributes?: { readonly [key: string]: string };
  /** A secret for attaching. */
  readonly controllerPublishSecretRef?: SecretReference;
  /** A secret for mounting on the node. */
  readonly nodeStageSecretRef?: SecretReference;
  /** A secret for mounting into pods. */
  readonly nodePublishSecretRef?: SecretReference;
  /** A secret for expansion. */
  readonly controllerExpandSecretRef?: SecretReference;
  /** A secret for expansion on the node. */
  readonly nodeExpandSecretRef?: SecretReference;
}

/** A folder that lives as long as the pod. */
export interface EmptyDirVolumeSource {
  /** The storage medium: empty for the node's disk, or Memory. */
  readonly medium?: StorageMedium;
  /** The largest size. */
  readonly sizeLimit?: string;
}

/** A clone of a git repository; deprecated. */
export interface GitRepoVolumeSource {
  /** Address of the repository. */
  readonly repository: string;
  /** Commit. */
  readonly revision?: string;
  /** Folder to clone into. */
  readonly directory?: string;
}

/** The data of a secret as files. */
export interface SecretVolumeSource {
  /** Name of the secret. */
  readonly secretName?: string;
  /** The keys to project; default all. */
  readonly items?: readonly KeyToPath[];
  /** Permission bits of the files. */
  readonly defaultMode?: number;
  /** Whether the secret or its keys may be missing. */
  readonly optional?: boolean;
}

/** A disk reached over iSCSI. */
export interface ISCSIVolumeSource {
  /** Address of the target. */
  readonly targetPortal: string;
  /** Name of the target. */
  readonly iqn: string;
  /** Number of the unit. */
  readonly lun: number;
  /** Interface name. */
  readonly iscsiInterface?: string;
  /** File system. */
  readonly fsType?: string;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
  /** More addresses of the target. */
  readonly portals?: readonly string[];
  /** Whether discovery is authenticated. */
  readonly chapAuthDiscovery?: boolean;
  /** Whether sessions are authenticated. */
  readonly chapAuthSession?: boolean;
  /** Secret with the credentials. */
  readonly secretRef?: LocalObjectReference;
  /** Name of the initiator. */
  readonly initiatorName?: string;
}

/** A Glusterfs volume. */
export interface GlusterfsVolumeSource {
  /** Name of the endpoints. */
  readonly endpoints: string;
  /** Name of the volume. */
  readonly path: string;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
}

/** The volume bound to a claim. */
export interface PersistentVolumeClaimVolumeSource {
  /** Name of the claim. */
  readonly claimName: string;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
}

/** A Ceph block device. */
export interface RBDVolumeSource {
  /** Addresses of the monitors. */
  readonly monitors: readonly string[];
  /** Name of the image. */
  readonly image: string;
  /** File system. */
  readonly fsType?: string;
  /** Name of the pool. */
  readonly pool?: string;
  /** User name. */
  readonly user?: string;
  /** Path of the key ring. */
  readonly keyring?: string;
  /** Secret with the credentials. */
  readonly secretRef?: LocalObjectReference;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
}

/** A volume of a plug-in command. */
export interface FlexVolumeSource {
  /** Name of the driver. */
  readonly driver: string;
  /** File system. */
  readonly fsType?: string;
  /** Secret with the credentials. */
  readonly secretRef?: LocalObjectReference;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
  /** Parameters for the driver. */
  readonly options?: { readonly [key: string]: string };
}

/** An OpenStack disk. */
export interface CinderVolumeSource {
  /** Id of the disk. */
  readonly volumeID: string;
  /** File system. */
  readonly fsType?: string;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
  /** Secret with the credentials. */
  readonly secretRef?: LocalObjectReference;
}

/** A Ceph file system. */
export interface CephFSVolumeSource {
  /** Addresses of the monitors. */
  readonly monitors: readonly string[];
  /** Root to mount. */
  readonly path?: string;
  /** User name. */
  readonly user?: string;
  /** Path of the key ring. */
  readonly secretFile?: string;
  /** Secret with the credentials. */
  readonly secretRef?: LocalObjectReference;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
}

/** Fields of the pod as files. */
export interface DownwardAPIVolumeSource {
  /** The files. */
  readonly items?: readonly DownwardAPIVolumeFile[];
  /** Permission bits of the files. */
  readonly defaultMode?: number;
}

/** An Azure file share. */
export interface AzureFileVolumeSource {
  /** Secret with the credentials. */
  readonly secretName: string;
  /** Name of the share. */
  readonly shareName: string;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
}

/** The data of a config map as files. */
export interface ConfigMapVolumeSource {
  /** Name of the config map. */
  readonly name?: string;
  /** The keys to project; default all. */
  readonly items?: readonly KeyToPath[];
  /** Permission bits of the files. */
  readonly defaultMode?: number;
  /** Whether the config map or its keys may be missing. */
  readonly optional?: boolean;
}

/** Several sources in one folder. */
export interface ProjectedVolumeSource {
  /** The sources. */
  readonly sources?: readonly VolumeProjection[];
  /** Permission bits of the files. */
  readonly defaultMode?: number;
}

/** One source of a projected volume. */
export interface VolumeProjection {
  /** Keys of a secret. */
  readonly secret?: SecretProjection;
  /** Fields of the pod. */
  readonly downwardAPI?: DownwardAPIProjection;
  /** Keys of a config map. */
  readonly configMap?: ConfigMapProjection;
  /** A token of the pod's account. */
  readonly serviceAccountToken?: ServiceAccountTokenProjection;
  /** Trust anchors of the cluster. */
  readonly clusterTrustBundle?: ClusterTrustBundleProjection;
}

/** Keys of a secret. */
export interface SecretProjection {
  /** Name of the secret. */
  readonly name?: string;
  /** The keys to project; default all. */
  readonly items?: readonly KeyToPath[];
  /** Whether the secret or its keys may be missing. */
  readonly optional?: boolean;
}

/** Fields of the pod. */
export interface DownwardAPIProjection {
  /** The files. */
  readonly items?: readonly DownwardAPIVolumeFile[];
}

/** Keys of a config map. */
export interface ConfigMapProjection {
  /** Name of the config map. */
  readonly name?: string;
  /** The keys to project; default all. */
  readonly items?: readonly KeyToPath[];
  /** Whether the config map or its keys may be missing. */
  readonly optional?: boolean;
}

/** A token of the pod's account. */
export interface ServiceAccountTokenProjection {
  /** Audiences of the token. */
  readonly audience?: string;
  /** Its validity, in seconds. */
  readonly expirationSeconds?: number;
  /** File, relative to the mount. */
  readonly path: string;
}

/** Trust anchors of the cluster. */
export interface ClusterTrustBundleProjection {
  /** Name of one bundle. */
  readonly name?: string;
  /** Signer of the bundles. */
  readonly signerName?: string;
  /** Selects bundles of the signer. */
  readonly labelSelector?: meta.LabelSelector;
  /** Whether the bundles may be missing. */
  readonly optional?: boolean;
  /** File, relative to the mount. */
  readonly path: string;
}

/** A ScaleIO volume. */
export interface ScaleIOVolumeSource {
  /** Address of the gateway. */
  readonly gateway: string;
  /** Name of the system. */
  readonly system: string;
  /** Secret with the credentials. */
  readonly secretRef: LocalObjectReference;
  /** Whether the gateway is reached over TLS. */
  readonly sslEnabled?: boolean;
  /** Name of the protection domain. */
  readonly protectionDomain?: string;
  /** Name of the pool. */
  readonly storagePool?: string;
  /** Thick or thin. */
  readonly storageMode?: string;
  /** Name of the volume. */
  readonly volumeName?: string;
  /** File system. */
  readonly fsType?: string;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
}

/** A StorageOS volume. */
export interface StorageOSVolumeSource {
  /** Name of the volume. */
  readonly volumeName?: string;
  /** Scope of the name. */
  readonly volumeNamespace?: string;
  /** File system. */
  readonly fsType?: string;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
  /** Secret with the credentials. */
  readonly secretRef?: LocalObjectReference;
}

/** A volume of a storage driver. */
export interface CSIVolumeSource {
  /** Name of the driver. */
  readonly driver: string;
  /** Whether it is read-only. */
  readonly readOnly?: boolean;
  /** File system. */
  readonly fsType?: string;
  /** Parameters for the driver. */
  readonly volumeAttributes?: { readonly [key: string]: string };
  /** Secret with the credentials. */
  readonly nodePublishSecretRef?: LocalObjectReference;
}

/** A volume that is created for the pod. */
export interface EphemeralVolumeSource {
  /** The template of the claim. */
  readonly volumeClaimTemplate?: PersistentVolumeClaimTemplate;
}

/** The content of an image. */
export interface ImageVolumeSource {
  /** Name of the image. */
  readonly reference?: string;
  /** When to pull the image. */
  readonly pullPolicy?: PullPolicy;
}

/** Containers that run together on a node. */
export interface Pod extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The desired state of the pod. */
  readonly spec: PodSpec;
  /** The observed state of the pod. */
  readonly status: PodStatus;
}

/** The desired state of a pod. */
export interface PodSpec {
  /** Folders that containers can mount. */
  readonly volumes?: readonly Volume[];
  /** Containers that run before the others. */
  readonly initContainers?: readonly Container[];
  /** The containers. */
  readonly containers: readonly Container[];
  /** Containers added to the running pod. */
  readonly ephemeralContainers?: readonly EphemeralContainer[];
  /** Always, OnFailure or Never. */
  readonly restartPolicy?: RestartPolicy;
  /** The grace period of the deletion, in seconds. */
  readonly terminationGracePeriodSeconds?: number;
  /** The maximum running time in seconds. */
  readonly activeDeadlineSeconds?: number;
  /** How names are resolved. */
  readonly dnsPolicy?: DNSPolicy;
  /** Labels its node must have. */
  readonly nodeSelector?: { readonly [key: string]: string };
  /** The service account. */
  readonly serviceAccountName?: string;
  /** Deprecated alias of serviceAccountName. */
  readonly serviceAccount?: string;
  /** Whether a token is mounted by default. */
  readonly automountServiceAccountToken?: boolean;
  /** Node it runs on. */
  readonly nodeName?: string;
  /** Whether it uses the node's network. */
  readonly hostNetwork?: boolean;
  /** Whether it sees the node's processes. */
  readonly hostPID?: boolean;
  /** Whether it uses the node's IPC. */
  readonly hostIPC?: boolean;
  /** Whether containers see each other's processes. */
  readonly shareProcessNamespace?: boolean;
  /** Security settings of all containers. */
  readonly securityContext?: PodSecurityContext;
  /** Secrets for pulling images. */
  readonly imagePullSecrets?: readonly LocalObjectReference[];
  /** Its host name. */
  readonly hostname?: string;
  /** The subdomain. */
  readonly subdomain?: string;
  /** Scheduling rules. */
  readonly affinity?: Affinity;
  /** Name of its scheduler. */
  readonly schedulerName?: string;
  /** Taints that the pod tolerates. */
  readonly tolerations?: readonly Toleration[];
  /** Additional host names. */
  readonly hostAliases?: readonly HostAlias[];
  /** Class of its priority. */
  readonly priorityClassName?: string;
  /** Its priority. */
  readonly priority?: number;
  /** How names are resolved. */
  readonly dnsConfig?: PodDNSConfig;
  /** Conditions that readiness depends on. */
  readonly readinessGates?: readonly PodReadinessGate[];
  /** Class of the runtime. */
  readonly runtimeClassName?: string;
  /** Whether services are published as environment variables. */
  readonly enableServiceLinks?: boolean;
  /** Whether it may preempt other pods. */
  readonly preemptionPolicy?: PreemptionPolicy;
  /** Resources in addition to those of its containers. */
  readonly overhead?: ResourceList;
  /** Rules that spread similar pods. */
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];
  /** Whether its host name is its full name. */
  readonly setHostnameAsFQDN?: boolean;
  /** The operating system. */
  readonly os?: PodOS;
  /** Whether it uses the node's users. */
  readonly hostUsers?: boolean;
  /** Gates that delay scheduling. */
  readonly schedulingGates?: readonly PodSchedulingGate[];
  /** Claims for devices. */
  readonly resourceClaims?: readonly PodResourceClaim[];
}

/** A field of the pod. */
export interface ObjectFieldSelector {
  /** The API version of the path. */
  readonly apiVersion?: string;
  /** Path of the field. */
  readonly fieldPath: string;
}

/** A resource amount of a container. */
export interface ResourceFieldSelector extends Filled<'divisor'> {
  /** Container; needed for volumes. */
  readonly containerName?: string;
  /** The amount, such as limits.cpu. */
  readonly resource: string;
  /** Unit of the result. */
  readonly divisor: string;
}

/** Security settings of all containers. */
export interface PodSecurityContext {
  /** SELinux labels. */
  readonly seLinuxOptions?: SELinuxOptions;
  /** Settings for Windows. */
  readonly windowsOptions?: WindowsSecurityContextOptions;
  /** User id of the processes. */
  readonly runAsUser?: number;
  /** Group id of the processes. */
  readonly runAsGroup?: number;
  /** Whether root is refused. */
  readonly runAsNonRoot?: boolean;
  /** Supplemental groups of the processes. */
  readonly supplementalGroups?: readonly number[];
  /** Whether groups of the image are added. */
  readonly supplementalGroupsPolicy?: SupplementalGroupsPolicy;
  /** Group that owns the volumes. */
  readonly fsGroup?: number;
  /** Kernel settings. */
  readonly sysctls?: readonly Sysctl[];
  /** When the owner of the volumes is changed. */
  readonly fsGroupChangePolicy?: PodFSGroupChangePolicy;
  /** The seccomp profile. */
  readonly seccompProfile?: SeccompProfile;
  /** The AppArmor profile. */
  readonly appArmorProfile?: AppArmorProfile;
}

/** One kernel setting. */
export interface Sysctl {
  /** Name of the setting. */
  readonly name: string;
  /** Its value. */
  readonly value: string;
}

/** Scheduling rules of a pod. */
export interface Affinity {
  /** Preferences and requirements for nodes. */
  readonly nodeAffinity?: NodeAffinity;
  /** Preferences and requirements for nearby pods. */
  readonly podAffinity?: PodAffinity;
  /** Preferences and requirements for distant pods. */
  readonly podAntiAffinity?: PodAntiAffinity;
}

/** The selected nodes. */
export interface NodeAffinity {
  /** The requirements. */
  readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
  /** Weighted preferences. */
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly PreferredSchedulingTerm[];
}

/** A weighted preference for nodes. */
export interface PreferredSchedulingTerm {
  /** From 1 to 100. */
  readonly weight: number;
  /** The selected nodes. */
  readonly preference: NodeSelectorTerm;
}

/** Preferences and requirements for nearby pods. */
export interface PodAffinity {
  /** The requirements. */
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
  /** Weighted preferences. */
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[];
}

/** The selected pods and their topology. */
export interface PodAffinityTerm {
  /** Selects the pods. */
  readonly labelSelector?: meta.LabelSelector;
  /** Namespaces of the pods. */
  readonly namespaces?: readonly string[];
  /** The node label whose values define the places. */
  readonly topologyKey: string;
  /** Selects the namespaces. */
  readonly namespaceSelector?: meta.LabelSelector;
  /** Labels that must have the same value. */
  readonly matchLabelKeys?: readonly string[];
  /** Labels that must have different values. */
  readonly mismatchLabelKeys?: readonly string[];
}

/** A weighted preference for pods. */
export interface WeightedPodAffinityTerm {
  /** From 1 to 100. */
  readonly weight: number;
  /** The selected pods. */
  readonly podAffinityTerm: PodAffinityTerm;
}

/** Preferences and requirements for distant pods. */
export interface PodAntiAffinity {
  /** The requirements. */
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
  /** Weighted preferences. */
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[];
}

/** Host names of one address. */
export interface HostAlias {
  /** The address. */
  readonly ip: string;
  /** The names. */
  readonly hostnames?: readonly string[];
}

/** How names are resolved. */
export interface PodDNSConfig {
  /** Addresses of the servers. */
  readonly nameservers?: readonly string[];
  /** Domains to search. */
  readonly searches?: readonly string[];
  /** Options of the resolver. */
  readonly options?: readonly PodDNSConfigOption[];
}

/** One option of the resolver. */
export interface PodDNSConfigOption {
  /** Name of the option. */
  readonly name?: string;
  /** Its value. */
  readonly value?: string;
}

/** A condition that readiness depends on. */
export interface PodReadinessGate {
  /** Type of the condition. */
  readonly conditionType: PodConditionType;
}

/** Rules that spread similar pods. */
export interface TopologySpreadConstraint {
  /** The largest difference between places. */
  readonly maxSkew: number;
  /** The node label whose values define the places. */
  readonly topologyKey: string;
  /** DoNotSchedule or ScheduleAnyway. */
  readonly whenUnsatisfiable: UnsatisfiableConstraintAction;
  /** Selects the pods that count. */
  readonly labelSelector?: meta.LabelSelector;
  /** The smallest number of places. */
  readonly minDomains?: number;
  /** Whether affinity limits the nodes that count. */
  readonly nodeAffinityPolicy?: NodeInclusionPolicy;
  /** Whether taints limit the nodes that count. */
  readonly nodeTaintsPolicy?: NodeInclusionPolicy;
  /** Labels that must have the same value. */
  readonly matchLabelKeys?: readonly string[];
}

/** The operating system. */
export interface PodOS {
  /** linux or windows. */
  readonly name: OSName;
}

/** A gate that delays scheduling. */
export interface PodSchedulingGate {
  /** Name of the gate. */
  readonly name: string;
}

/** A claim for devices. */
export interface PodResourceClaim {
  /** Name of the claim in the pod. */
  readonly name: string;
  /** Name of an existing claim. */
  readonly resourceClaimName?: string;
  /** Name of a template for a new claim. */
  readonly resourceClaimTemplateName?: string;
}

/** The observed state of a pod. */
export interface PodStatus {
  /** Pending, Running, Succeeded, Failed or Unknown. */
  readonly phase?: PodPhase;
  /** Its conditions. */
  readonly conditions?: readonly PodCondition[];
  /** The reason, for people. */
  readonly message?: string;
  /** The reason, in one word. */
  readonly reason?: string;
  /** Node that it may get after other pods are preempted. */
  readonly nominatedNodeName?: string;
  /** Address of its node. */
  readonly hostIP?: string;
  /** Addresses of its node. */
  readonly hostIPs?: readonly HostIP[];
  /** Its address. */
  readonly podIP?: string;
  /** Its addresses. */
  readonly podIPs?: readonly PodIP[];
  /** When the node accepted the pod. */
  readonly startTime?: string;
  /** States of the init containers. */
  readonly initContainerStatuses?: readonly ContainerStatus[];
  /** States of the containers. */
  readonly containerStatuses?: readonly ContainerStatus[];
  /** Guaranteed, Burstable or BestEffort. */
  readonly qosClass?: PodQOSClass;
  /** States of the added containers. */
  readonly ephemeralContainerStatuses?: readonly ContainerStatus[];
  /** The progress of a resize. */
  readonly resize?: PodResizeStatus;
  /** Names of the created claims. */
  readonly resourceClaimStatuses?: readonly PodResourceClaimStatus[];
}

/** A condition of a pod. */
export interface PodCondition extends Filled<'lastProbeTime' | 'lastTransitionTime'> {
  /** Type of the condition. */
  readonly type: PodConditionType;
  /** True, False or Unknown. */
  readonly status: meta.ConditionStatus;
  /** When it was last checked. */
  readonly lastProbeTime: string | null;
  /** When the status last changed. */
  readonly lastTransitionTime: string | null;
  /** The reason, in one word. */
  readonly reason?: string;
  /** The reason, for people. */
  readonly message?: string;
}

/** An address of the node. */
export interface HostIP {
  /** The address. */
  readonly ip: string;
}

/** An address of the pod. */
export interface PodIP {
  /** The address. */
  readonly ip: string;
}

/** Name of the created claim. */
export interface PodResourceClaimStatus {
  /** Name of the claim in the pod. */
  readonly name: string;
  /** Name of the claim. */
  readonly resourceClaimName?: string;
}

/** Assigns a pod to a node. */
export interface Binding extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The node. */
  readonly target: ObjectReference;
}

/** A template of pods. */
export interface PodTemplate extends Filled<'metadata' | 'template'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The template of the pods. */
  readonly template: PodTemplateSpec;
}

/** The template of the pods. */
export interface PodTemplateSpec extends Filled<'metadata' | 'spec'> {
  /** Labels and annotations of the pods. */
  readonly metadata: meta.ObjectMeta;
  /** The desired state of the pods. */
  readonly spec: PodSpec;
}

/** A container of a pod. */
export interface Container extends Filled<'resources'> {
  /** Name of the container; unique in the pod. */
  readonly name: string;
  /** Name of the image. */
  readonly image?: string;
  /** Entry point; default that of the image. */
  readonly command?: readonly string[];
  /** Arguments of the entry point. */
  readonly args?: readonly string[];
  /** Working directory. */
  readonly workingDir?: string;
  /** Ports that the container listens on. */
  readonly ports?: readonly ContainerPort[];
  /** Sources of many variables. */
  readonly envFrom?: readonly EnvFromSource[];
  /** Variables. */
  readonly env?: readonly EnvVar[];
  /** The resources of the container. */
  readonly resources: ResourceRequirements;
  /** The effect of a resize. */
  readonly resizePolicy?: readonly ContainerResizePolicy[];
  /** Always, for an init container that keeps running. */
  readonly restartPolicy?: ContainerRestartPolicy;
  /** Mounts of volumes. */
  readonly volumeMounts?: readonly VolumeMount[];
  /** Paths of block devices. */
  readonly volumeDevices?: readonly VolumeDevice[];
  /** Restarts the container when it fails. */
  readonly livenessProbe?: Probe;
  /** Removes the container from services when it fails. */
  readonly readinessProbe?: Probe;
  /** Delays the other probes until it succeeds. */
  readonly startupProbe?: Probe;
  /** Actions after its start and before its stop. */
  readonly lifecycle?: Lifecycle;
  /** File with the last message. */
  readonly terminationMessagePath?: string;
  /** Where the last message comes from. */
  readonly terminationMessagePolicy?: TerminationMessagePolicy;
  /** When to pull the image. */
  readonly imagePullPolicy?: PullPolicy;
  /** The security settings of the container. */
  readonly securityContext?: SecurityContext;
  /** Whether standard input is kept open. */
  readonly stdin?: boolean;
  /** Whether standard input closes after the first client. */
  readonly stdinOnce?: boolean;
  /** Whether the container has a terminal. */
  readonly tty?: boolean;
}

/** A port that a container listens on. */
export interface ContainerPort {
  /** Name of the port; unique in the pod. */
  readonly name?: string;
  /** Port of the node. */
  readonly hostPort?: number;
  /** Port of the container. */
  readonly containerPort: number;
  /** TCP, UDP or SCTP. */
  readonly protocol?: Protocol;
  /** Address of the node. */
  readonly hostIP?: string;
}

/** A source of many variables. */
export interface EnvFromSource {
  /** Prefix of each name. */
  readonly prefix?: string;
  /** All keys of a config map. */
  readonly configMapRef?: ConfigMapEnvSource;
  /** All keys of a secret. */
  readonly secretRef?: SecretEnvSource;
}

/** All keys of a config map. */
export interface ConfigMapEnvSource {
  /** Name of the config map. */
  readonly name?: string;
  /** Whether the config map may be missing. */
  readonly optional?: boolean;
}

/** All keys of a secret. */
export interface SecretEnvSource {
  /** Name of the secret. */
  readonly name?: string;
  /** Whether the secret may be missing. */
  readonly optional?: boolean;
}

/** One variable. */
export interface EnvVar {
  /** Name of the variable. */
  readonly name: string;
  /** Its value. */
  readonly value?: string;
  /** Source of its value. */
  readonly valueFrom?: EnvVarSource;
}

/** Where a variable's value comes from. */
export interface EnvVarSource {
  /** A field of the pod. */
  readonly fieldRef?: ObjectFieldSelector;
  /** A resource amount of a container. */
  readonly resourceFieldRef?: ResourceFieldSelector;
  /** A key of a config map. */
  readonly configMapKeyRef?: ConfigMapKeySelector;
  /** A key of a secret. */
  readonly secretKeyRef?: SecretKeySelector;
}

/** One key of a config map. */
export interface ConfigMapKeySelector {
  /** Name of the config map. */
  readonly name?: string;
  /** The key. */
  readonly key: string;
  /** Whether the config map or key may be missing. */
  readonly optional?: boolean;
}

/** One key of a secret. */
export interface SecretKeySelector {
  /** Name of the secret. */
  readonly name?: string;
  /** The key. */
  readonly key: string;
  /** Whether the secret or key may be missing. */
  readonly optional?: boolean;
}

/** The effect of resizing one resource. */
export interface ContainerResizePolicy {
  /** The name of the resource. */
  readonly resourceName: ResourceName;
  /** Whether the container is restarted. */
  readonly restartPolicy: ResourceResizeRestartPolicy;
}

/** A check of a container. */
export interface Probe {
  /** Runs a command. */
  readonly exec?: ExecAction;
  /** Makes an HTTP request. */
  readonly httpGet?: HTTPGetAction;
  /** Opens a connection. */
  readonly tcpSocket?: TCPSocketAction;
  /** Calls the gRPC health service. */
  readonly grpc?: GRPCAction;
  /** Seconds before the first check. */
  readonly initialDelaySeconds?: number;
  /** Seconds a check may take. */
  readonly timeoutSeconds?: number;
  /** Seconds between checks. */
  readonly periodSeconds?: number;
  /** Successes in a row that count. */
  readonly successThreshold?: number;
  /** Failures in a row that count. */
  readonly failureThreshold?: number;
  /** Seconds to stop after a failure. */
  readonly terminationGracePeriodSeconds?: number;
}

/** Runs a command in the container. */
export interface ExecAction {
  /** Command and arguments; no shell. */
  readonly command?: readonly string[];
}

/** Makes an HTTP request. */
export interface HTTPGetAction {
  /** Path of the URL. */
  readonly path?: string;
  /** Number or name of the port. */
  readonly port: number | string;
  /** Host; default the pod. */
  readonly host?: string;
  /** HTTP or HTTPS. */
  readonly scheme?: URIScheme;
  /** Headers of the request. */
  readonly httpHeaders?: readonly HTTPHeader[];
}

/** One header. */
export interface HTTPHeader {
  /** Name of the header. */
  readonly name: string;
  /** Its value. */
  readonly value: string;
}

/** Opens a connection. */
export interface TCPSocketAction {
  /** Number or name of the port. */
  readonly port: number | string;
  /** Host; default the pod. */
  readonly host?: string;
}

/** Calls the gRPC health service. */
export interface GRPCAction {
  /** Number of the port. */
  readonly port: number;
  /** Service to ask about. */
  readonly service?: string;
}

/** Actions after the start and before the stop of a container. */
export interface Lifecycle {
  /** The action after the start. */
  readonly postStart?: LifecycleHandler;
  /** The action before the stop. */
  readonly preStop?: LifecycleHandler;
}

/** An action in the lifecycle of a container. */
export interface LifecycleHandler {
  /** Runs a command. */
  readonly exec?: ExecAction;
  /** Makes an HTTP request. */
  readonly httpGet?: HTTPGetAction;
  /** Deprecated; not used any more. */
  readonly tcpSocket?: TCPSocketAction;
  /** Waits. */
  readonly sleep?: SleepAction;
}

/** Waits. */
export interface SleepAction {
  /** Seconds to wait. */
  readonly seconds: number;
}

/** Security settings of a container. */
export interface SecurityContext {
  /** Linux capabilities. */
  readonly capabilities?: Capabilities;
  /** Whether it has root privileges on the node. */
  readonly privileged?: boolean;
  /** SELinux labels. */
  readonly seLinuxOptions?: SELinuxOptions;
  /** Settings for Windows. */
  readonly windowsOptions?: WindowsSecurityContextOptions;
  /** User id of the process. */
  readonly runAsUser?: number;
  /** Group id of the process. */
  readonly runAsGroup?: number;
  /** Whether root is refused. */
  readonly runAsNonRoot?: boolean;
  /** Whether the root file system is read-only. */
  readonly readOnlyRootFilesystem?: boolean;
  /** Whether a process may gain privileges. */
  readonly allowPrivilegeEscalation?: boolean;
  /** The way /proc is mounted. */
  readonly procMount?: ProcMountType;
  /** The seccomp profile. */
  readonly seccompProfile?: SeccompProfile;
  /** The AppArmor profile. */
  readonly appArmorProfile?: AppArmorProfile;
}

/** Linux capabilities. */
export interface Capabilities {
  /** Capabilities added. */
  readonly add?: readonly Capability[];
  /** Capabilities removed. */
  readonly drop?: readonly Capability[];
}

/** SELinux labels. */
export interface SELinuxOptions {
  /** User label. */
  readonly user?: string;
  /** Role label. */
  readonly role?: string;
  /** Type label. */
  readonly type?: string;
  /** Level label. */
  readonly level?: string;
}

/** Settings for Windows. */
export interface WindowsSecurityContextOptions {
  /** Name of the credential spec. */
  readonly gmsaCredentialSpecName?: string;
  /** The credential spec. */
  readonly gmsaCredentialSpec?: string;
  /** User that runs the entry point. */
  readonly runAsUserName?: string;
  /** Whether it runs as a process of the host. */
  readonly hostProcess?: boolean;
}

/** The seccomp profile. */
export interface SeccompProfile {
  /** Kind of the profile. */
  readonly type: SeccompProfileType;
  /** A file of the node. */
  readonly localhostProfile?: string;
}

/** The AppArmor profile. */
export interface AppArmorProfile {
  /** Kind of the profile. */
  readonly type: AppArmorProfileType;
  /** A profile loaded on the node. */
  readonly localhostProfile?: string;
}

/** A container added to a running pod. */
export interface EphemeralContainer extends Filled<'resources'> {
  /** Name of the container; unique in the pod. */
  readonly name: string;
  /** Name of the image. */
  readonly image?: string;
  /** Entry point; default that of the image. */
  readonly command?: readonly string[];
  /** Arguments of the entry point. */
  readonly args?: readonly string[];
  /** Working directory. */
  readonly workingDir?: string;
  /** Ports that the container listens on. */
  readonly ports?: readonly ContainerPort[];
  /** Sources of many variables. */
  readonly envFrom?: readonly EnvFromSource[];
  /** Variables. */
  readonly env?: readonly EnvVar[];
  /** The resources of the container. */
  readonly resources: ResourceRequirements;
  /** The effect of a resize. */
  readonly resizePolicy?: readonly ContainerResizePolicy[];
  /** Always, for an init container that keeps running. */
  readonly restartPolicy?: ContainerRestartPolicy;
  /** Mounts of volumes. */
  readonly volumeMounts?: readonly VolumeMount[];
  /** Paths of block devices. */
  readonly volumeDevices?: readonly VolumeDevice[];
  /** Restarts the container when it fails. */
  readonly livenessProbe?: Probe;
  /** Removes the container from services when it fails. */
  readonly readinessProbe?: Probe;
  /** Delays the other probes until it succeeds. */
  readonly startupProbe?: Probe;
  /** Actions after its start and before its stop. */
  readonly lifecycle?: Lifecycle;
  /** File with the last message. */
  readonly terminationMessagePath?: string;
  /** Where the last message comes from. */
  readonly terminationMessagePolicy?: TerminationMessagePolicy;
  /** When to pull the image. */
  readonly imagePullPolicy?: PullPolicy;
  /** The security settings of the container. */
  readonly securityContext?: SecurityContext;
  /** Whether standard input is kept open. */
  readonly stdin?: boolean;
  /** Whether standard input closes after the first client. */
  readonly stdinOnce?: boolean;
  /** Whether the container has a terminal. */
  readonly tty?: boolean;
  /** The container whose processes it can see. */
  readonly targetContainerName?: string;
}

/** The observed state of a container. */
export interface ContainerStatus extends Filled<'state' | 'lastState'> {
  /** Name of the container. */
  readonly name: string;
  /** The current state. */
  readonly state: ContainerState;
  /** The previous state. */
  readonly lastState: ContainerState;
  /** Whether it passes its readiness check. */
  readonly ready: boolean;
  /** How often it was restarted. */
  readonly restartCount: number;
  /** Name of its image. */
  readonly image: string;
  /** Id of its image. */
  readonly imageID: string;
  /** Id of the container. */
  readonly containerID?: string;
  /** Whether it has started. */
  readonly started?: boolean;
  /** Amounts allocated on the node. */
  readonly allocatedResources?: ResourceList;
  /** The observed state. */
  readonly resources?: ResourceRequirements;
  /** States of mounted volumes. */
  readonly volumeMounts?: readonly VolumeMountStatus[];
  /** User of the first process. */
  readonly user?: ContainerUser;
  /** Health of its devices. */
  readonly allocatedResourcesStatus?: readonly ResourceStatus[];
}

/** The state of a container. */
export interface ContainerState {
  /** Not running yet. */
  readonly waiting?: ContainerStateWaiting;
  /** Running. */
  readonly running?: ContainerStateRunning;
  /** Ended. */
  readonly terminated?: ContainerStateTerminated;
}

/** Not running yet. */
export interface ContainerStateWaiting {
  /** The reason, in one word. */
  readonly reason?: string;
  /** The reason, for people. */
  readonly message?: string;
}

/** Running. */
export interface ContainerStateRunning extends Filled<'startedAt'> {
  /** When the container started. */
  readonly startedAt: string | null;
}

/** Ended. */
export interface ContainerStateTerminated extends Filled<'startedAt' | 'finishedAt'> {
  /** Exit code. */
  readonly exitCode: number;
  /** Signal. */
  readonly signal?: number;
  /** The reason, in one word. */
  readonly reason?: string;
  /** The reason, for people. */
  readonly message?: string;
  /** When it started. */
  readonly startedAt: string | null;
  /** When it ended. */
  readonly finishedAt: string | null;
  /** Id of the container. */
  readonly containerID?: string;
}

/** User of the first process. */
export interface ContainerUser {
  /** On Linux. */
  readonly linux?: LinuxContainerUser;
}

/** Health of devices of one kind. */
export interface ResourceStatus {
  /** Name of the resource. */
  readonly name: ResourceName;
  /** The devices. */
  readonly resources?: readonly ResourceHealth[];
}

/** Health of one device. */
export interface ResourceHealth {
  /** Id of the device. */
  readonly resourceID: ResourceID;
  /** Healthy, Unhealthy or Unknown. */
  readonly health?: ResourceHealthStatus;
}

/** An image on a node. */
export interface ContainerImage {
  /** Names of the image. */
  readonly names?: readonly string[];
  /** Its size. */
  readonly sizeBytes?: number;
}

/** A scope for the names of objects. */
export interface Namespace extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The desired state of the namespace. */
  readonly spec: NamespaceSpec;
  /** The observed state of the namespace. */
  readonly status: NamespaceStatus;
}

/** The desired state of a namespace. */
export interface NamespaceSpec {
  /** Finalizers that hold the namespace. */
  readonly finalizers?: readonly FinalizerName[];
}

/** The observed state of a namespace. */
export interface NamespaceStatus {
  /** Active or Terminating. */
  readonly phase?: NamespacePhase;
  /** The progress of its removal. */
  readonly conditions?: readonly NamespaceCondition[];
}

/** A condition of a namespace. */
export interface NamespaceCondition extends Filled<'lastTransitionTime'> {
  /** Type of the condition. */
  readonly type: NamespaceConditionType;
  /** True, False or Unknown. */
  readonly status: meta.ConditionStatus;
  /** When the status last changed. */
  readonly lastTransitionTime: string | null;
  /** The reason, in one word. */
  readonly reason?: string;
  /** The reason, for people. */
  readonly message?: string;
}

/** Configuration for other objects to use. */
export interface ConfigMap extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** When true, only metadata can be changed. */
  readonly immutable?: boolean;
  /** Text by key. */
  readonly data?: { readonly [key: string]: string };
  /** Bytes by key, base64. */
  readonly binaryData?: { readonly [key: string]: string };
}

/** Confidential data. */
export interface Secret extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** When true, only metadata can be changed. */
  readonly immutable?: boolean;
  /** Bytes by key, base64. */
  readonly data?: { readonly [key: string]: string };
  /** Text by key; moved into data when written, never read. */
  readonly stringData?: { readonly [key: string]: string };
  /** The purpose of the data. */
  readonly type?: SecretType;
}

/** An identity for programs. */
export interface ServiceAccount extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** Secrets that programs with this account may use. */
  readonly secrets?: readonly ObjectReference[];
  /** Secrets for pulling images. */
  readonly imagePullSecrets?: readonly LocalObjectReference[];
  /** Whether tokens are mounted into pods by default. */
  readonly automountServiceAccountToken?: boolean;
}

/** User and groups of the first process. */
export interface LinuxContainerUser {
  /** User id. */
  readonly uid: number;
  /** Group id. */
  readonly gid: number;
  /** Supplemental groups. */
  readonly supplementalGroups?: readonly number[];
}

/** A machine that runs pods. */
export interface Node extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The desired state of the node. */
  readonly spec: NodeSpec;
  /** The observed state of the node. */
  readonly status: NodeStatus;
}

/** The desired state of a node. */
export interface NodeSpec {
  /** The address range of its pods. */
  readonly podCIDR?: string;
  /** The address ranges of its pods, by IP family. */
  readonly podCIDRs?: readonly string[];
  /** Id at the provider. */
  readonly providerID?: string;
  /** Whether new pods are not scheduled to the node. */
  readonly unschedulable?: boolean;
  /** Taints of the node. */
  readonly taints?: readonly Taint[];
  /** Deprecated; not used any more. */
  readonly configSource?: NodeConfigSource;
  /** Deprecated; not used any more. */
  readonly externalID?: string;
}

/** A source of configuration; not used any more. */
export interface NodeConfigSource {
  /** A config map. */
  readonly configMap?: ConfigMapNodeConfigSource;
}

/** A config map; not used any more. */
export interface ConfigMapNodeConfigSource {
  /** Namespace of the config map. */
  readonly namespace: string;
  /** Name of the config map. */
  readonly name: string;
  /** Uid of the config map. */
  readonly uid?: meta.UID;
  /** Version of the config map. */
  readonly resourceVersion?: string;
  /** Key in the config map. */
  readonly kubeletConfigKey: string;
}

/** The observed state of a node. */
export interface NodeStatus extends Filled<'daemonEndpoints' | 'nodeInfo'> {
  /** All resources of the node. */
  readonly capacity?: ResourceList;
  /** The resources that pods can use. */
  readonly allocatable?: ResourceList;
  /** Deprecated; not set any more. */
  readonly phase?: NodePhase;
  /** Its conditions. */
  readonly conditions?: readonly NodeCondition[];
  /** Its addresses. */
  readonly addresses?: readonly NodeAddress[];
  /** The ports of its daemons. */
  readonly daemonEndpoints: NodeDaemonEndpoints;
  /** System information. */
  readonly nodeInfo: NodeSystemInfo;
  /** Images on it. */
  readonly images?: readonly ContainerImage[];
  /** Volumes in use. */
  readonly volumesInUse?: readonly UniqueVolumeName[];
  /** Volumes attached. */
  readonly volumesAttached?: readonly AttachedVolume[];
  /** Deprecated; not set any more. */
  readonly config?: NodeConfigStatus;
  /** Ways to run containers. */
  readonly runtimeHandlers?: readonly NodeRuntimeHandler[];
  /** The features of the container runtime. */
  readonly features?: NodeFeatures;
}

/** A condition of a node. */
export interface NodeCondition extends Filled<'lastHeartbeatTime' | 'lastTransitionTime'> {
  /** Type of the condition. */
  readonly type: NodeConditionType;
  /** True, False or Unknown. */
  readonly status: meta.ConditionStatus;
  /** When it was last reported. */
  readonly lastHeartbeatTime: string | null;
  /** When the status last changed. */
  readonly lastTransitionTime: string | null;
  /** The reason, in one word. */
  readonly reason?: string;
  /** The reason, for people. */
  readonly message?: string;
}

/** The ports of the node's daemons. */
export interface NodeDaemonEndpoints extends Filled<'kubeletEndpoint'> {
  /** Port of the node's agent. */
  readonly kubeletEndpoint: DaemonEndpoint;
}

/** A port. */
export interface DaemonEndpoint {
  /** Number of the port. */
  readonly Port: number;
}

/** System information of a node. */
export interface NodeSystemInfo {
  /** Id of the machine. */
  readonly machineID: string;
  /** Id of the system. */
  readonly systemUUID: string;
  /** Id of the boot. */
  readonly bootID: string;
  /** Version of the kernel. */
  readonly kernelVersion: string;
  /** Name of the operating system's image. */
  readonly osImage: string;
  /** Version of the container runtime. */
  readonly containerRuntimeVersion: string;
  /** Version of the node's agent. */
  readonly kubeletVersion: string;
  /** Version of the node's proxy. */
  readonly kubeProxyVersion: string;
  /** Operating system. */
  readonly operatingSystem: string;
  /** Architecture. */
  readonly architecture: string;
}

/** The configuration in use; not set any more. */
export interface NodeConfigStatus {
  /** The desired configuration. */
  readonly assigned?: NodeConfigSource;
  /** The configuration in use. */
  readonly active?: NodeConfigSource;
  /** The configuration to fall back to. */
  readonly lastKnownGood?: NodeConfigSource;
  /** The problem. */
  readonly error?: string;
}

/** A way to run containers. */
export interface NodeRuntimeHandler {
  /** Name of the handler. */
  readonly name?: string;
  /** The features of the handler. */
  readonly features?: NodeRuntimeHandlerFeatures;
}

/** The features of a runtime handler. */
export interface NodeRuntimeHandlerFeatures {
  /** Recursive read-only mounts. */
  readonly recursiveReadOnlyMounts?: boolean;
  /** User namespaces. */
  readonly userNamespaces?: boolean;
}

/** The features of the container runtime. */
export interface NodeFeatures {
  /** Policies for supplemental groups. */
  readonly supplementalGroupsPolicy?: boolean;
}

/** A number of identical pods; replaced by ReplicaSet. */
export interface ReplicationController extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The desired pods. */
  readonly spec: ReplicationControllerSpec;
  /** The observed pods. */
  readonly status: ReplicationControllerStatus;
}

/** The desired pods. */
export interface ReplicationControllerSpec {
  /** The number of pods. */
  readonly replicas?: number;
  /** Seconds that a pod must be ready for to count as available. */
  readonly minReadySeconds?: number;
  /** Labels of the pods; default those of the template. */
  readonly selector?: { readonly [key: string]: string };
  /** The template of the pods. */
  readonly template?: PodTemplateSpec;
}

/** The observed pods. */
export interface ReplicationControllerStatus {
  /** The number of pods. */
  readonly replicas: number;
  /** Pods with the labels of the template. */
  readonly fullyLabeledReplicas?: number;
  /** Pods that are ready. */
  readonly readyReplicas?: number;
  /** Pods that have been ready for long enough. */
  readonly availableReplicas?: number;
  /** The generation that was last processed. */
  readonly observedGeneration?: number;
  /** The conditions. */
  readonly conditions?: readonly ReplicationControllerCondition[];
}

/** A condition of the controller. */
export interface ReplicationControllerCondition extends Filled<'lastTransitionTime'> {
  /** Type of the condition. */
  readonly type: ReplicationControllerConditionType;
  /** True, False or Unknown. */
  readonly status: meta.ConditionStatus;
  /** When its status last changed. */
  readonly lastTransitionTime: string | null;
  /** The reason, in one word. */
  readonly reason?: string;
  /** The reason, for people. */
  readonly message?: string;
}

/** A stable address for a set of pods. */
export interface Service extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The address. */
  readonly spec: ServiceSpec;
  /** The current state. */
  readonly status: ServiceStatus;
}

/** The desired state of a service. */
export interface ServiceSpec {
  /** Its ports. */
  readonly ports?: readonly ServicePort[];
  /** The labels of the selected pods. */
  readonly selector?: { readonly [key: string]: string };
  /** The address in the cluster, or None. */
  readonly clusterIP?: string;
  /** The addresses in the cluster, one of each IP family. */
  readonly clusterIPs?: readonly string[];
  /** The type: ClusterIP, NodePort, LoadBalancer, or ExternalName for a DNS alias. */
  readonly type?: ServiceType;
  /** Further addresses, which are routed to the nodes by other means. */
  readonly externalIPs?: readonly string[];
  /** Whether a client is always sent to the same pod: None or ClientIP. */
  readonly sessionAffinity?: ServiceAffinity;
  /** The requested address of the load balancer. */
  readonly loadBalancerIP?: string;
  /** The client ranges that may use the load balancer. */
  readonly loadBalancerSourceRanges?: readonly string[];
  /** The DNS name for ExternalName. */
  readonly externalName?: string;
  /** The routing of external traffic: Cluster or Local. */
  readonly externalTrafficPolicy?: ServiceExternalTrafficPolicy;
  /** The port of the health check for load balancers. */
  readonly healthCheckNodePort?: number;
  /** Whether pods are published before they are ready. */
  readonly publishNotReadyAddresses?: boolean;
  /** The configuration of session affinity. */
  readonly sessionAffinityConfig?: SessionAffinityConfig;
  /** The IP families of its addresses. */
  readonly ipFamilies?: readonly IPFamily[];
  /** Whether it has one IP family or two. */
  readonly ipFamilyPolicy?: IPFamilyPolicy;
  /** Whether node ports are allocated for a load balancer. */
  readonly allocateLoadBalancerNodePorts?: boolean;
  /** The class of the load balancer. */
  readonly loadBalancerClass?: string;
  /** The routing of internal traffic: Cluster or Local. */
  readonly internalTrafficPolicy?: ServiceInternalTrafficPolicy;
  /** The preferred distribution of traffic. */
  readonly trafficDistribution?: string;
}

/** One port of a service. */
export interface ServicePort extends Filled<'targetPort'> {
  /** The name; required if there are several ports. */
  readonly name?: string;
  /** TCP, UDP or SCTP. */
  readonly protocol?: Protocol;
  /** The application protocol. */
  readonly appProtocol?: string;
  /** The port number. */
  readonly port: number;
  /** Number or name of the port of the pods. */
  readonly targetPort: number | string;
  /** The port number on every node. */
  readonly nodePort?: number;
}

/** The configuration of session affinity. */
export interface SessionAffinityConfig {
  /** The settings for ClientIP. */
  readonly clientIP?: ClientIPConfig;
}

/** The duration of session affinity. */
export interface ClientIPConfig {
  /** Seconds, at most a day. */
  readonly timeoutSeconds?: number;
}

/** The current state. */
export interface ServiceStatus extends Filled<'loadBalancer'> {
  /** The addresses of the load balancer. */
  readonly loadBalancer: LoadBalancerStatus;
  /** Its conditions. */
  readonly conditions?: readonly meta.Condition[];
}

/** The addresses of the load balancer. */
export interface LoadBalancerStatus {
  /** The addresses. */
  readonly ingress?: readonly LoadBalancerIngress[];
}

/** An address of the load balancer. */
export interface LoadBalancerIngress {
  /** The address. */
  readonly ip?: string;
  /** The name. */
  readonly hostname?: string;
  /** How the address is treated: VIP or Proxy. */
  readonly ipMode?: LoadBalancerIPMode;
  /** The states of the ports. */
  readonly ports?: readonly PortStatus[];
}

/** The state of a port. */
export interface PortStatus {
  /** Number of the port. */
  readonly port: number;
  /** TCP, UDP or SCTP. */
  readonly protocol: Protocol;
  /** The error, in one word. */
  readonly error?: string;
}

/** The addresses of a service. */
export interface Endpoints extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** Addresses and ports; each address has each port of its subset. */
  readonly subsets?: readonly EndpointSubset[];
}

/** Addresses that have the same ports. */
export interface EndpointSubset {
  /** Addresses that are ready. */
  readonly addresses?: readonly EndpointAddress[];
  /** Addresses that are not ready. */
  readonly notReadyAddresses?: readonly EndpointAddress[];
  /** The ports that each address has. */
  readonly ports?: readonly EndpointPort[];
}

/** One address that serves. */
export interface EndpointAddress {
  /** The address. */
  readonly ip: string;
  /** The host name in the domain of the service. */
  readonly hostname?: string;
  /** The node of the address. */
  readonly nodeName?: string;
  /** The object of the address. */
  readonly targetRef?: ObjectReference;
}

/** One port of the addresses. */
export interface EndpointPort {
  /** The name; required if there are several ports. */
  readonly name?: string;
  /** The port number. */
  readonly port: number;
  /** TCP, UDP or SCTP. */
  readonly protocol?: Protocol;
  /** The application protocol. */
  readonly appProtocol?: string;
}

/** Limits the resources that a namespace uses. */
export interface ResourceQuota extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The limits. */
  readonly spec: ResourceQuotaSpec;
  /** The usage. */
  readonly status: ResourceQuotaStatus;
}

/** The limits of a namespace. */
export interface ResourceQuotaSpec {
  /** The limit of each resource. */
  readonly hard?: ResourceList;
  /** Counts only objects that all of these scopes have. */
  readonly scopes?: readonly ResourceQuotaScope[];
  /** Counts only objects that match all of these requirements. */
  readonly scopeSelector?: ScopeSelector;
}

/** The usage. */
export interface ResourceQuotaStatus {
  /** The limits in force. */
  readonly hard?: ResourceList;
  /** The amount in use of each resource. */
  readonly used?: ResourceList;
}

/** Limits of single objects of a namespace. */
export interface LimitRange extends Filled<'metadata' | 'spec'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The limits. */
  readonly spec: LimitRangeSpec;
}

/** Limits by type of object. */
export interface LimitRangeSpec {
  /** The limits, with each type at most once. */
  readonly limits: readonly LimitRangeItem[];
}

/** Limits of one type of object. */
export interface LimitRangeItem {
  /** The type: Container, Pod or PersistentVolumeClaim. */
  readonly type: LimitType;
  /** The largest amounts. */
  readonly max?: ResourceList;
  /** The smallest amounts. */
  readonly min?: ResourceList;
  /** The default limits. */
  readonly default?: ResourceList;
  /** The default requests. */
  readonly defaultRequest?: ResourceList;
  /** The maximum ratio of limit to request. */
  readonly maxLimitRequestRatio?: ResourceList;
}

/** Something that happened to an object. */
export interface Event extends Filled<'source' | 'firstTimestamp' | 'lastTimestamp' | 'eventTime' | 'reportingComponent' | 'reportingInstance'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** The metadata of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The object it happened to. */
  readonly involvedObject: ObjectReference;
  /** The reason, in one word. */
  readonly reason?: string;
  /** The message, for people. */
  readonly message?: string;
  /** The reporting component, in the core/v1 format. */
  readonly source: EventSource;
  /** When it was first reported. */
  readonly firstTimestamp: string | null;
  /** When it was last reported. */
  readonly lastTimestamp: string | null;
  /** The number of occurrences. */
  readonly count?: number;
  /** Normal or Warning. */
  readonly type?: string;
  /** When it first happened. */
  readonly eventTime: string | null;
  /** The number of occurrences. */
  readonly series?: EventSeries;
  /** What was done. */
  readonly action?: string;
  /** A related object. */
  readonly related?: ObjectReference;
  /** The program that reported it. */
  readonly reportingComponent: string;
  /** The instance that reported it. */
  readonly reportingInstance: string;
}

/** The reporting component, in the core/v1 format. */
export interface EventSource {
  /** The program. */
  readonly component?: string;
  /** The host it runs on. */
  readonly host?: string;
}

/** How often an event happened. */
export interface EventSeries extends Filled<'lastObservedTime'> {
  /** The number of occurrences. */
  readonly count?: number;
  /** When it last happened. */
  readonly lastObservedTime: string | null;
}

/** The health of a component of the control plane. */
export interface ComponentStatus extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The observed conditions. */
  readonly conditions?: readonly ComponentCondition[];
}

/** A condition of a component. */
export interface ComponentCondition {
  /** Type of the condition: Healthy. */
  readonly type: ComponentConditionType;
  /** True, False or Unknown. */
  readonly status: meta.ConditionStatus;
  /** The message of the component. */
  readonly message?: string;
  /** The error that prevented the check. */
  readonly error?: string;
}
