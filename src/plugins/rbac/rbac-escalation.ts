import type { AdmissionAttributes } from '../../admission/admission-plugin.js';
import { authorizerOf } from '../../admission/authorize-caller.js';
import { isFor } from '../../admission/matching/rule.js';
import { ruledPlugin } from '../../admission/ruled-plugin.js';
import type { AuthorizationAttributes, Authorizer } from '../../authorization/authorizer.js';
import { isPrivileged } from '../../authorization/privileged-groups.js';
import { equalJson } from '../../json/equal.js';
import { aggregateErrors } from '../../meta/aggregate-error.js';
import { apiError } from '../../meta/api-error.js';
import { yieldIfDue } from '../../meta/flow.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { UserInfo } from '../../meta/user-info.js';
import type { ClusterRole, ClusterRoleBinding, PolicyRule, RoleRef } from '../../resources/rbac/rbac-v1.types.js';
import { quote } from '../../values/quote.js';
import { CALLERS_LIMITS, uncoveredPermissions } from './covers.js';
import { compactRules, describeRule, quoteList } from './describe-rules.js';
import { TooManyPermissions } from './owned-rules.js';
import { RBAC_STEM, rbacGroup } from './rbac-objects.js';
import { type ResolvedRules, type RuleResolver, ruleResolver } from './rule-resolver.js';

const ROLES = ['roles', 'clusterroles'];
const BINDINGS = ['rolebindings', 'clusterrolebindings'];
const EVERYTHING = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/**
 * Keeps callers from granting permissions that they do not have. A caller with the permission `escalate` on a role may write any rules into
 * it, and a caller with the permission `bind` may bind it. This must be the last mutating plug-in, so that it sees the changes of all
 * others.
 */
export const rbacEscalation = ruledPlugin<ClusterRole | ClusterRoleBinding>({
  name: 'RBACEscalation',
  rules: [{ operations: ['CREATE', 'UPDATE'], apiGroups: [RBAC_STEM], resources: [...ROLES, ...BINDINGS] }],
  create(host) {
    const group = rbacGroup(host.dialect);
    const resolver = ruleResolver(host);
    const mayUse = (verb: string, attributes: AdmissionAttributes, about: About) =>
      isAuthorized(host.authorizer, verb, attributes, about);
    return {
      // A privileged caller is always allowed. Its requests are checked only if there is an observer, so that the observer can record the
      // permissions that other callers would need.
      handles: ({ user, object, oldObject, isCustom, observer }) =>
        isCustom !== true &&
        (!isPrivileged(user) || observer !== undefined) &&
        !(oldObject && onlyCollectorFieldsDiffer(object, oldObject)),
      async admit(attributes) {
        if (isFor<ClusterRole>(attributes, group, ...ROLES)) {
          const about = { group, resource: attributes.resource.resource, name: attributes.requestName ?? '' };
          if (!(await mayUse('escalate', attributes, about)) && !isPrivileged(attributes.user))
            checkRole(resolver, attributes);
        } else if (isFor<ClusterRoleBinding>(attributes, group, ...BINDINGS)) {
          const { roleRef } = attributes.object;
          const roles = roleRef.kind === 'Role' ? 'roles' : roleRef.kind === 'ClusterRole' ? 'clusterroles' : undefined;
          const about = roles && { group: roleRef.apiGroup, resource: roles, name: roleRef.name };
          if ((!about || !(await mayUse('bind', attributes, about))) && !isPrivileged(attributes.user))
            checkBinding(resolver, attributes, roleRef, roles);
        }
        return undefined;
      },
    };
  },
});

type About = Pick<AuthorizationAttributes, 'group' | 'resource' | 'name'>;

async function isAuthorized(
  authorizer: Authorizer,
  verb: string,
  attributes: AdmissionAttributes,
  about: About,
): Promise<boolean> {
  const { user, namespace } = attributes;
  const rest = { version: '*', resourceRequest: true, subresource: '', path: '' };
  const decision = await authorizerOf(attributes, authorizer).authorize({ user, verb, namespace, ...about, ...rest });
  await yieldIfDue();
  return decision.decision === 'Allow';
}

