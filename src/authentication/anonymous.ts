import { anonymousUser, unauthenticatedGroup } from './authenticated-group.js';
import { type AuthenticationResult, type AuthenticatorFactory, skipped } from './authenticator.js';

const ANONYMOUS: AuthenticationResult = Object.freeze({
  outcome: 'authenticated',
  user: Object.freeze({ username: anonymousUser, groups: Object.freeze([unauthenticatedGroup]) }),
  authenticator: 'anonymous',
});

/** The options of `anonymous`. */
export interface AnonymousOptions {
  /** URL paths for which anonymous requests are allowed, compared exactly. Default: all paths. */
  readonly paths?: readonly string[];
}

/** Treats a request without any credential as the user `system:anonymous` (spec 11.19). */
export function anonymous({ paths = [] }: AnonymousOptions = {}): AuthenticatorFactory {
  return () => ({
    name: 'anonymous',
    fallback: true,
    authenticate: ({ path }) =>
      paths.length === 0 || (path !== undefined && paths.includes(path)) ? ANONYMOUS : skipped,
  });
}
