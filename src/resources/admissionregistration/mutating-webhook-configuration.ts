import { defineRules } from '../../registry/built-in-kind.js';
import { admissionregistrationV1 } from './admissionregistration-v1.js';
import { webhookConfiguration } from './webhook-configuration.js';
import { setWebhookDefaults } from './webhook-validation.js';

export type { MutatingWebhookConfiguration } from './admissionregistration-v1.types.js';

export const mutatingWebhookConfigurationRules = defineRules({
  ...webhookConfiguration,
  schema: admissionregistrationV1.struct('MutatingWebhookConfiguration'),
  setDefaults({ webhooks }) {
    for (const hook of webhooks ?? []) {
      setWebhookDefaults(hook);
      hook.reinvocationPolicy ??= 'Never';
    }
  },
});
