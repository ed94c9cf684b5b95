import { defineMethod } from './method.js';

const authentication = { group: 'Authentication' } as const;

/** Requests without credentials (spec 11.19). */
export const anonymousRequests = defineMethod({
  flags: [
    {
      ...authentication,
      name: 'anonymous-auth',
      type: 'boolean',
      help: 'whether requests without credentials are anonymous (default: only where not everything is allowed)',
    },
  ],
  async read({ values }, { configuresAnonymous }) {
    const modes = values['authorization-config'] ? ['file'] : (values['authorization-mode'] ?? []);
    // Only this mode allows everything: then anonymous callers are refused unless they are asked for.
    const onlyAlwaysAllow = modes.every((mode) => mode === 'AlwaysAllow');
    if (configuresAnonymous || !(values['anonymous-auth'] ?? !onlyAlwaysAllow)) return {};
    const { anonymous } = await import('../../authentication/anonymous.js');
    return { authentication: [anonymous()] };
  },
});
