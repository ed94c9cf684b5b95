import { defineResource } from '../../registry/resource-definition.js';
import { webhookConfiguration } from './webhook-configuration.js';
import { validatingWebhookConfigurationSchema } from './webhook-schema.js';
import { setWebhookDefaults } from './webhook-validation.js';

export type { ValidatingWebhookConfiguration } from './webhook-schema.js';

/** admissionregistration/v1 ValidatingWebhookConfiguration: webhooks that may refuse writes. */
export const validatingWebhookConfiguration = defineResource({
  ...webhookConfiguration,
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
  schema: validatingWebhookConfigurationSchema,
  setDefaults({ webhooks }) {
    for (const hook of webhooks ?? []) setWebhookDefaults(hook);
  },
});
