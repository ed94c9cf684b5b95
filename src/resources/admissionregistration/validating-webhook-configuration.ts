import { defineRules } from '../../registry/built-in-kind.js';
import { admissionregistrationV1 } from './admissionregistration-v1.js';
import { webhookConfiguration } from './webhook-configuration.js';
import { setWebhookDefaults } from './webhook-validation.js';

export type { ValidatingWebhookConfiguration } from './admissionregistration-v1.types.js';

export const validatingWebhookConfigurationRules = defineRules({
  ...webhookConfiguration,
  schema: admissionregistrationV1.struct('ValidatingWebhookConfiguration'),
  setDefaults({ webhooks }) {
    for (const hook of webhooks ?? []) setWebhookDefaults(hook);
  },
});
