import { aggregateErrors } from '../meta/aggregate-error.js';
import { quote } from '../meta/field-error.js';
import type { AuthorizationAttributes, AuthorizerFactory, Decision, Grant, UserRules } from './authorizer.js';
import type { PolicyRule } from './policy-rule.js';
import type { BindingObject, BindingSubject } from './rbac-objects.js';
import { findAllowingRule } from './rule-matching.js';
import { type RuleResolver, ruleResolver, subjectFor } from './rule-resolver.js';

/** The name of the authorizer by roles and bindings. */
export const RBAC = 'rbac';

const NO_OPINION: Decision = Object.freeze({ decision: 'NoOpinion', reason: '' });

/**
 * Allows what the roles bound to a user, to his groups or to his account allow (document 2, section 5.9; gap file auth, 5.9.3).
 * It never denies, and answers from memory.
 */
export function rbac(): AuthorizerFactory {
  return (host) => {
    const resolver = ruleResolver(host);
    return {
      name: RBAC,
      authorize: (attributes) => decide(resolver, attributes),
      rulesFor: (user, namespace) => listRules(resolver.rulesFor(user, namespace)),
    };
  };
}

function decide(resolver: RuleResolver, attributes: AuthorizationAttributes): Decision {
  const { user, resourceRequest, namespace } = attributes;
  let grant: Grant | undefined;
  const errors = resolver.visit(user, resourceRequest ? namespace : '', (role, binding) => {
    const rule = findAllowingRule(role, attributes);
    const subject = rule && subjectFor(binding, user, binding.metadata.namespace ?? '');
    if (!rule || !subject) return false;
    grant = describe(binding, subject, rule);
    return true;
  });
  if (grant) {
    const reason = `RBAC: allowed by ${grant.binding} of ${grant.role} to ${grant.subject}`;
    return { decision: 'Allow', reason, authorizer: RBAC, grant };
  }
  const error = aggregateErrors(errors);
  return error ? { decision: 'NoOpinion', reason: `RBAC: ${error.message}` } : NO_OPINION;
}

function describe({ metadata, roleRef }: BindingObject, subject: BindingSubject, rule: PolicyRule): Grant {
  const { name = '', namespace = '' } = metadata;
  const { kind, name: subjectName, namespace: home } = subject;
  return {
    rule,
    binding: namespace === '' ? `ClusterRoleBinding ${quote(name)}` : `RoleBinding ${quote(`${name}/${namespace}`)}`,
    role: `${roleRef.kind} ${quote(roleRef.name)}`,
    subject: `${kind} ${quote(kind === 'ServiceAccount' ? `${subjectName}/${home || namespace}` : subjectName)}`,
  };
}

function listRules({ rules, errors }: ReturnType<RuleResolver['rulesFor']>): UserRules {
  const error = aggregateErrors(errors);
  return {
    resourceRules: rules.filter(({ resources }) => (resources?.length ?? 0) > 0),
    nonResourceRules: rules.filter(({ nonResourceURLs }) => (nonResourceURLs?.length ?? 0) > 0),
    incomplete: false,
    ...(error ? { error } : {}),
  };
}
