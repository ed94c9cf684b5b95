import { authorizationModes } from '../authorization-modes.js';
import { defineMethod } from './method.js';

const authentication = { group: 'Authentication' } as const;

/** Accepts requests without credentials (spec 11.19). */
export const anonymousRequests = defineMethod({
  flags: [
    {
      ...authentication,
      name: 'anonymous-auth',
      type: 'boolean',
      help: 'allow anonymous requests (default: true unless AlwaysAllow is an authorization mode)',
    },
  ],
  async read({ values }, { configuresAnonymous, log }) {
    if (configuresAnonymous || values['anonymous-auth'] === false) return {};
    // With AlwaysAllow, anonymous requests are off, whatever other modes are in the list. Otherwise callers without credentials would be
    // allowed everything.
    if (authorizationModes(values)?.includes('AlwaysAllow')) {
      if (values['anonymous-auth'] === true)
        log(
          'AnonymousAuth is not allowed with the AlwaysAllow authorizer. Resetting AnonymousAuth to false. You should use a different authorizer',
        );
      return {};
    }
    const { anonymous } = await import('../../authentication/anonymous.js');
    return { authentication: [anonymous()] };
  },
});
