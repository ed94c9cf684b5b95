import { defineResource } from '../../registry/resource-definition.js';
import { admissionregistrationV1 } from './admissionregistration-v1.js';
import { setWebhookDefaults, webhookConfiguration } from './webhook-configuration.js';

export type { MutatingWebhookConfiguration } from './admissionregistration-v1.types.js';

/** admissionregistration/v1 MutatingWebhookConfiguration: webhooks that may change the objects of requests. */
export const mutatingWebhookConfiguration = defineResource({
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
  ...webhookConfiguration,
  schema: admissionregistrationV1.struct('MutatingWebhookConfiguration'),
  setDefaults({ webhooks }) {
    for (const hook of webhooks ?? []) {
      setWebhookDefaults(hook);
      hook.reinvocationPolicy ??= 'Never';
    }
  },
});
