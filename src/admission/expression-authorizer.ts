import { serviceAccountGroups, serviceAccountUsername } from '../authentication/service-account-user.js';
import type { AuthorizationAttributes, Authorizer, Decision } from '../authorization/authorizer.js';
import { selectorRequirements } from '../authorization/selector-attributes.js';
import type { AuthorizationAnswer, AuthorizationCheck, CheckAuthorization } from '../cel/index.js';
import type { UserInfo } from '../meta/user-info.js';

/** Thrown to abort the evaluation of an expression while an authorization decision that it needs is pending. */
class Waiting {
  readonly key: string;
  readonly decision: Promise<Decision>;
  constructor(key: string, decision: Promise<Decision>) {
    this.key = key;
    this.decision = decision;
  }
}

/**
 * Runs `evaluate`, whose CEL expressions may check the permissions of `user` or of a service account. Equal checks are made once. When a
 * decision is asynchronous, `evaluate` is called again after the decision has arrived.
 */
export function evaluateWithAuthorizer<T>(
  authorizer: Pick<Authorizer, 'authorize'>,
  user: UserInfo,
  evaluate: (authorize: CheckAuthorization) => T,
): T | Promise<T> {
  const known = new Map<string, AuthorizationAnswer>();
  const authorize: CheckAuthorization = (check) => {
    const key = JSON.stringify(check);
    const before = known.get(key);
    if (before) return before;
    const decision = authorizer.authorize(attributesOf(check, user));
    if ('then' in decision) throw new Waiting(key, decision);
    const answer = answerOf(decision);
    known.set(key, answer);
    return answer;
  };
  const attempt = (): T | Promise<T> => {
    try {
      return evaluate(authorize);
    } catch (error) {
      if (!(error instanceof Waiting)) throw error;
      return error.decision.then((decision) => {
        known.set(error.key, answerOf(decision));
        return attempt();
      });
    }
  };
  return attempt();
}

function answerOf(decision: Decision): AuthorizationAnswer {
  const error = 'error' in decision ? decision.error : undefined;
  return {
    allowed: decision.decision === 'Allow',
    reason: decision.reason,
    ...(error === undefined ? {} : { error: error.message }),
  };
}

function attributesOf(check: AuthorizationCheck, caller: UserInfo): AuthorizationAttributes {
  const { verb, path, group, resource, subresource, namespace, name, serviceAccount } = check;
  const selected = selectorRequirements(check.fieldSelector, check.labelSelector);
  const user = serviceAccount
    ? {
        username: serviceAccountUsername(serviceAccount.namespace, serviceAccount.name),
        // As in upstream, the service account is not in the group `system:authenticated`.
        groups: serviceAccountGroups(serviceAccount.namespace),
      }
    : caller;
  const resourceRequest = path === undefined;
  const version = resourceRequest ? '*' : '';
  const rest = { verb, resourceRequest, group, version, resource, subresource, namespace, name, path: path ?? '' };
  return { user, ...rest, ...selected };
}
