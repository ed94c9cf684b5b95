import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { mutatingWebhookConfiguration } from './mutating-webhook-configuration.js';
import {
  validatingAdmissionPolicy,
  validatingAdmissionPolicyV1alpha1,
  validatingAdmissionPolicyV1beta1,
} from './validating-admission-policy.js';
import {
  validatingAdmissionPolicyBinding,
  validatingAdmissionPolicyBindingV1alpha1,
  validatingAdmissionPolicyBindingV1beta1,
} from './validating-admission-policy-binding.js';
import { validatingWebhookConfiguration } from './validating-webhook-configuration.js';

export { type MutatingWebhookConfiguration, mutatingWebhookConfiguration } from './mutating-webhook-configuration.js';
export {
  type ValidatingAdmissionPolicy,
  validatingAdmissionPolicy,
  validatingAdmissionPolicyV1alpha1,
  validatingAdmissionPolicyV1beta1,
} from './validating-admission-policy.js';
export {
  type ValidatingAdmissionPolicyBinding,
  validatingAdmissionPolicyBinding,
  validatingAdmissionPolicyBindingV1alpha1,
  validatingAdmissionPolicyBindingV1beta1,
} from './validating-admission-policy-binding.js';
export {
  type ValidatingWebhookConfiguration,
  validatingWebhookConfiguration,
} from './validating-webhook-configuration.js';

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
