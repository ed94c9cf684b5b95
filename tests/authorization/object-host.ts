import type { Lister } from '../../src/meta/host.js';
import type { ApiObject } from '../../src/meta/object-meta.js';
import { fakeHost } from '../authentication/host.js';

/** Objects by `group/resource`: `rbac.authorization.k8s.io/roles`, `/pods`. */
export type Objects = Readonly<Record<string, readonly object[]>>;

/** A host (k8s dialect) whose listers read given objects. */
export function objectHost(objects: Objects) {
  return {
    ...fakeHost(),
    lister: <T extends ApiObject>(group: string, resource: string): Lister<T> =>
      listerOf((objects[`${group}/${resource}`] ?? []) as readonly T[]),
  };
}

function listerOf<T extends ApiObject>(all: readonly T[]): Lister<T> {
  const at = ({ metadata }: T) => ({ namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' });
  return {
    get: (namespace, name) => all.find((each) => at(each).namespace === namespace && at(each).name === name),
    list: (namespace = '') => all.filter((each) => namespace === '' || at(each).namespace === namespace),
    byIndex: (indexOf, key) => all.filter((each) => indexOf(each).includes(key)),
    onChange: () => () => undefined,
  };
}

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
