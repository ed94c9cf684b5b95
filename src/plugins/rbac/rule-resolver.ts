import { serviceAccountUsername } from '../../authentication/service-account-user.js';
import type { Host } from '../../meta/host.js';
import type { UserInfo } from '../../meta/user-info.js';
import type { PolicyRule, Role, RoleBinding, RoleRef, Subject } from '../../resources/rbac/rbac-v1.types.js';
import { quote } from '../../values/quote.js';
import { rbacGroup, rbacListers } from './rbac-objects.js';

/** Receives a role of a user with the binding that grants it. It returns true to end the visit. */
export type RoleVisitor = (role: Role, binding: RoleBinding) => boolean;

/** The rules of a user, with an error for each binding whose role does not exist. */
export interface ResolvedRules {
  readonly rules: readonly PolicyRule[];
  readonly errors: readonly Error[];
  /** False if some roles were left out because the user has too many rules. */
  readonly isComplete: boolean;
}

/**
 * Maximum number of rules collected for one user; real users have far fewer. Beyond it a SelfSubjectRulesReview is incomplete, and the
 * escalation check treats the remaining rules as not held.
 */
const MOST_RULES = 50_000;

/** Finds the roles and rules that bindings grant to a user. The cost does not depend on the bindings of other users. */
export interface RuleResolver {
  /**
   * Calls `visitor` for the roles of a user: first those of ClusterRoleBindings, then those of RoleBindings in `namespace`, unless it is
   * ''.
   * @returns an error for each binding whose role does not exist.
   */
  visit(user: UserInfo, namespace: string, visitor: RoleVisitor): readonly Error[];
  /** Does the same as {@link visit}, but calls `visitor` only once for each role, with the first binding that grants it. */
  visitRoles(user: UserInfo, namespace: string, visitor: RoleVisitor): readonly Error[];
  /**
   * Returns the rules of a user in a namespace; '' means cluster-wide. A role that is bound several times contributes its rules once. After
   * 50,000 rules the remaining roles are left out, and an error reports that.
   */
  rulesFor(user: UserInfo, namespace: string): ResolvedRules;
  /**
   * Returns the role that a binding names. `namespace` is the binding's, '' for a ClusterRoleBinding. @throws Error for a kind that is not
   * a role.
   */
  roleOf(reference: RoleRef, namespace: string): Role | undefined;
}

/** Creates a resolver that reads roles and bindings from the server's listers. */
export function ruleResolver(host: Host): RuleResolver {
  const listers = rbacListers(host);
  const group = rbacGroup(host.dialect);

  function roleOf({ kind, name }: RoleRef, namespace: string): Role | undefined {
    if (kind === 'Role') return listers.roles.get(namespace, name);
    if (kind === 'ClusterRole') return listers.clusterRoles.get('', name);
    throw new Error(`unsupported role reference kind: ${quote(kind)}`);
  }

  function visit(user: UserInfo, namespace: string, visitor: RoleVisitor): readonly Error[] {
    const errors: Error[] = [];
    const groups = new Set(user.groups);
    const keys = [`user:${user.username}`];
    for (const each of groups) keys.push(`group:${each}`);
    const seen = new Set<RoleBinding>();
    for (const scope of namespace === '' ? [''] : ['', namespace])
      for (const key of keys)
        for (const binding of bindingsOf(key, scope)) {
          // The index may return too many bindings. This check decides whether a binding names the user.
          if (seen.has(binding) || !subjectFor(binding, user, scope, groups)) continue;
          seen.add(binding);
          try {
            const { kind, name } = binding.roleRef;
            const role = roleOf(binding.roleRef, namespace);
            if (!role) errors.push(new Error(`${kind.toLowerCase()}.${group} ${quote(name)} not found`));
            else if (visitor(role, binding)) return errors;
          } catch (error) {
            errors.push(error instanceof Error ? error : new Error(String(error)));
          }
        }
    return errors;
  }

  /** Returns the bindings that an index has for a subject's key: ClusterRoleBindings for the namespace ''. */
  const bindingsOf = (key: string, namespace: string): Iterable<RoleBinding> =>
    namespace === ''
      ? listers.clusterRoleBindings.byIndex(clusterBindingKeys, key)
      : listers.roleBindings.byIndex(bindingKeys, `${namespace}/${key}`);

  // Several bindings may name the same role and grant the same rules, so each role is visited only with the first of its bindings.
  function visitRoles(user: UserInfo, namespace: string, visitor: RoleVisitor): readonly Error[] {
    const seen = new Set<Role>();
    return visit(user, namespace, (role, binding) => {
      if (seen.has(role)) return false;
      seen.add(role);
      return visitor(role, binding);
    });
  }

  return {
    visit,
    visitRoles,
    roleOf,
    rulesFor(user, namespace) {
      const rules: PolicyRule[] = [];
      let isFull = false;
      const errors = visitRoles(user, namespace, (role) => {
        isFull = rules.length + (role.rules?.length ?? 0) > MOST_RULES;
        if (!isFull) for (const rule of role.rules ?? []) rules.push(rule);
        return isFull;
      });
      if (!isFull) return { rules, errors, isComplete: true };
      return { rules, errors: [...errors, new Error(`more than ${MOST_RULES} rules`)], isComplete: false };
    },
  };
}

/**
 * Returns the first of a binding's subjects that matches the user. `namespace` is the binding's, '' for a ClusterRoleBinding.
 * @param groups the user's groups, for callers that already have them as a set.
 */
export function subjectFor(
  { metadata, subjects }: RoleBinding,
  user: UserInfo,
  namespace: string,
  groups: ReadonlySet<string> = new Set(user.groups),
): Subject | undefined {
  if ((metadata.namespace ?? '') !== namespace) return undefined;
  for (const subject of subjects ?? []) {
    const { kind, name } = subject;
    const matches =
      kind === 'User'
        ? name === user.username
        : kind === 'Group'
          ? groups.has(name)
          : accountName(subject, namespace) === user.username;
    if (matches) return subject;
  }
  return undefined;
}

/** Returns the user name of a service account; undefined for a subject that is not a service account or has no namespace. */
function accountName({ kind, namespace, name }: Subject, bindingNamespace: string): string | undefined {
  const accountNamespace = namespace || bindingNamespace;
  return kind === 'ServiceAccount' && accountNamespace !== ''
    ? serviceAccountUsername(accountNamespace, name)
    : undefined;
}

/** Returns the keys by which a resolver finds a binding. */
function keysOfSubjects({ subjects }: RoleBinding, namespace: string): string[] {
  return (subjects ?? []).flatMap((subject) => {
    if (subject.kind === 'User') return [`user:${subject.name}`];
    if (subject.kind === 'Group') return [`group:${subject.name}`];
    const name = accountName(subject, namespace);
    return name === undefined ? [] : [`user:${name}`];
  });
}

// These index functions are constants, because a lister identifies an index by its function.
const clusterBindingKeys = (binding: RoleBinding) => keysOfSubjects(binding, '');
const bindingKeys = (binding: RoleBinding) => {
  const { namespace = '' } = binding.metadata;
  return keysOfSubjects(binding, namespace).map((key) => `${namespace}/${key}`);
};
