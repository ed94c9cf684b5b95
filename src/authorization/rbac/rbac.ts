import { aggregateErrors } from '../../meta/aggregate-error.js';
import { quote } from '../../values/quote.js';
import type { AuthorizationAttributes, AuthorizerFactory, Decision, Grant, UserRules } from '../authorizer.js';
import { describeBinding, explainRbac } from './explain-rbac.js';
import { type BindingObject, type BindingSubject, rbacListers } from './rbac-objects.js';
import { findAllowingRule } from './rule-matching.js';
import { type RuleResolver, ruleResolver, subjectFor } from './rule-resolver.js';

/** The name of the authorizer by roles and bindings. */
export const RBAC = 'rbac';

const NO_OPINION: Decision = Object.freeze({ decision: 'NoOpinion', reason: '' });

/**
 * Allows what the roles bound to a user, to his groups or to his account allow (spec 13.1, 13.3).
 * It never denies, and answers from memory.
 */
export function rbac(): AuthorizerFactory {
  return (host) => {
    const resolver = ruleResolver(host);
    const listers = rbacListers(host);
    return {
      name: RBAC,
      authorize: (attributes) => decide(resolver, attributes),
      rulesFor: (user, namespace) => listRules(resolver.rulesFor(user, namespace)),
      explain: (attributes) => explainRbac(resolver, listers, attributes),
    };
  };
}

function decide(resolver: RuleResolver, attributes: AuthorizationAttributes): Decision {
  const { user, resourceRequest, namespace } = attributes;
  let allowed: Decision | undefined;
  const errors = resolver.visitRoles(user, resourceRequest ? namespace : '', (role, binding) => {
    const rule = findAllowingRule(role, attributes);
    const subject = rule && subjectFor(binding, user, binding.metadata.namespace ?? '');
    if (!rule || !subject) return false;
    const { reason, source } = sourceOf(binding, subject);
    allowed = { decision: 'Allow', reason, authorizer: RBAC, grant: { rule, ...source } };
    return true;
  });
  if (allowed) return allowed;
  const error = aggregateErrors(errors);
  return error ? { decision: 'NoOpinion', reason: `RBAC: ${error.message}` } : NO_OPINION;
}

interface Source {
  readonly reason: string;
  readonly source: Omit<Grant, 'rule'>;
}

// Bindings are frozen: a changed one is another object.
const sources = new WeakMap<BindingObject, Map<BindingSubject, Source>>();

/** What a binding gives to a subject, in words; written once. */
function sourceOf(binding: BindingObject, subject: BindingSubject): Source {
  let ofBinding = sources.get(binding);
  if (!ofBinding) sources.set(binding, (ofBinding = new Map()));
  let found = ofBinding.get(subject);
  if (!found) ofBinding.set(subject, (found = describe(binding, subject)));
  return found;
}

function describe(bound: BindingObject, { kind, name, namespace: home }: BindingSubject): Source {
  const { metadata, roleRef } = bound;
  const { namespace = '' } = metadata;
  const binding = describeBinding(bound);
  const role = `${roleRef.kind} ${quote(roleRef.name)}`;
  const subject = `${kind} ${quote(kind === 'ServiceAccount' ? `${name}/${home || namespace}` : name)}`;
  return { reason: `RBAC: allowed by ${binding} of ${role} to ${subject}`, source: { binding, role, subject } };
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
