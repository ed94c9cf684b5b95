import type {
  AuthorizationAttributes,
  AuthorizerFactory,
  Decision,
  Grant,
  UserRules,
} from '../../authorization/authorizer.js';
import { aggregateErrors } from '../../meta/aggregate-error.js';
import type { PolicyRule, RoleBinding, Subject } from '../../resources/rbac/rbac-v1.types.js';
import { quote } from '../../values/quote.js';
import { describeBinding, explainRbac } from './explain-rbac.js';
import { rbacListers } from './rbac-objects.js';
import { findAllowingRule } from './rule-matching.js';
import { type RuleResolver, ruleResolver, subjectFor } from './rule-resolver.js';

/** The name of the authorizer by roles and bindings. */
export const RBAC = 'rbac';

const NO_OPINION: Decision = Object.freeze({ decision: 'NoOpinion', reason: '' });

/**
 * Allows what roles bound to the user, to a group of the user or to the user's account allow (spec 13.1, 13.3). It never denies, and it
 * decides from memory.
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

// Bindings are frozen, so a changed binding is another object and the cached text stays true.
const sources = new WeakMap<RoleBinding, Map<Subject, Source>>();

/** Returns the description of what a binding grants to a subject. It is built once. */
function sourceOf(binding: RoleBinding, subject: Subject): Source {
  let ofBinding = sources.get(binding);
  if (!ofBinding) sources.set(binding, (ofBinding = new Map()));
  let found = ofBinding.get(subject);
  if (!found) ofBinding.set(subject, (found = describe(binding, subject)));
  return found;
}

function describe(bound: RoleBinding, { kind, name, namespace: subjectNamespace }: Subject): Source {
  const { metadata, roleRef } = bound;
  const { namespace = '' } = metadata;
  const binding = describeBinding(bound);
  const role = `${roleRef.kind} ${quote(roleRef.name)}`;
  const subject = `${kind} ${quote(kind === 'ServiceAccount' ? `${name}/${subjectNamespace || namespace}` : name)}`;
  return { reason: `RBAC: allowed by ${binding} of ${role} to ${subject}`, source: { binding, role, subject } };
}

/** Maximum size of the rules in a review, in characters. */
const MOST_LISTED = 4 * 1024 * 1024;

function listRules({ rules, errors, isComplete }: ReturnType<RuleResolver['rulesFor']>): UserRules {
  let size = 0;
  const listed = rules.filter((rule) => {
    if (size <= MOST_LISTED) size += sizeOf(rule);
    return size <= MOST_LISTED;
  });
  const error = aggregateErrors(
    listed.length < rules.length
      ? [...errors, new Error(`the rules have more than ${MOST_LISTED} characters`)]
      : errors,
  );
  return {
    resourceRules: listed.filter(({ resources }) => (resources?.length ?? 0) > 0),
    nonResourceRules: listed.filter(({ nonResourceURLs }) => (nonResourceURLs?.length ?? 0) > 0),
    incomplete: !isComplete || listed.length < rules.length,
    ...(error ? { error } : {}),
  };
}

/** Estimates the size of a rule as JSON, in characters. */
function sizeOf({
  verbs,
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
}: PolicyRule): number {
  let size = 64;
  for (const list of [verbs, apiGroups, resources, resourceNames, nonResourceURLs])
    for (const { length } of list) size += length + 3;
  return size;
}
