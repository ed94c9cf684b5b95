import type { StrategyContext } from '../../registry/strategy.js';
import { age, nameColumn } from '../shared/columns.js';
import type { WebhookConfiguration } from './webhook-schema.js';
import { validateWebhooks } from './webhook-validation.js';

/** The facts that both kinds of webhook configurations share. */
export const webhookConfiguration = {
  groupStem: 'admissionregistration',
  version: 'v1',
  categories: ['api-extensions'],
  scope: 'Cluster',
  tracksGeneration: true,
  allowUnconditionalUpdate: false,
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
