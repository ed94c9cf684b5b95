import { defineRules } from '../../registry/built-in-kind.js';
import { webhookConfiguration } from './webhook-configuration.js';
import { mutatingWebhookConfigurationSchema } from './webhook-schema.js';
import { setWebhookDefaults } from './webhook-validation.js';

export type { MutatingWebhookConfiguration } from './webhook-schema.js';

export const mutatingWebhookConfigurationRules = defineRules({
  ...webhookConfiguration,
  schema: mutatingWebhookConfigurationSchema,
  setDefaults({ webhooks }) {
    for (const hook of webhooks ?? []) {
      setWebhookDefaults(hook);
      hook.reinvocationPolicy ??= 'Never';
    }
  },
});
