import type { AuthorizationAttributes, Consideration } from '../../authorization/authorizer.js';
import type { Role, RoleBinding } from '../../resources/rbac/rbac-v1.types.js';
import { quote } from '../../values/quote.js';
import { describeRule, quoteList } from './describe-rules.js';
import type { RbacListers } from './rbac-objects.js';
import { findAllowingRule, ruleMisses } from './rule-matching.js';
import { type RuleResolver, subjectFor } from './rule-resolver.js';

/** The most lines of each sort in an explanation. */
const MAX_LINES = 5;

/** Formats a binding for messages, such as `RoleBinding "x/default"`. */
export function describeBinding({ metadata: { name = '', namespace = '' } }: RoleBinding): string {
  return namespace === '' ? `ClusterRoleBinding ${quote(name)}` : `RoleBinding ${quote(`${name}/${namespace}`)}`;
}

/**
 * Explains why roles and bindings did not allow a request. The lines are the user's bindings, the rules of their roles that come nearest,
 * and roles and bindings that would allow the request but do not apply to the user there.
 */
export function explainRbac(
  resolver: RuleResolver,
  listers: RbacListers,
  attributes: AuthorizationAttributes,
): Consideration {
  const { user, resourceRequest } = attributes;
  const namespace = resourceRequest ? attributes.namespace : '';
  const lookedAt: string[] = [];
  const near: { readonly misses: number; readonly line: string }[] = [];
  const errors = resolver.visit(user, namespace, (role, binding) => {
    const source = `${describeBinding(binding)} of ${binding.roleRef.kind} ${quote(binding.roleRef.name)}`;
    lookedAt.push(source);
    for (const rule of role.rules ?? []) {
      const misses = ruleMisses(rule, attributes);
      // The rule is of another sort, or too little of it matches to be worth showing.
      if (misses === undefined || misses.length > 2) continue;
      near.push({
        misses: misses.length,
        line: `${source}: ${describeRule(rule)} does not name ${misses.join(', nor ')}`,
      });
    }
    return false;
  });
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
    return undefined; // a reference to another kind allows nothing
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
