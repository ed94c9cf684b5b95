import { refuseUnknownMembers } from '../values/did-you-mean.js';
import { anonymousUser, unauthenticatedGroup } from './authenticated-group.js';
import { type AuthenticationResult, type AuthenticatorFactory, skipped } from './authenticator.js';

const ANONYMOUS: AuthenticationResult = Object.freeze({
  outcome: 'authenticated',
  user: Object.freeze({ username: anonymousUser, groups: Object.freeze([unauthenticatedGroup]) }),
  authenticator: 'anonymous',
});

/** The options of `anonymous`. */
export interface AnonymousOptions {
  /** URL paths for which anonymous requests are allowed, compared exactly; an empty list allows none. Default: all paths. */
  readonly paths?: readonly string[];
}

/**
 * Treats a request without any credential as the user `system:anonymous` (spec 11.19).
 * @throws TypeError for an option that does not exist, and for a member `paths` that is not a list.
 */
export function anonymous(options: AnonymousOptions = {}): AuthenticatorFactory {
  refuseUnknownMembers('anonymous()', options, ['paths']);
  const { paths } = options;
  // A list that a program did not find must not allow all paths.
  if ('paths' in options && !Array.isArray(paths)) throw new TypeError('anonymous(): paths must be a list of paths');
  return () => ({
    name: 'anonymous',
    fallback: true,
    authenticate: ({ path }) =>
      paths === undefined || (path !== undefined && paths.includes(path)) ? ANONYMOUS : skipped,
  });
}
