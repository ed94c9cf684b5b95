/** `orch-apiserver/admission`: the default plug-ins, and the interface for plug-ins of your own. */
export type {
  AdmissionAttributes,
  AdmissionHost,
  AdmissionPlugin,
  AdmissionPluginFactory,
  AdmissionRounds,
  Operation,
  ResourceForm,
  ServedKind,
} from '../admission/admission-plugin.js';
export { defaultAdmission } from '../admission/default-admission.js';
export {
  type EventLimit,
  type EventLimitType,
  type EventRateLimitOptions,
  eventRateLimit,
} from '../admission/event-rate-limit.js';
export { namespaceAutoProvision } from '../admission/namespaces/auto-provision.js';
export { namespaceExists } from '../admission/namespaces/exists.js';
export { denyServiceExternalIPs } from '../admission/network/deny-service-external-ips.js';
export { nodeRestriction } from '../admission/nodes/node-restriction.js';
export { ownerReferencesPermissionEnforcement } from '../admission/owner-references.js';
export type { LevelVersion, Policy as PodSecurityLevels } from '../admission/pod-security/level.js';
export { type PodSecurityOptions, podSecurity } from '../admission/pod-security/pod-security.js';
export { alwaysPullImages } from '../admission/pods/always-pull-images.js';
export { defaultTolerationSeconds, type TolerationSeconds } from '../admission/pods/default-toleration-seconds.js';
export { extendedResourceToleration } from '../admission/pods/extended-resource-toleration.js';
export { limitPodHardAntiAffinityTopology } from '../admission/pods/hard-anti-affinity.js';
export { type ImagePolicyOptions, imagePolicyWebhook } from '../admission/pods/image-policy-webhook.js';
export { type NodeSelectors, podNodeSelector } from '../admission/pods/pod-node-selector.js';
export { type PodTolerationOptions, podTolerationRestriction } from '../admission/pods/pod-toleration-restriction.js';
export type { ScopeRequirement } from '../admission/quota/quota.js';
export {
  type LimitedResource,
  type ResourceQuotaOptions,
  resourceQuotaAdmission,
} from '../admission/quota/resource-quota.js';
export type { WebhookClientOptions, WebhookCredentials } from '../admission/webhook/client.js';
export { mutatingAdmissionWebhook } from '../admission/webhook/mutating-webhook.js';
export { validatingAdmissionWebhook } from '../admission/webhook/validating-webhook.js';
export type { GroupVersion, GroupVersionKind, GroupVersionResource } from '../meta/group-version.js';
