import type { AuthenticationResult } from '../authentication/authenticator.js';
import type { AuthorizationAttributes, Decision, UserRules } from '../authorization/authorizer.js';

/** The server's authentication and authorization, as kinds such as TokenReview and SubjectAccessReview use it. */
export interface AccessControl {
  /** Returns the decision of the server's authorizers. An authorizer that fails has no opinion, and its error is part of the decision. */
  authorize(attributes: AuthorizationAttributes): Decision | Promise<Decision>;
  /** Lists the rules of a user in a namespace. Authorizers that cannot list rules (webhooks) leave the list incomplete. */
  rulesFor(user: AuthorizationAttributes['user'], namespace: string): Promise<UserRules>;
  /**
   * Finds the user of a bearer token.
   * @param audiences the token must have at least one of these; [] means the server's own. The result lists the matching audiences.
   */
  authenticateToken(token: string, audiences: readonly string[]): Promise<AuthenticationResult>;
}
