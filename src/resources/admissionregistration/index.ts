import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { inVersion } from '../shared/in-version.js';
import { mutatingWebhookConfiguration } from './mutating-webhook-configuration.js';
import { validatingAdmissionPolicy } from './validating-admission-policy.js';
import { validatingAdmissionPolicyBinding } from './validating-admission-policy-binding.js';
import { validatingWebhookConfiguration } from './validating-webhook-configuration.js';

export type {
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from './admissionregistration-v1.types.js';
export {
  mutatingWebhookConfiguration,
  validatingAdmissionPolicy,
  validatingAdmissionPolicyBinding,
  validatingWebhookConfiguration,
};

const beta = { version: 'v1beta1', deprecation: { since: '1.31', removed: '1.34' } } as const;

/** ValidatingAdmissionPolicyBinding in v1beta1. */
export const validatingAdmissionPolicyBindingV1beta1 = inVersion(validatingAdmissionPolicyBinding, beta);
/** ValidatingAdmissionPolicyBinding in v1alpha1. */
export const validatingAdmissionPolicyBindingV1alpha1 = inVersion(validatingAdmissionPolicyBinding, {
  version: 'v1alpha1',
});

/** ValidatingAdmissionPolicy in v1beta1. */
export const validatingAdmissionPolicyV1beta1 = inVersion(validatingAdmissionPolicy, beta);
/** ValidatingAdmissionPolicy in v1alpha1. */
export const validatingAdmissionPolicyV1alpha1 = inVersion(validatingAdmissionPolicy, { version: 'v1alpha1' });

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
