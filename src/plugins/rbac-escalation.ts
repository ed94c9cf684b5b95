import type { AdmissionAttributes, AdmissionPluginFactory } from '../admission/admission-plugin.js';
import type { AuthorizationAttributes, Authorizer } from '../authorization/authorizer.js';
import { privilegedGroup } from '../authorization/privileged-groups.js';
import { escalationProblem } from '../authorization/rbac/escalation.js';
import { type BindingObject, type RoleObject, rbacGroup } from '../authorization/rbac/rbac-objects.js';
import { type RuleResolver, ruleResolver } from '../authorization/rbac/rule-resolver.js';
import { equalJson } from '../json/equal.js';
import { apiError } from '../meta/api-error.js';
import { yieldIfDue } from '../meta/flow.js';
import type { ApiObject } from '../meta/object-meta.js';
import { quote } from '../values/quote.js';

interface AggregatedRole extends RoleObject {
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly unknown[] | null } | null;
}

const ROLES = new Set(['roles', 'clusterroles']);
const BINDINGS = new Set(['rolebindings', 'clusterrolebindings']);
const EVERYTHING = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/**
 * Keeps callers from granting permissions that they do not hold, through a role (unless they may `escalate` it) or a binding (unless they
 * may `bind` its role). It must be the last mutating plug-in, so that it sees the changes of all others.
 */
export const rbacEscalation: AdmissionPluginFactory = (host) => {
  const group = rbacGroup(host.dialect);
  const resolver = ruleResolver(host);
  const mayUse = (verb: string, attributes: AdmissionAttributes, about: About) =>
    isAuthorized(host.authorizer, verb, attributes, about);
  return {
    name: 'RBACEscalation',
    handles: ({ operation, resource, subresource, user, object, oldObject, isCustom }) =>
      resource.group === group &&
      isCustom !== true &&
      subresource === '' &&
      (operation === 'CREATE' || operation === 'UPDATE') &&
      !(user.groups?.includes(privilegedGroup) ?? false) &&
      !(object && oldObject && onlyCollectorFieldsDiffer(object, oldObject)),
    async admit(attributes) {
      const { resource } = attributes;
      if (ROLES.has(resource.resource)) {
        const about = { group, resource: resource.resource, name: attributes.requestName ?? '' };
        if (!(await mayUse('escalate', attributes, about))) checkRole(resolver, attributes);
      } else if (BINDINGS.has(resource.resource)) {
        const { roleRef } = attributes.object as BindingObject; // of this kind
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
  { user, namespace, resource, object, oldObject }: AdmissionAttributes,
): void {
  const role = object as AggregatedRole; // of this kind
  const held = resolver.rulesFor(user, namespace);
  const refuse = (why: string) => apiError.forbidden(resource, role.metadata.name ?? '', why);
  const problem = escalationProblem(user, held, role.rules ?? []);
  if (problem !== undefined) throw refuse(problem);
  // An aggregated role can collect any permission, so writing one requires all of them.
  if (
    [role, oldObject as AggregatedRole | undefined].some(isAggregated) &&
    escalationProblem(user, held, EVERYTHING) !== undefined
  )
    throw refuse('must have cluster-admin privileges to use the aggregationRule');
}

const isAggregated = (role: AggregatedRole | undefined) =>
  (role?.aggregationRule?.clusterRoleSelectors?.length ?? 0) > 0;

/** @throws ApiError 403 when the caller lacks permissions that the bound role grants, 404 when the role does not exist. */
function checkBinding(
  resolver: RuleResolver,
  { user, namespace, resource, object }: AdmissionAttributes,
  roleRef: BindingObject['roleRef'],
  roles: string | undefined,
): void {
  if (roles === undefined) throw apiError.unknown(`unsupported role reference kind: ${quote(roleRef.kind)}`);
  const role = resolver.roleOf(roleRef, namespace);
  if (!role) throw apiError.notFound({ group: resource.group, resource: roles }, roleRef.name);
  const problem = escalationProblem(user, resolver.rulesFor(user, namespace), role.rules ?? []);
  if (problem !== undefined) throw apiError.forbidden(resource, object?.metadata.name ?? '', problem);
}

/** Returns whether only owners and finalizers change. The garbage collector may change them without holding the permissions of the role. */
function onlyCollectorFieldsDiffer(next: ApiObject, old: ApiObject): boolean {
  const withoutCollectorFields = ({ metadata, ...rest }: ApiObject) => {
    const { ownerReferences, finalizers, managedFields, selfLink, ...kept } = metadata;
    return { ...rest, metadata: kept };
  };
  return equalJson(withoutCollectorFields(next), withoutCollectorFields(old));
}
