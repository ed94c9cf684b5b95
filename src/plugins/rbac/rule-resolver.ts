import { serviceAccountUsername } from '../../authentication/service-account-user.js';
import type { Host } from '../../meta/host.js';
import type { UserInfo } from '../../meta/user-info.js';
import type { PolicyRule, Role, RoleBinding, RoleRef, Subject } from '../../resources/rbac/rbac-v1.types.js';
import { quote } from '../../values/quote.js';
import { type RbacListers, rbacGroup, rbacListers } from './rbac-objects.js';

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
    visitBindings(listers, user, namespace, (binding) => {
      try {
        const role = roleOf(binding.roleRef, namespace);
        if (role) return visitor(role, binding);
        errors.push(
          new Error(`${binding.roleRef.kind.toLowerCase()}.${group} ${quote(binding.roleRef.name)} not found`),
        );
      } catch (error) {
        errors.push(error instanceof Error ? error : new Error(String(error)));
      }
      return false;
    });
    return errors;
  }

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

/** Calls `each` once for every binding to the user or to one of the user's groups, until `each` returns true. */
function visitBindings(
  { clusterRoleBindings, roleBindings }: RbacListers,
  user: UserInfo,
  namespace: string,
  each: (binding: RoleBinding) => boolean,
): void {
  const groups = new Set(user.groups);
  const keys = [userKey(user.username)];
  for (const group of groups) keys.push(groupKey(group));
  const seen = new Set<RoleBinding>();
  const visitAll = (bindings: Iterable<RoleBinding>, inNamespace: string) => {
    for (const binding of bindings) {
      // The index may return too many bindings. This check decides whether a binding names the user.
      if (seen.has(binding) || !subjectFor(binding, user, inNamespace, groups)) continue;
      seen.add(binding);
      if (each(binding)) return true;
    }
    return false;
  };
  for (const key of keys) if (visitAll(clusterRoleBindings.byIndex(clusterBindingKeys, key), '')) return;
  if (namespace === '') return;
  for (const key of keys) if (visitAll(roleBindings.byIndex(bindingKeys, `${namespace}/${key}`), namespace)) return;
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
  for (const subject of subjects ?? []) if (isSubject(subject, user.username, namespace, groups)) return subject;
  return undefined;
}

function isSubject(subject: Subject, username: string, namespace: string, groups: ReadonlySet<string>): boolean {
  if (subject.kind === 'User') return subject.name === username;
  if (subject.kind === 'Group') return groups.has(subject.name);
  return accountName(subject, namespace) === username;
}

/** Returns the user name of a service account; undefined for a subject that is not a service account or has no namespace. */
function accountName({ kind, namespace, name }: Subject, bindingNamespace: string): string | undefined {
  const accountNamespace = namespace || bindingNamespace;
  return kind === 'ServiceAccount' && accountNamespace !== ''
    ? serviceAccountUsername(accountNamespace, name)
    : undefined;
}

const userKey = (name: string) => `user:${name}`;
const groupKey = (name: string) => `group:${name}`;

function keysOfSubjects({ subjects }: RoleBinding, namespace: string): string[] {
  return (subjects ?? []).flatMap((subject) => {
    if (subject.kind === 'User') return [userKey(subject.name)];
    if (subject.kind === 'Group') return [groupKey(subject.name)];
    const name = accountName(subject, namespace);
    return name === undefined ? [] : [userKey(name)];
  });
}

// These index functions are constants, because a lister identifies an index by its function.
const clusterBindingKeys = (binding: RoleBinding) => keysOfSubjects(binding, '');
const bindingKeys = (binding: RoleBinding) => {
  const { namespace = '' } = binding.metadata;
  return keysOfSubjects(binding, namespace).map((key) => `${namespace}/${key}`);
};
