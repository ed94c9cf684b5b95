/** Objects by `group/resource`: `rbac.authorization.k8s.io/roles`. */
type Objects = Readonly<Record<string, readonly object[]>>;

/** The RBAC objects of a test, under their resources. */
export function rbacObjects(given: {
  readonly roles?: readonly object[];
  readonly clusterRoles?: readonly object[];
  readonly roleBindings?: readonly object[];
  readonly clusterRoleBindings?: readonly object[];
}): Objects {
  const group = 'rbac.authorization.k8s.io';
  const named = (list: readonly object[] = []) => list.map((each) => ({ metadata: {}, ...each }));
  return {
    [`${group}/roles`]: named(given.roles),
    [`${group}/clusterroles`]: named(given.clusterRoles),
    [`${group}/rolebindings`]: named(given.roleBindings),
    [`${group}/clusterrolebindings`]: named(given.clusterRoleBindings),
  };
}
