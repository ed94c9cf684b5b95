import type { StrategyContext } from '../../registry/strategy.js';
import { age, nameColumn } from '../fragments/columns.js';
import type { WebhookConfiguration } from './webhook-schema.js';
import { validateWebhooks } from './webhook-validation.js';

/** The rules that both kinds of webhook configurations share. */
export const webhookConfiguration = {
  strategy: {
    validate: (object: WebhookConfiguration, context: StrategyContext) => validateWebhooks(object, context),
    validateUpdate: (object: WebhookConfiguration, old: WebhookConfiguration, context: StrategyContext) =>
      validateWebhooks(object, context, old),
  },
  columns: [
    nameColumn,
    {
      name: 'Webhooks',
      type: 'integer',
      description: 'The number of webhooks.',
      cell: ({ webhooks = [] }: WebhookConfiguration) => webhooks.length,
    },
    age,
  ],
} as const;
