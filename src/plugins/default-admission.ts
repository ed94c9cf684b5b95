import type { AdmissionPluginFactory } from '../admission/admission-plugin.js';
import { certificateApproval, certificateSigning } from './certificates/certificate-signers.js';
import { certificateSubjectRestriction } from './certificates/certificate-subject-restriction.js';
import { clusterTrustBundleAttest } from './certificates/cluster-trust-bundle-attest.js';
import { namespaceLifecycle } from './namespaces/namespace-lifecycle.js';
import { defaultIngressClass } from './network/default-ingress-class.js';
import { taintNodesByCondition } from './nodes/taint-nodes-by-condition.js';
import { podSecurity } from './pod-security/pod-security.js';
import { defaultTolerationSeconds } from './pods/default-toleration-seconds.js';
import { limitRanger } from './pods/limit-ranger.js';
import { priority } from './pods/priority.js';
import { runtimeClassAdmission } from './pods/runtime-class.js';
import { validatingAdmissionPolicies } from './policy/validating-policy.js';
import { resourceQuotaAdmission } from './quota/resource-quota.js';
import { serviceAccountAdmission } from './service-accounts/service-account-admission.js';
import { persistentVolumeClaimResize } from './storage/claim-resize.js';
import { defaultStorageClass } from './storage/default-storage-class.js';
import { storageObjectInUseProtection } from './storage/in-use-protection.js';
import { mutatingAdmissionWebhook, validatingAdmissionWebhook } from './webhook/webhook-plugins.js';

/** The default plug-ins by name, in the order in which they run. */
export const defaultAdmissionByName: ReadonlyMap<string, AdmissionPluginFactory> = new Map([
  ['NamespaceLifecycle', namespaceLifecycle],
  ['LimitRanger', limitRanger],
  ['ServiceAccount', serviceAccountAdmission],
  ['TaintNodesByCondition', taintNodesByCondition],
  ['PodSecurity', podSecurity()],
  ['Priority', priority],
  ['DefaultTolerationSeconds', defaultTolerationSeconds()],
  ['DefaultStorageClass', defaultStorageClass],
  ['StorageObjectInUseProtection', storageObjectInUseProtection],
  ['PersistentVolumeClaimResize', persistentVolumeClaimResize],
  ['RuntimeClass', runtimeClassAdmission],
  ['CertificateApproval', certificateApproval],
  ['CertificateSigning', certificateSigning],
  ['ClusterTrustBundleAttest', clusterTrustBundleAttest],
  ['CertificateSubjectRestriction', certificateSubjectRestriction],
  ['DefaultIngressClass', defaultIngressClass],
  // Webhooks run after the built-in mutating plug-ins.
  ['MutatingAdmissionWebhook', mutatingAdmissionWebhook()],
  ['ValidatingAdmissionPolicy', validatingAdmissionPolicies],
  ['ValidatingAdmissionWebhook', validatingAdmissionWebhook()],
  // The quota plug-in runs last, so that usage is recorded only for objects that no later plug-in changes or refuses.
  ['ResourceQuota', resourceQuotaAdmission()],
]);

/**
 * The admission plug-ins of a server without the option `admission`, in the order in which they run. RBAC's escalation check is not among
 * them, because it always runs: no caller can grant, through a role or a binding, permissions that the caller does not have.
 */
export const defaultAdmission: readonly AdmissionPluginFactory[] = [...defaultAdmissionByName.values()];
