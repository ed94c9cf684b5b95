import { defineResource } from '../../registry/resource-definition.js';
import { admissionregistrationV1 } from './admissionregistration-v1.js';
import { setWebhookDefaults, webhookConfiguration } from './webhook-configuration.js';

export type { ValidatingWebhookConfiguration } from './admissionregistration-v1.types.js';

/** admissionregistration/v1 ValidatingWebhookConfiguration: webhooks that may refuse requests. */
export const validatingWebhookConfiguration = defineResource({
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
  ...webhookConfiguration,
  schema: admissionregistrationV1.struct('ValidatingWebhookConfiguration'),
  setDefaults({ webhooks }) {
    for (const hook of webhooks ?? []) setWebhookDefaults(hook);
  },
});
