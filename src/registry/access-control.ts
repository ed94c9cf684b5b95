import type { AuthenticationResult } from '../authentication/authenticator.js';
import type { AuthorizationAttributes, Decision, UserRules } from '../authorization/authorizer.js';

/** What kinds may ask of the server's own access control. */
export interface AccessControl {
  /** Whether the server would allow it; a failure is an error without opinion. */
  authorize(attributes: AuthorizationAttributes): Promise<Decision>;
  /** What a user may do in a namespace, as far as that can be listed. */
  rulesFor(user: AuthorizationAttributes['user'], namespace: string): Promise<UserRules>;
  /**
   * Finds the user of a bearer token.
   * @param audiences of which the token must have one; [] for the server's own. The answer names those that it has.
   */
  authenticateToken(token: string, audiences: readonly string[]): Promise<AuthenticationResult>;
}
