/** The stage of a feature. */
export type FeatureStage = 'ALPHA' | 'BETA' | 'GA' | 'DEPRECATED';

/** The gates of release 1.31, by stage and default (spec 18.5). Few of them concern an API server; `docs/parity.md` lists these. */
const ALPHA_OFF =
  'APIServingWithRoutine AnonymousAuthConfigurableEndpoints AuthorizeNodeWithSelectors AuthorizeWithSelectors CPUCFSQuotaPeriod CPUManagerPolicyAlphaOptions CSIVolumeHealth CloudControllerManagerWebhook ClusterTrustBundle ClusterTrustBundleProjection CoordinatedLeaderElection CrossNamespaceVolumeDataSource DRAControlPlaneController DisableAllocatorDualWrite DynamicResourceAllocation EventedPLEG HPAScaleToZero ImageVolume InPlacePodVerticalScaling InTreePluginPortworxUnregister InformerResourceVersion JobManagedBy KubeletInUserNamespace KubeletPodResourcesDynamicResources KubeletPodResourcesGet LoggingAlphaOptions MaxUnavailableStatefulSet MemoryQoS MutatingAdmissionPolicy PodAndContainerStatsFromCRI QOSReserved RecoverVolumeExpansionFailure RelaxedEnvironmentVariableValidation ResourceHealthStatus RuntimeClassInImageCriAPI SELinuxMount StorageVersionAPI StorageVersionMigrator SupplementalGroupsPolicy TopologyManagerPolicyAlphaOptions UnknownVersionInteroperabilityProxy UserNamespacesPodSecurityStandards VolumeCapacityPriority WatchList WinDSR';
const ALPHA_ON = 'WindowsHostNetwork';
const BETA_ON =
  'APIResponseCompression APIServerIdentity APIServerTracing AnyVolumeDataSource CPUManagerPolicyBetaOptions CPUManagerPolicyOptions CRDValidationRatcheting CSIMigrationPortworx ComponentSLIs ConsistentListFromCache ContainerCheckpoint ContextualLogging CronJobsScheduledAnnotation CustomResourceFieldSelectors GracefulNodeShutdown GracefulNodeShutdownBasedOnPodPriority HonorPVReclaimPolicy ImageMaximumGCAge JobBackoffLimitPerIndex JobPodReplacementPolicy JobSuccessPolicy KubeletCgroupDriverFromCRI KubeletSeparateDiskGC KubeletTracing LoadBalancerIPMode LoggingBetaOptions MatchLabelKeysInPodAffinity MatchLabelKeysInPodTopologySpread MemoryManager NFTablesProxyMode NodeInclusionPolicyInPodTopologySpread NodeSwap OpenAPIEnums PodDeletionCost PodIndexLabel PodLifecycleSleepAction PodReadyToStartContainersCondition PortForwardWebsockets RecursiveReadOnlyMounts ReloadKubeletServerCertificateFile ResilientWatchCacheInitialization RetryGenerateName RotateKubeletServerCertificate SELinuxMountReadWriteOncePod SeparateCacheWatchRPC SeparateTaintEvictionController ServiceAccountTokenJTI ServiceAccountTokenNodeBinding ServiceAccountTokenNodeBindingValidation ServiceAccountTokenPodNodeInfo ServiceTrafficDistribution SidecarContainers SizeMemoryBackedVolumes StatefulSetAutoDeletePVC StorageNamespaceIndex StorageVersionHash StructuredAuthenticationConfiguration StructuredAuthorizationConfiguration TopologyAwareHints TopologyManagerPolicyBetaOptions TopologyManagerPolicyOptions TranslateStreamCloseWebsocketRequests UnauthenticatedHTTP2DOSMitigation WinOverlay';
const BETA_OFF =
  'ConcurrentWatchObjectDecode LocalStorageCapacityIsolationFSQuotaMonitoring MultiCIDRServiceAllocator NodeLogQuery ProcMountType SchedulerQueueingHints StrictCostEnforcementForVAP StrictCostEnforcementForWebhooks UserNamespacesSupport VolumeAttributesClass WatchCacheInitializationPostStartHook WatchFromStorageWithoutResourceVersion WatchListClient';
const GA_LOCKED =
  'APIListChunking AdmissionWebhookMatchConditions AggregatedDiscoveryEndpoint AppArmor AppArmorFields CPUManager CloudDualStackNodeIPs DevicePluginCDIDevices DisableCloudProviders DisableKubeletCloudCredentialProviders EfficientWatchResumption ElasticIndexedJob HPAContainerMetrics JobPodFailurePolicy KMSv2 KMSv2KDF KubeProxyDrainingTerminatingNodes LegacyServiceAccountTokenCleanUp LogarithmicScaleDown MinDomainsInPodTopologySpread NewVolumeManagerReconstruction NodeOutOfServiceVolumeDetach PDBUnhealthyPodEvictionPolicy PersistentVolumeLastPhaseTransitionTime PodDisruptionConditions PodHostIPs PodSchedulingReadiness RemainingItemCount ServerSideApply ServerSideFieldValidation StableLoadBalancerNodeSet StatefulSetStartOrdinal ValidatingAdmissionPolicy WatchBookmark ZeroLimitedNominalConcurrencyShares';
const GA_ON = 'ExecProbeTimeout';
const DEPRECATED_OFF =
  'AllowDNSOnlyNodeCSR AllowInsecureKubeletCertificateSigningRequests AllowServiceLBStatusOnNonLB DisableNodeKubeProxyVersion KMSv1';

type Words<Text extends string, Found extends string = never> = Text extends `${infer First} ${infer Rest}`
  ? Words<Rest, Found | First>
  : Found | Text;

/** The name of a feature gate. */
export type FeatureGate =
  | Words<typeof ALPHA_OFF | typeof ALPHA_ON | typeof BETA_ON | typeof BETA_OFF>
  | Words<typeof GA_LOCKED | typeof GA_ON | typeof DEPRECATED_OFF>;

/** The states of all feature gates: true means that the gate is on. */
export type FeatureGates = Readonly<Record<FeatureGate, boolean>>;

/** The stage and default of a feature. */
export interface Gate {
  readonly stage: FeatureStage;
  readonly on: boolean;
  readonly locked?: true;
}

/** All gates by name. */
export const GATES: ReadonlyMap<string, Gate> = /* @__PURE__ */ new Map(
  (
    [
      [ALPHA_OFF, { stage: 'ALPHA', on: false }],
      [ALPHA_ON, { stage: 'ALPHA', on: true }],
      [BETA_ON, { stage: 'BETA', on: true }],
      [BETA_OFF, { stage: 'BETA', on: false }],
      [GA_LOCKED, { stage: 'GA', on: true, locked: true }],
      [GA_ON, { stage: 'GA', on: true }],
      [DEPRECATED_OFF, { stage: 'DEPRECATED', on: false }],
    ] as const satisfies readonly (readonly [string, Gate])[]
  ).flatMap(([names, gate]) => names.split(' ').map((name) => [name, gate] as const)),
);