/** Checks the rules of a role. @throws ApiError 403 when the caller lacks permissions that the role grants. */
function checkRole(
  resolver: RuleResolver,
  { user, namespace, resource, object: role, oldObject }: AdmissionAttributes<ClusterRole>,
): void {
  const held = resolver.rulesFor(user, namespace);
  const refuse = (why: string) => apiError.forbidden(resource, role.metadata.name ?? '', why);
  const problem = escalationProblem(user, held, role.rules ?? []);
  if (problem !== undefined) throw refuse(problem);
  // An aggregated role can collect rules with any permissions, so the caller must have all permissions.
  if ([role, oldObject].some(isAggregated) && escalationProblem(user, held, EVERYTHING) !== undefined)
    throw refuse('must have cluster-admin privileges to use the aggregationRule');
}

const isAggregated = (role: ClusterRole | undefined) => (role?.aggregationRule?.clusterRoleSelectors?.length ?? 0) > 0;

/**
 * Checks the role of a binding. @throws ApiError 403 when the caller lacks permissions that the bound role grants, 404 when the role does
 * not exist.
 */
function checkBinding(
  resolver: RuleResolver,
  { user, namespace, resource, object }: AdmissionAttributes<ClusterRoleBinding>,
  roleRef: RoleRef,
  roles: string | undefined,
): void {
  if (roles === undefined) throw apiError.unknown(`unsupported role reference kind: ${quote(roleRef.kind)}`);
  const role = resolver.roleOf(roleRef, namespace);
  if (!role) throw apiError.notFound({ group: resource.group, resource: roles }, roleRef.name);
  const problem = escalationProblem(user, resolver.rulesFor(user, namespace), role.rules ?? []);
  if (problem !== undefined) throw apiError.forbidden(resource, object.metadata.name ?? '', problem);
}

/**
 * Returns whether only owner references and finalizers change. The garbage collector may change them without having the permissions of the
 * role.
 */
function onlyCollectorFieldsDiffer(next: ApiObject, old: ApiObject): boolean {
  const withoutCollectorFields = ({ metadata, ...rest }: ApiObject) => {
    const { ownerReferences, finalizers, managedFields, selfLink, ...kept } = metadata;
    return { ...rest, metadata: kept };
  };
  return equalJson(withoutCollectorFields(next), withoutCollectorFields(old));
}

/** The maximum length of each list in an error message, in characters. Lists of real roles are much shorter. */
const MOST_SHOWN = 64 * 1024;

/** Returns why a user with the rules `held` may not grant the rules `required`; undefined when the user holds them all. */
export function escalationProblem(
  user: UserInfo,
  held: Pick<ResolvedRules, 'rules' | 'errors'>,
  required: readonly PolicyRule[],
): string | undefined {
  try {
    const missing = uncoveredPermissions(held.rules, required, CALLERS_LIMITS);
    if (missing.length === 0) return undefined;
    const lines = [...new Set(compactRules(missing).map(describeRule))].sort(byCodePoint);
    const unresolved = aggregateErrors(held.errors);
    return (
      `${nameOf(user)} is attempting to grant RBAC permissions not currently held:\n${joinShortened(lines, '\n')}` +
      `${unresolved ? `; resolution errors: [${joinShortened([unresolved.message], '')}]` : ''}`
    );
  } catch (error) {
    if (error instanceof TooManyPermissions)
      return `${nameOf(user)} is attempting to grant more than can be compared: ${error.message}`;
    throw error;
  }
}

const nameOf = ({ username, groups = [] }: UserInfo) =>
  `user ${quote(username)} (groups=${joinShortened([quoteList(groups)], '')})`;

/** Joins strings. If the result is too long to show, it is cut and ends with a note. */
function joinShortened(parts: readonly string[], separator: string): string {
  const text = parts.join(separator);
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}... (and more)`;
}

const byCodePoint = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
