import type { AuthenticationResult } from '../authentication/authenticator.js';
import type { AuthorizationAttributes, Decision, UserRules } from '../authorization/authorizer.js';

/** The server's authenticators and authorizers, in the form in which the code of a kind may call them. */
export interface AccessControl {
  /** Returns the decision of the server's authorizers; a failing authorizer counts as an error without an opinion. */
  authorize(attributes: AuthorizationAttributes): Decision | Promise<Decision>;
  /** Lists what a user may do in a namespace, as far as the authorizers can list it. */
  rulesFor(user: AuthorizationAttributes['user'], namespace: string): Promise<UserRules>;
  /**
   * Finds the user of a bearer token.
   * @param audiences the token must have at least one of these; [] means the server's own. The result lists the matching audiences.
   */
  authenticateToken(token: string, audiences: readonly string[]): Promise<AuthenticationResult>;
}
