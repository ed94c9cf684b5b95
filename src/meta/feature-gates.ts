import type { MetricFamily, Metrics } from '../metrics/metrics.js';

/** How settled a feature is. */
export type FeatureStage = 'ALPHA' | 'BETA' | 'GA' | 'DEPRECATED';

/** The gates of release 1.31, by what they are at first (spec 18.5). Few belong to an API server: `docs/parity.md` names them. */
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

/** The name of a switch. */
export type FeatureGate =
  | Words<typeof ALPHA_OFF | typeof ALPHA_ON | typeof BETA_ON | typeof BETA_OFF>
  | Words<typeof GA_LOCKED | typeof GA_ON | typeof DEPRECATED_OFF>;

/** Which features are on. */
export type FeatureGates = Readonly<Record<FeatureGate, boolean>>;

interface Gate {
  readonly stage: FeatureStage;
  readonly on: boolean;
  readonly locked?: true;
}

const GATES: ReadonlyMap<string, Gate> = /* @__PURE__ */ new Map(
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

/** Switches of all gates of a stage that are not named themselves. */
const WHOLE_STAGES = { AllAlpha: 'ALPHA', AllBeta: 'BETA' } as const satisfies Record<string, FeatureStage>;
const isWholeStage = (name: string): name is keyof typeof WHOLE_STAGES => Object.hasOwn(WHOLE_STAGES, name);

/** A gate that has no meaning without another, and what is said where the other is off. */
const NEEDS = [
  [
    'ServiceAccountTokenNodeBinding',
    'ServiceAccountTokenNodeBindingValidation',
    'the "ServiceAccountTokenNodeBinding" feature gate can only be enabled if the "ServiceAccountTokenNodeBindingValidation" feature gate is also enabled',
  ],
  [
    'AuthorizeNodeWithSelectors',
    'AuthorizeWithSelectors',
    'AuthorizeNodeWithSelectors feature requires AuthorizeWithSelectors feature to be enabled',
  ],
] as const satisfies readonly (readonly [FeatureGate, FeatureGate, string])[];

/**
 * Applies switches to the defaults; `AllAlpha` and `AllBeta` set those not named.
 * @throws TypeError for an unknown switch, one that cannot be switched any more, or one without another that it needs.
 */
export function featureGates(given: Readonly<Record<string, boolean>> = {}): FeatureGates {
  const named = Object.entries(given);
  for (const [name, value] of named) {
    const gate = GATES.get(name);
    if (!gate && !isWholeStage(name)) throw new TypeError(`unrecognized feature gate: ${name}`);
    if (gate?.locked && gate.on !== value)
      throw new TypeError(`cannot set feature gate ${name} to ${value}, feature is locked to ${gate.on}`);
  }
  const gates: Record<string, boolean> = {};
  for (const [name, { stage, on }] of GATES) {
    const all = stage === 'ALPHA' ? given['AllAlpha'] : stage === 'BETA' ? given['AllBeta'] : undefined;
    gates[name] = given[name] ?? all ?? on;
  }
  for (const [gate, needed, problem] of NEEDS) if (gates[gate] && !gates[needed]) throw new TypeError(problem);
  return gates as FeatureGates; // the map has the names of the type
}

/** What the operator is told of switches that go with a later release. */
export function gateWarnings(given: Readonly<Record<string, boolean>> = {}): string[] {
  const said: Partial<Record<FeatureStage, string>> = { GA: 'GA', DEPRECATED: 'deprecated' };
  return Object.entries(given).flatMap(([name, value]) => {
    const word = said[GATES.get(name)?.stage ?? 'BETA'];
    return word ? [`Setting ${word} feature gate ${name}=${value}. It will be removed in a future release.`] : [];
  });
}

const FEATURE_ENABLED: MetricFamily = {
  name: 'kubernetes_feature_enabled',
  help: 'This metric records the data about the stage and enablement of a k8s feature.',
  type: 'gauge',
  labels: ['name', 'stage'],
  stability: 'BETA',
};

/** Shows which features are on to whoever reads metrics. */
export function measureGates(
  metrics: Metrics,
  gates: FeatureGates,
  given: Readonly<Record<string, boolean>> = {},
): void {
  metrics.collect(FEATURE_ENABLED, function* () {
    for (const [name, stage] of Object.entries(WHOLE_STAGES)) yield [[name, stage], given[name] ? 1 : 0];
    for (const [name, { stage }] of GATES)
      yield [[name, stage === 'GA' ? '' : stage], gates[name as FeatureGate] ? 1 : 0]; // has it, as own
  });
}
