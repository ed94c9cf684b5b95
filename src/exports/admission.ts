/** `orch-apiserver/admission`: the default plug-ins, and the interface for plug-ins of your own. */
export type {
  AdmissionAttributes,
  AdmissionHost,
  AdmissionObserver,
  AdmissionPlugin,
  AdmissionPluginFactory,
  AdmissionRounds,
  AdmissionRule,
  Operation,
  ResourceForm,
  ServedKind,
} from '../admission/admission-plugin.js';
export type { GroupVersion, GroupVersionKind, GroupVersionResource } from '../meta/group-version.js';
export type { WebhookClientOptions, WebhookCredentials } from '../outbound/webhook-client.js';
export { defaultAdmission } from '../plugins/default-admission.js';
export {
  type EventLimit,
  type EventLimitType,
  type EventRateLimitOptions,
  eventRateLimit,
} from '../plugins/events/event-rate-limit.js';
export { namespaceAutoProvision } from '../plugins/namespaces/auto-provision.js';
export { namespaceExists } from '../plugins/namespaces/exists.js';
export { denyServiceExternalIPs } from '../plugins/network/deny-service-external-ips.js';
export { nodeRestriction } from '../plugins/nodes/node-restriction.js';
export { ownerReferencesPermissionEnforcement } from '../plugins/owner-references.js';
export type { LevelVersion, Policy as PodSecurityLevels } from '../plugins/pod-security/level.js';
export { type PodSecurityOptions, podSecurity } from '../plugins/pod-security/pod-security.js';
export { alwaysPullImages } from '../plugins/pods/always-pull-images.js';
export { defaultTolerationSeconds, type TolerationSeconds } from '../plugins/pods/default-toleration-seconds.js';
export { extendedResourceToleration } from '../plugins/pods/extended-resource-toleration.js';
export { limitPodHardAntiAffinityTopology } from '../plugins/pods/hard-anti-affinity.js';
export { type ImagePolicyOptions, imagePolicyWebhook } from '../plugins/pods/image-policy-webhook.js';
export { type NodeSelectors, podNodeSelector } from '../plugins/pods/pod-node-selector.js';
export { type PodTolerationOptions, podTolerationRestriction } from '../plugins/pods/pod-toleration-restriction.js';
export type { ScopeRequirement } from '../plugins/quota/quota.js';
export {
  type LimitedResource,
  type ResourceQuotaOptions,
  resourceQuotaAdmission,
} from '../plugins/quota/resource-quota.js';
export { mutatingAdmissionWebhook, validatingAdmissionWebhook } from '../plugins/webhook/webhook-plugins.js';
