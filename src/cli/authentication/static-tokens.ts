import { readOptionalTextFile } from '../files.js';
import { defineMethod } from './method.js';

const authentication = { group: 'Authentication' } as const;

/** Authenticates tokens that are listed in a file. */
export const staticTokens = defineMethod({
  flags: [
    { ...authentication, name: 'token-auth-file', type: 'string', help: 'static tokens: token,user,uid[,"group,..."]' },
  ],
  async read({ values }) {
    const tokens = await readOptionalTextFile(values['token-auth-file']);
    if (tokens === undefined) return {};
    const { tokenFile } = await import('../../authentication/tokens/token-file.js');
    return { authentication: [tokenFile(tokens, { path: values['token-auth-file'] ?? '' })] };
  },
});
