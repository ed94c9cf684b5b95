import type { AdmissionAttributes, AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { isFor } from '../../admission/matching/request-resource.js';
import type { AuthorizationAttributes, Authorizer } from '../../authorization/authorizer.js';
import { privilegedGroup } from '../../authorization/privileged-groups.js';
import { equalJson } from '../../json/equal.js';
import { apiError } from '../../meta/api-error.js';
import { yieldIfDue } from '../../meta/flow.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { ClusterRole, ClusterRoleBinding, RoleRef } from '../../resources/rbac/rbac-v1.types.js';
import { quote } from '../../values/quote.js';
import { escalationProblem } from './escalation.js';
import { rbacGroup } from './rbac-objects.js';
import { type RuleResolver, ruleResolver } from './rule-resolver.js';

const ROLES = ['roles', 'clusterroles'];
const BINDINGS = ['rolebindings', 'clusterrolebindings'];
const EVERYTHING = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/**
 * Keeps callers from granting permissions that they do not hold, through a role (unless they may `escalate` it) or a binding (unless they
 * may `bind` its role). It must be the last mutating plug-in, so that it sees the changes of all others.
 */
export const rbacEscalation: AdmissionPluginFactory<ClusterRole | ClusterRoleBinding> = (host) => {
  const group = rbacGroup(host.dialect);
  const resolver = ruleResolver(host);
  const mayUse = (verb: string, attributes: AdmissionAttributes, about: About) =>
    isAuthorized(host.authorizer, verb, attributes, about);
  return {
    name: 'RBACEscalation',
    rules: [{ operations: ['CREATE', 'UPDATE'], apiGroups: [group], resources: [...ROLES, ...BINDINGS] }],
    handles: ({ user, object, oldObject, isCustom }) =>
      isCustom !== true &&
      !(user.groups?.includes(privilegedGroup) ?? false) &&
      !(oldObject && onlyCollectorFieldsDiffer(object, oldObject)),
    async admit(attributes) {
      if (isFor<ClusterRole>(attributes, group, ...ROLES)) {
        const about = { group, resource: attributes.resource.resource, name: attributes.requestName ?? '' };
        if (!(await mayUse('escalate', attributes, about))) checkRole(resolver, attributes);
      } else if (isFor<ClusterRoleBinding>(attributes, group, ...BINDINGS)) {
        const { roleRef } = attributes.object;
        const roles = roleRef.kind === 'Role' ? 'roles' : roleRef.kind === 'ClusterRole' ? 'clusterroles' : undefined;
        const about = roles && { group: roleRef.apiGroup, resource: roles, name: roleRef.name };
        if (!about || !(await mayUse('bind', attributes, about))) checkBinding(resolver, attributes, roleRef, roles);
      }
      return undefined;
    },
  };
};

type About = Pick<AuthorizationAttributes, 'group' | 'resource' | 'name'>;

async function isAuthorized(
  authorizer: Authorizer,
  verb: string,
  { user, namespace }: AdmissionAttributes,
  about: About,
): Promise<boolean> {
  const rest = { version: '*', resourceRequest: true, subresource: '', path: '' };
  const decision = await authorizer.authorize({ user, verb, namespace, ...about, ...rest });
  await yieldIfDue();
  return decision.decision === 'Allow';
}

/** @throws ApiError 403 when the caller lacks permissions that the role grants. */
function checkRole(
  resolver: RuleResolver,
  { user, namespace, resource, object: role, oldObject }: AdmissionAttributes<ClusterRole>,
): void {
  const held = resolver.rulesFor(user, namespace);
  const refuse = (why: string) => apiError.forbidden(resource, role.metadata.name ?? '', why);
  const problem = escalationProblem(user, held, role.rules ?? []);
  if (problem !== undefined) throw refuse(problem);
  // An aggregated role can collect any permission, so writing one requires all of them.
  if ([role, oldObject].some(isAggregated) && escalationProblem(user, held, EVERYTHING) !== undefined)
    throw refuse('must have cluster-admin privileges to use the aggregationRule');
}

const isAggregated = (role: ClusterRole | undefined) => (role?.aggregationRule?.clusterRoleSelectors?.length ?? 0) > 0;

/** @throws ApiError 403 when the caller lacks permissions that the bound role grants, 404 when the role does not exist. */
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

/** Returns whether only owners and finalizers change. The garbage collector may change them without holding the permissions of the role. */
function onlyCollectorFieldsDiffer(next: ApiObject, old: ApiObject): boolean {
  const withoutCollectorFields = ({ metadata, ...rest }: ApiObject) => {
    const { ownerReferences, finalizers, managedFields, selfLink, ...kept } = metadata;
    return { ...rest, metadata: kept };
  };
  return equalJson(withoutCollectorFields(next), withoutCollectorFields(old));
}
