import type { AuthenticationResult } from '../authentication/authenticator.js';
import type { AuthorizationAttributes, Decision, UserRules } from '../authorization/authorizer.js';

/** What kinds may ask of the server's own access control. */
export interface AccessControl {
  /** Whether the server would allow it; trouble is no opinion with an error. */
  authorize(attributes: AuthorizationAttributes): Promise<Decision>;
  /** What a user may do in a namespace, as far as that can be listed. */
  rulesFor(user: AuthorizationAttributes['user'], namespace: string): UserRules;
  /**
   * Whom a bearer token stands for.
   * @param audiences for whom it must be meant; [] for the server itself. The answer names those of them it is meant for.
   */
  authenticateToken(token: string, audiences: readonly string[]): Promise<AuthenticationResult>;
}
