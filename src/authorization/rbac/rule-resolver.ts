import type { Host } from '../../meta/host.js';
import type { UserInfo } from '../../meta/user-info.js';
import { quote } from '../../values/quote.js';
import type { PolicyRule } from './policy-rule.js';
import {
  type BindingObject,
  type BindingSubject,
  type RbacListers,
  type RoleObject,
  type RoleReference,
  rbacGroup,
  rbacListers,
} from './rbac-objects.js';

/** Called for each role a user has, through which binding. Answer true to end the visit. */
export type RoleVisitor = (role: RoleObject, binding: BindingObject) => boolean;

/** The rules of a user, and which bindings name roles that are not there. */
export interface ResolvedRules {
  readonly rules: readonly PolicyRule[];
  readonly errors: readonly Error[];
  /** False if roles were left out because the user has too many rules. */
  readonly isComplete: boolean;
}

/**
 * Maximum number of rules gathered for one user, far above that of any real user. Beyond it a rules review is incomplete, and the
 * escalation check treats the remaining rules as not held.
 */
const MOST_RULES = 50_000;

/** Finds what bindings give to a user. Its cost does not grow with bindings that name others. */
export interface RuleResolver {
  /**
   * Visits the roles of a user: cluster-wide first, then, unless `namespace` is '', those of the namespace.
   * @returns the bindings' roles that could not be found, as errors.
   */
  visit(user: UserInfo, namespace: string, visitor: RoleVisitor): readonly Error[];
  /** Visits like {@link visit}, but each role only once, with the first binding that leads to it. */
  visitRoles(user: UserInfo, namespace: string, visitor: RoleVisitor): readonly Error[];
  /**
   * The rules a user has in a namespace; '' means everywhere. A role that is bound several times gives its rules once. Where there
   * are more than 50,000, the roles after them are left out, and an error says so.
   */
  rulesFor(user: UserInfo, namespace: string): ResolvedRules;
  /** The role that a binding in a namespace ('' for cluster-wide ones) names. @throws Error for a kind that is not a role. */
  roleOf(reference: RoleReference, namespace: string): RoleObject | undefined;
}

/** Answers from the server's memory. */
export function ruleResolver(host: Host): RuleResolver {
  const listers = rbacListers(host);
  const group = rbacGroup(host.dialect);

  function roleOf({ kind, name }: RoleReference, namespace: string): RoleObject | undefined {
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

  // What a role does not allow through one binding it does not allow through another, and many bindings may lead to one large role.
  function visitRoles(user: UserInfo, namespace: string, visitor: RoleVisitor): readonly Error[] {
    const seen = new Set<RoleObject>();
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

/** Every binding that names the user, once, until `each` answers true. */
function visitBindings(
  { clusterRoleBindings, roleBindings }: RbacListers,
  user: UserInfo,
  namespace: string,
  each: (binding: BindingObject) => boolean,
): void {
  const keys = keysOfUser(user);
  const groups = new Set(user.groups);
  const seen = new Set<BindingObject>();
  const visitAll = (bindings: Iterable<BindingObject>, inNamespace: string) => {
    for (const binding of bindings) {
      // The index only narrows the search: who is meant is decided here.
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
 * The first subject of a binding that means the user; `namespace` is the binding's, '' for cluster-wide ones.
 * @param groups the user's, where they are at hand as a set.
 */
export function subjectFor(
  { metadata, subjects }: BindingObject,
  user: UserInfo,
  namespace: string,
  groups: ReadonlySet<string> = new Set(user.groups),
): BindingSubject | undefined {
  if ((metadata.namespace ?? '') !== namespace) return undefined;
  return subjects?.find((subject) => {
    if (subject.kind === 'User') return subject.name === user.username;
    if (subject.kind === 'Group') return groups.has(subject.name);
    return accountName(subject, namespace) === user.username;
  });
}

/** The user name of an account; undefined when that is not an account's, or has no namespace. */
function accountName({ kind, namespace, name }: BindingSubject, bindingNamespace: string): string | undefined {
  const home = namespace || bindingNamespace;
  return kind === 'ServiceAccount' && home !== '' ? `system:serviceaccount:${home}:${name}` : undefined;
}

const userKey = (name: string) => `user:${name}`;
const groupKey = (name: string) => `group:${name}`;

function keysOfUser({ username, groups = [] }: UserInfo): readonly string[] {
  return [userKey(username), ...new Set(groups.map(groupKey))];
}

function keysOfSubjects({ subjects }: BindingObject, namespace: string): string[] {
  return (subjects ?? []).flatMap((subject) => {
    if (subject.kind === 'User') return [userKey(subject.name)];
    if (subject.kind === 'Group') return [groupKey(subject.name)];
    const name = accountName(subject, namespace);
    return name === undefined ? [] : [userKey(name)];
  });
}

// Index functions: always the same ones.
const clusterBindingKeys = (binding: BindingObject) => keysOfSubjects(binding, '');
const bindingKeys = (binding: BindingObject) => {
  const { namespace = '' } = binding.metadata;
  return keysOfSubjects(binding, namespace).map((key) => `${namespace}/${key}`);
};
