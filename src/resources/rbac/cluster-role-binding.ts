import { nameIsPathSegment } from '../../meta/names.js';
import { defineResource, type ObjectOf } from '../../registry/resource-definition.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { bindingColumns, bindingFields, bindingStrategy, setBindingDefaults } from './role-reference.js';

/** rbac.authorization/v1 ClusterRoleBinding: gives a role to users, groups and accounts everywhere. */
export const clusterRoleBinding = defineResource({
  groupStem: 'rbac.authorization',
  version: 'v1',
  knownVersions: ['v1alpha1', 'v1beta1'],
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  scope: 'Cluster',
  nameRule: nameIsPathSegment,
  allowCreateOnUpdate: true,
  schema: topLevel(
    'io.k8s.api.rbac.v1.ClusterRoleBinding',
    'Gives a role to users, groups and accounts everywhere.',
    bindingFields,
  ),
  setDefaults: setBindingDefaults,
  strategy: bindingStrategy(['ClusterRole']),
  columns: bindingColumns,
});
export type ClusterRoleBinding = ObjectOf<typeof clusterRoleBinding>;
