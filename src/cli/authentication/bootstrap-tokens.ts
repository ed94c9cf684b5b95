import { defineMethod } from './method.js';

const authentication = { group: 'Authentication' } as const;

/** Authenticates bootstrap tokens, with which nodes join the cluster. */
export const bootstrapTokens = defineMethod({
  flags: [
    {
      ...authentication,
      name: 'enable-bootstrap-token-auth',
      type: 'boolean',
      default: false,
      help: 'accept bootstrap tokens',
    },
  ],
  async read({ values }) {
    if (!values['enable-bootstrap-token-auth']) return {};
    const method = await import('../../plugins/bootstrap-tokens/bootstrap-token.js');
    return { authentication: [method.bootstrapTokens()] };
  },
});
