import { defineKind } from '../../registry/built-in-kind.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { inVersion } from '../fragments/versions/in-version.js';

export type { ValidatingAdmissionPolicyBinding } from './admissionregistration-v1.types.js';
export type { MutatingWebhookConfiguration } from './mutating-webhook-configuration.js';
export type { ValidatingAdmissionPolicy } from './validating-admission-policy.js';
export type { ValidatingWebhookConfiguration } from './validating-webhook-configuration.js';

const policyBinding = {
  groupStem: 'admissionregistration',
  knownVersions: ['v1', 'v1beta1', 'v1alpha1'],
  kind: 'ValidatingAdmissionPolicyBinding',
  plural: 'validatingadmissionpolicybindings',
  categories: ['api-extensions'],
  scope: 'Cluster',
  tracksGeneration: true,
  allowUnconditionalUpdate: false,
} as const;
const policyBindingRules = async () =>
  (await import('./validating-admission-policy-binding.js')).validatingAdmissionPolicyBindingRules;

/** admissionregistration/v1 ValidatingAdmissionPolicyBinding: puts a policy into effect, with its parameters. */
export const validatingAdmissionPolicyBinding = defineKind({ ...policyBinding, version: 'v1' }, policyBindingRules);

/** ValidatingAdmissionPolicyBinding in older versions. */
export const validatingAdmissionPolicyBindingV1beta1 = inVersion(
  policyBinding,
  validatingAdmissionPolicyBinding,
  { version: 'v1beta1', deprecation: { since: '1.31', removed: '1.34' } },
  policyBindingRules,
);
export const validatingAdmissionPolicyBindingV1alpha1 = inVersion(
  policyBinding,
  validatingAdmissionPolicyBinding,
  { version: 'v1alpha1' },
  policyBindingRules,
);

const policy = {
  groupStem: 'admissionregistration',
  knownVersions: ['v1', 'v1beta1', 'v1alpha1'],
  kind: 'ValidatingAdmissionPolicy',
  plural: 'validatingadmissionpolicies',
  categories: ['api-extensions'],
  scope: 'Cluster',
  tracksGeneration: true,
  allowUnconditionalUpdate: false,
  subresources: { status: {} },
} as const;
const policyRules = async () => (await import('./validating-admission-policy.js')).validatingAdmissionPolicyRules;

/** admissionregistration/v1 ValidatingAdmissionPolicy: expressions that requests must satisfy. */
export const validatingAdmissionPolicy = defineKind({ ...policy, version: 'v1' }, policyRules);

/** ValidatingAdmissionPolicy in older versions. */
export const validatingAdmissionPolicyV1beta1 = inVersion(
  policy,
  validatingAdmissionPolicy,
  { version: 'v1beta1', deprecation: { since: '1.31', removed: '1.34' } },
  policyRules,
);
export const validatingAdmissionPolicyV1alpha1 = inVersion(
  policy,
  validatingAdmissionPolicy,
  { version: 'v1alpha1' },
  policyRules,
);

const webhooks = {
  groupStem: 'admissionregistration',
  version: 'v1',
  categories: ['api-extensions'],
  scope: 'Cluster',
  tracksGeneration: true,
  allowUnconditionalUpdate: false,
} as const;

/** admissionregistration/v1 MutatingWebhookConfiguration: webhooks that may change the objects of requests. */
export const mutatingWebhookConfiguration = defineKind(
  { ...webhooks, kind: 'MutatingWebhookConfiguration', plural: 'mutatingwebhookconfigurations' },
  async () => (await import('./mutating-webhook-configuration.js')).mutatingWebhookConfigurationRules,
);

/** admissionregistration/v1 ValidatingWebhookConfiguration: webhooks that may refuse requests. */
export const validatingWebhookConfiguration = defineKind(
  { ...webhooks, kind: 'ValidatingWebhookConfiguration', plural: 'validatingwebhookconfigurations' },
  async () => (await import('./validating-webhook-configuration.js')).validatingWebhookConfigurationRules,
);

/** The kinds of the group admissionregistration, the newer versions first. */
export const admissionregistrationKinds: readonly ResourceDefinition[] = [
  mutatingWebhookConfiguration,
  validatingAdmissionPolicy,
  validatingAdmissionPolicyBinding,
  validatingWebhookConfiguration,
  validatingAdmissionPolicyV1beta1,
  validatingAdmissionPolicyBindingV1beta1,
  validatingAdmissionPolicyV1alpha1,
  validatingAdmissionPolicyBindingV1alpha1,
];
