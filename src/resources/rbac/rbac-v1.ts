import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import type { RbacV1 } from './rbac-v1.types.js';

/** The structs of rbac/v1. */
export const rbacV1 = /* @__PURE__ */ fieldTable<RbacV1>(
  'io.k8s.api.rbac.v1',
  { meta: metaV1 },
  `
Role kind                        What may be done in a namespace.
  rules  2  []PolicyRule atomic  What the role allows.

PolicyRule                              Verbs on resources, or on paths.
  verbs            1  []string atomic!  What may be done; '*' is everything.
  apiGroups        2  []string atomic?  Groups of the resources; '*' is all.
  resources        3  []string atomic?  Resources and subresources; '*' is all.
  resourceNames    4  []string atomic?  Names of the objects; none means all.
  nonResourceURLs  5  []string atomic?  Paths outside of resources; '*' may end one.

ClusterRole kind                           What may be done everywhere, or in one namespace when bound there.
  rules            2  []PolicyRule atomic  What the role allows.
  aggregationRule  3  AggregationRule*     Selectors of the roles that this role is made of.

AggregationRule                                          Selectors of the roles that a role is made of.
  clusterRoleSelectors  1  []meta.LabelSelector atomic?  Picks the roles; one that fits is enough.

RoleBinding kind                  Gives a role to users, groups and accounts in a namespace.
  subjects  2  []Subject atomic?  The subjects that get the role.
  roleRef   3  RoleRef!           The role; cannot be changed.

Subject atomic           A subject that a role is granted to.
  kind       1  string!  User, Group or ServiceAccount.
  apiGroup   2  string?  Group of the kind; empty for accounts.
  name       3  string!  Name of the user, group or account.
  namespace  4  string?  Namespace of an account.

RoleRef atomic          Names the role that is given.
  apiGroup  1  string!  Group of the role.
  kind      2  string!  Role or ClusterRole.
  name      3  string!  Name of the role.

ClusterRoleBinding kind           Gives a role to users, groups and accounts everywhere.
  subjects  2  []Subject atomic?  The subjects that get the role.
  roleRef   3  RoleRef!           The role; cannot be changed.
`,
);
