import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import type { RbacV1 } from './rbac-v1.types.js';

/** The structs of rbac/v1. */
export const rbacV1 = /* @__PURE__ */ fieldTable<RbacV1>(
  'io.k8s.api.rbac.v1',
  { meta: metaV1 },
  `
Role kind                        Permissions in a namespace.
  rules  2  []PolicyRule atomic  The permissions of the role.

PolicyRule                              Verbs on resources, or on paths.
  verbs            1  []string atomic!  The verbs; '*' means all.
  apiGroups        2  []string atomic?  API groups of the resources; '*' means all.
  resources        3  []string atomic?  Resources and subresources; '*' means all.
  resourceNames    4  []string atomic?  Names of the objects; an empty list means all.
  nonResourceURLs  5  []string atomic?  Non-resource paths; a final '*' is a wildcard.

ClusterRole kind                           Permissions in the cluster, or in the namespace of a RoleBinding.
  rules            2  []PolicyRule atomic  The permissions of the role.
  aggregationRule  3  AggregationRule*     Selects the roles whose rules this role aggregates.

AggregationRule                                          Selects the roles whose rules are aggregated.
  clusterRoleSelectors  1  []meta.LabelSelector atomic?  The selectors, one of which a role must match.

RoleBinding kind                  Grants a role to users, groups and service accounts in a namespace.
  subjects  2  []Subject atomic?  The subjects that the role is granted to.
  roleRef   3  RoleRef!           The role; cannot be changed.

Subject atomic           A subject that a role is granted to.
  kind       1  string!  User, Group or ServiceAccount.
  apiGroup   2  string?  API group of the kind; empty for service accounts.
  name       3  string!  Name of the user, group or service account.
  namespace  4  string?  Namespace of a service account.

RoleRef atomic          Names the role that is granted.
  apiGroup  1  string!  Group of the role.
  kind      2  string!  Role or ClusterRole.
  name      3  string!  Name of the role.

ClusterRoleBinding kind           Grants a role to users, groups and service accounts in the cluster.
  subjects  2  []Subject atomic?  The subjects that the role is granted to.
  roleRef   3  RoleRef!           The role; cannot be changed.
`,
);
