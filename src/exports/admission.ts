/** `orch-apiserver/admission`: the default plug-ins, and the interface of one's own. */
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
export { nodeRestriction } from '../admission/node-restriction.js';
export type { LevelVersion, Policy as PodSecurityLevels } from '../admission/pod-security/level.js';
export { type PodSecurityOptions, podSecurity } from '../admission/pod-security/pod-security.js';
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
