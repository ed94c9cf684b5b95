import type { AuthorizationAttributes, Authorizer, Decision } from '../authorization/authorizer.js';
import type { AdmissionAttributes } from './admission-plugin.js';

/**
 * Asks a server's authorizers about the caller of a write, and reports the question to what follows the write. The authorizer that it
 * returns answers as `authorizer` does.
 */
export function authorizerOf(
  { observer }: Pick<AdmissionAttributes, 'observer'>,
  authorizer: Authorizer,
): Pick<Authorizer, 'authorize'> {
  if (observer === undefined) return authorizer;
  const report = (attributes: AuthorizationAttributes, decision: Decision) => {
    observer.checked(attributes, decision);
    return decision;
  };
  return {
    authorize(attributes) {
      const decision = authorizer.authorize(attributes);
      return decision instanceof Promise
        ? decision.then((each) => report(attributes, each))
        : report(attributes, decision);
    },
  };
}
