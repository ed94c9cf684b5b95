import { defineRules } from '../../registry/built-in-kind.js';
import { webhookConfiguration } from './webhook-configuration.js';
import { validatingWebhookConfigurationSchema } from './webhook-schema.js';
import { setWebhookDefaults } from './webhook-validation.js';

export type { ValidatingWebhookConfiguration } from './webhook-schema.js';

export const validatingWebhookConfigurationRules = defineRules({
  ...webhookConfiguration,
  schema: validatingWebhookConfigurationSchema,
  setDefaults({ webhooks }) {
    for (const hook of webhooks ?? []) setWebhookDefaults(hook);
  },
});
