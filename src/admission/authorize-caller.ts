import type { AuthorizationAttributes, Authorizer, Decision } from '../authorization/authorizer.js';
import type { AdmissionAttributes } from './admission-plugin.js';

/** Returns an authorizer that decides like `authorizer` and reports each decision about the caller of the write to the write's observer. */
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
