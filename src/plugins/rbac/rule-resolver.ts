import { serviceAccountUsername } from '../../authentication/service-account-user.js';
import type { Host } from '../../meta/host.js';
import type { UserInfo } from '../../meta/user-info.js';
import type { PolicyRule, Role, RoleBinding, RoleRef, Subject } from '../../resources/rbac/rbac-v1.types.js';
import { quote } from '../../values/quote.js';
import { rbacGroup, rbacListers } from './rbac-objects.js';

/** A role of a user, the binding that grants it, and the first subject of the binding that matches the user. */
export interface GrantedRole {
  readonly role: Role;
  readonly binding: RoleBinding;
  readonly subject: Subject;
}

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
   * Generates the roles of a user: first those of ClusterRoleBindings, then those of RoleBindings in `namespace`, unless it is ''. Bindings
   * that name the same role grant the same rules, so a role is generated only with the first of them.
   * @param errors receives an error for each binding whose role does not exist.
   * @param each `binding` to generate a role once for each of its bindings. Default `role`.
   */
  rolesOf(user: UserInfo, namespace: string, errors: Error[], each?: 'role' | 'binding'): Iterable<GrantedRole>;
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

  function* rolesOf(
    user: UserInfo,
    namespace: string,
    errors: Error[],
    each: 'role' | 'binding' = 'role',
  ): Iterable<GrantedRole> {
    const groups = new Set(user.groups);
    const keys = [`user:${user.username}`];
    for (const name of groups) keys.push(`group:${name}`);
    const seen = new Set<RoleBinding | Role>();
    for (const scope of namespace === '' ? [''] : ['', namespace])
      for (const key of keys)
        for (const binding of bindingsOf(key, scope)) {
          // The index may return too many bindings. This check decides whether a binding names the user.
          const subject = seen.has(binding) ? undefined : subjectFor(binding, user, scope, groups);
          if (!subject) continue;
          seen.add(binding);
          let role: Role | undefined;
          try {
            const { kind, name } = binding.roleRef;
            role = roleOf(binding.roleRef, namespace);
            if (!role) errors.push(new Error(`${kind.toLowerCase()}.${group} ${quote(name)} not found`));
          } catch (error) {
            errors.push(error instanceof Error ? error : new Error(String(error)));
          }
          if (!role || (each === 'role' && seen.has(role))) continue;
          seen.add(role);
          yield { role, binding, subject };
        }
  }

  /** Returns the bindings that an index has for a subject's key: ClusterRoleBindings for the namespace ''. */
  const bindingsOf = (key: string, namespace: string): Iterable<RoleBinding> =>
    namespace === ''
      ? listers.clusterRoleBindings.byIndex(clusterBindingKeys, key)
      : listers.roleBindings.byIndex(bindingKeys, `${namespace}/${key}`);

  return {
    rolesOf,
    roleOf,
    rulesFor(user, namespace) {
      const rules: PolicyRule[] = [];
      const errors: Error[] = [];
      for (const { role } of rolesOf(user, namespace, errors)) {
        if (rules.length + (role.rules?.length ?? 0) > MOST_RULES) {
          errors.push(new Error(`more than ${MOST_RULES} rules`));
          return { rules, errors, isComplete: false };
        }
        for (const rule of role.rules ?? []) rules.push(rule);
      }
      return { rules, errors, isComplete: true };
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
