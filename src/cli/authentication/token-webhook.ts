import { defineMethod } from './method.js';

const authentication = { group: 'Authentication' } as const;

/** Authenticates tokens by a webhook that handles TokenReviews (spec 11.13). */
export const tokenWebhook = defineMethod({
  flags: [
    {
      ...authentication,
      name: 'authentication-token-webhook-config-file',
      type: 'string',
      help: 'kubeconfig of the webhook that reviews tokens',
    },
    {
      ...authentication,
      name: 'authentication-token-webhook-version',
      type: 'string',
      default: 'v1beta1',
      help: 'API version of the TokenReview that is sent',
    },
    {
      ...authentication,
      name: 'authentication-token-webhook-cache-ttl',
      type: 'duration',
      default: '2m0s',
      help: 'time for which responses of the webhook are cached',
    },
  ],
  async read({ values }) {
    const file = values['authentication-token-webhook-config-file'];
    if (!file) return {};
    const version = values['authentication-token-webhook-version'];
    const { readWebhookConnection } = await import('../configuration/webhook-connection.js');
    const connection = await readWebhookConnection(file, values);
    if (version !== 'v1' && version !== 'v1beta1')
      throw new Error(
        `unsupported authentication webhook version "${version}", supported versions are "v1", "v1beta1"`,
      );
    const { webhookTokens } = await import('../../authentication/tokens/webhook-token.js');
    const cacheLifetime = values['authentication-token-webhook-cache-ttl'];
    return { authentication: [webhookTokens({ connection, version, cacheLifetime })] };
  },
});
