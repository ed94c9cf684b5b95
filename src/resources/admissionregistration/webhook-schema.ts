import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from './admissionregistration-v1.types.js';

export const SIDE_EFFECTS = ['None', 'NoneOnDryRun', 'Some', 'Unknown'];
export const REINVOCATION_POLICIES = ['IfNeeded', 'Never'];

/** A validating or mutating webhook. */
export type Webhook = ValidatingWebhook & Pick<MutatingWebhook, 'reinvocationPolicy'>;
export type WebhookConfiguration = ValidatingWebhookConfiguration | MutatingWebhookConfiguration;
