import { nameIsPathSegment } from '../../meta/names.js';
import { defineResource, type ObjectOf } from '../../registry/resource-definition.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { bindingColumns, bindingFields, bindingStrategy, setBindingDefaults } from './role-reference.js';

/** rbac.authorization/v1 RoleBinding: gives a role to users, groups and accounts in a namespace. */
export const roleBinding = defineResource({
  groupStem: 'rbac.authorization',
  version: 'v1',
  knownVersions: ['v1alpha1', 'v1beta1'],
  kind: 'RoleBinding',
  plural: 'rolebindings',
  scope: 'Namespaced',
  nameRule: nameIsPathSegment,
  allowCreateOnUpdate: true,
  schema: topLevel(
    'io.k8s.api.rbac.v1.RoleBinding',
    'Gives a role to users, groups and accounts in a namespace.',
    bindingFields,
  ),
  setDefaults: setBindingDefaults,
  strategy: bindingStrategy(['Role', 'ClusterRole']),
  columns: bindingColumns,
});
export type RoleBinding = ObjectOf<typeof roleBinding>;
