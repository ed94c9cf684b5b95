import { defineResource } from '../../registry/resource-definition.js';
import { webhookConfiguration } from './webhook-configuration.js';
import { mutatingWebhookConfigurationSchema } from './webhook-schema.js';
import { setWebhookDefaults } from './webhook-validation.js';

export type { MutatingWebhookConfiguration } from './webhook-schema.js';

/** admissionregistration/v1 MutatingWebhookConfiguration: webhooks that may change what is written. */
export const mutatingWebhookConfiguration = defineResource({
  ...webhookConfiguration,
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
  schema: mutatingWebhookConfigurationSchema,
  setDefaults({ webhooks }) {
    for (const hook of webhooks ?? []) {
      setWebhookDefaults(hook);
      hook.reinvocationPolicy ??= 'Never';
    }
  },
});
