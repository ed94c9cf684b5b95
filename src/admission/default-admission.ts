import type { AdmissionPluginFactory } from './admission-plugin.js';
import { certificateApproval, certificateSigning } from './certificate-signers.js';
import { certificateSubjectRestriction } from './certificate-subject-restriction.js';
import { clusterTrustBundleAttest } from './cluster-trust-bundle-attest.js';
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
import { serviceAccountAdmission } from './service-account.js';
import { persistentVolumeClaimResize } from './storage/claim-resize.js';
import { defaultStorageClass } from './storage/default-storage-class.js';
import { storageObjectInUseProtection } from './storage/in-use-protection.js';
import { mutatingAdmissionWebhook } from './webhook/mutating-webhook.js';
import { validatingAdmissionWebhook } from './webhook/validating-webhook.js';

/** The default plug-ins by their names, in run order. */
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
  // Behind all that change objects by themselves.
  ['MutatingAdmissionWebhook', mutatingAdmissionWebhook()],
  ['ValidatingAdmissionPolicy', validatingAdmissionPolicies],
  ['ValidatingAdmissionWebhook', validatingAdmissionWebhook()],
  // Whatever else may change or refuse an object comes before what it uses is written down.
  ['ResourceQuota', resourceQuotaAdmission()],
]);

/**
 * Admission of a server unless it is given its own, in run order. RBAC's protection is always on: no caller
 * hands out by a role or a binding what he does not hold.
 */
export const defaultAdmission: readonly AdmissionPluginFactory[] = [...defaultAdmissionByName.values()];
