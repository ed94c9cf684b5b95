import type {
  AuthorizationAttributes,
  AuthorizerFactory,
  Consideration,
  Decision,
  Grant,
  UserRules,
} from '../../authorization/authorizer.js';
import { aggregateErrors } from '../../meta/aggregate-error.js';
import type { PolicyRule, Role, RoleBinding, Subject } from '../../resources/rbac/rbac-v1.types.js';
import { quote } from '../../values/quote.js';
import { describeRule, quoteList } from './describe-rules.js';
import { type RbacListers, rbacListers } from './rbac-objects.js';
import { findAllowingRule, ruleMisses } from './rule-matching.js';
import { type RuleResolver, ruleResolver, subjectFor } from './rule-resolver.js';

/** The name of the RBAC authorizer. */
export const RBAC = 'rbac';

const NO_OPINION: Decision = Object.freeze({ decision: 'NoOpinion', reason: '' });

/**
 * Allows a request if it is allowed by a role that is bound to the user, to one of the user's groups or to the user's service account (spec
 * 13.1, 13.3). The authorizer never denies. It reads roles and bindings only from listers.
 */
export function rbac(): AuthorizerFactory {
  return (host) => {
    const resolver = ruleResolver(host);
    const listers = rbacListers(host);
    return {
      name: RBAC,
      authorize(attributes) {
        const { user, resourceRequest, namespace } = attributes;
        const errors: Error[] = [];
        for (const { role, binding, subject } of resolver.rolesOf(user, resourceRequest ? namespace : '', errors)) {
          const rule = findAllowingRule(role, attributes);
          if (!rule) continue;
          const { reason, source } = sourceOf(binding, subject);
          return { decision: 'Allow', reason, authorizer: RBAC, grant: { rule, ...source } };
        }
        const error = aggregateErrors(errors);
        return error ? { decision: 'NoOpinion', reason: `RBAC: ${error.message}` } : NO_OPINION;
      },
      rulesFor: (user, namespace) => listRules(resolver.rulesFor(user, namespace)),
      explain: (attributes) => explainRbac(resolver, listers, attributes),
    };
  };
}

interface Source {
  readonly reason: string;
  readonly source: Omit<Grant, 'rule'>;
}

// Descriptions of bindings. Bindings are frozen, so a changed binding is a different object and the cached description remains correct.
const sources = new WeakMap<RoleBinding, Map<Subject, Source>>();

/** Returns the description of a binding and one of its subjects. Later calls return the cached description. */
function sourceOf(binding: RoleBinding, subject: Subject): Source {
  let ofBinding = sources.get(binding);
  if (!ofBinding) sources.set(binding, (ofBinding = new Map()));
  let source = ofBinding.get(subject);
  if (!source) ofBinding.set(subject, (source = describe(binding, subject)));
  return source;
}

function describe(bound: RoleBinding, { kind, name, namespace: subjectNamespace }: Subject): Source {
  const { metadata, roleRef } = bound;
  const { namespace = '' } = metadata;
  const binding = describeBinding(bound);
  const role = `${roleRef.kind} ${quote(roleRef.name)}`;
  const subject = `${kind} ${quote(kind === 'ServiceAccount' ? `${name}/${subjectNamespace || namespace}` : name)}`;
  return { reason: `RBAC: allowed by ${binding} of ${role} to ${subject}`, source: { binding, role, subject } };
}

/** Maximum size of the rules in a SelfSubjectRulesReview, in characters. */
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

/** The maximum number of near matches in an explanation, and also of bindings in other namespaces and of unbound roles. */
const MAX_LINES = 5;

/** Formats a binding for messages, such as `RoleBinding "x/default"`. */
function describeBinding({ metadata: { name = '', namespace = '' } }: RoleBinding): string {
  return namespace === '' ? `ClusterRoleBinding ${quote(name)}` : `RoleBinding ${quote(`${name}/${namespace}`)}`;
}

/**
 * Explains why roles and bindings did not allow a request. The explanation lists the user's bindings, the near matches among the rules of
 * the bound roles, and roles and bindings that would allow the request but do not apply to the user in the request's namespace.
 */
function explainRbac(resolver: RuleResolver, listers: RbacListers, attributes: AuthorizationAttributes): Consideration {
  const { user, resourceRequest } = attributes;
  const namespace = resourceRequest ? attributes.namespace : '';
  const lookedAt: string[] = [];
  const near: { readonly misses: number; readonly line: string }[] = [];
  const errors: Error[] = [];
  for (const { role, binding } of resolver.rolesOf(user, namespace, errors, 'binding')) {
    const source = `${describeBinding(binding)} of ${binding.roleRef.kind} ${quote(binding.roleRef.name)}`;
    lookedAt.push(source);
    for (const rule of role.rules ?? []) {
      const misses = ruleMisses(rule, attributes);
      // A rule is not a near match if it is for non-resource paths and the request is for a resource (or the reverse), or if more than two
      // attributes of the request (verb, group, resource, name) do not match.
      if (misses === undefined || misses.length > 2) continue;
      near.push({
        misses: misses.length,
        line: `${source}: ${describeRule(rule)} does not name ${misses.join(', nor ')}`,
      });
    }
  }
  near.sort((a, b) => a.misses - b.misses);
  return {
    lookedAt: [...lookedAt, ...errors.map(({ message }) => message)],
    nearest: [
      ...bindingsOutsideScope(listers, resolver, attributes, namespace),
      ...unboundRoles(listers, attributes, namespace),
      ...near.slice(0, MAX_LINES).map(({ line }) => line),
    ],
  };
}

/** Returns the user's bindings that would allow the request in another namespace. */
function bindingsOutsideScope(
  { roleBindings }: RbacListers,
  resolver: RuleResolver,
  attributes: AuthorizationAttributes,
  namespace: string,
): string[] {
  if (!attributes.resourceRequest) return [];
  const lines: string[] = [];
  for (const binding of roleBindings.list()) {
    const bindingNamespace = binding.metadata.namespace ?? '';
    if (bindingNamespace === namespace || !subjectFor(binding, attributes.user, bindingNamespace)) continue;
    const role = roleOf(resolver, binding, bindingNamespace);
    if (!role || !findAllowingRule(role, attributes)) continue;
    lines.push(`${describeBinding(binding)} allows it, but in the namespace ${quote(bindingNamespace)} only`);
    if (lines.length === MAX_LINES) break;
  }
  return lines;
}

function roleOf(resolver: RuleResolver, { roleRef }: RoleBinding, namespace: string): Role | undefined {
  try {
    return resolver.roleOf(roleRef, namespace);
  } catch {
    return undefined; // A binding whose `roleRef` has another kind grants nothing.
  }
}

/** Returns the roles that allow the request but are not bound to the user. */
function unboundRoles(
  { roles, clusterRoles }: RbacListers,
  attributes: AuthorizationAttributes,
  namespace: string,
): string[] {
  const all = [...(namespace === '' ? [] : roles.list(namespace)), ...clusterRoles.list()];
  const allowing = all.filter((role) => findAllowingRule(role, attributes)).map(({ metadata: { name = '' } }) => name);
  const isSystem = (name: string) => name.startsWith('system:');
  const names = [...allowing.filter((name) => !isSystem(name)), ...allowing.filter(isSystem)].slice(0, MAX_LINES);
  return names.length === 0 ? [] : [`roles that allow it, not bound to the user here: ${quoteList(names)}`];
}
