import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { mutatingWebhookConfiguration } from './mutating-webhook-configuration.js';
import { validatingAdmissionPolicy } from './validating-admission-policy.js';
import { validatingAdmissionPolicyBinding } from './validating-admission-policy-binding.js';
import { validatingWebhookConfiguration } from './validating-webhook-configuration.js';

export { type MutatingWebhookConfiguration, mutatingWebhookConfiguration } from './mutating-webhook-configuration.js';
export { type ValidatingAdmissionPolicy, validatingAdmissionPolicy } from './validating-admission-policy.js';
export {
  type ValidatingAdmissionPolicyBinding,
  validatingAdmissionPolicyBinding,
} from './validating-admission-policy-binding.js';
export {
  type ValidatingWebhookConfiguration,
  validatingWebhookConfiguration,
} from './validating-webhook-configuration.js';

/** The kinds of the group admissionregistration. */
export const admissionregistrationKinds: readonly ResourceDefinition[] = [
  mutatingWebhookConfiguration,
  validatingAdmissionPolicy,
  validatingAdmissionPolicyBinding,
  validatingWebhookConfiguration,
];
