import { nameIsPathSegment } from '../../meta/names.js';
import { defineResource } from '../../registry/resource-definition.js';
import { rbacV1 } from './rbac-v1.js';
import { bindingColumns, bindingStrategy, setBindingDefaults } from './role-reference.js';

/** rbac/v1 RoleBinding: grants a role to users, groups and service accounts in a namespace. */
export const roleBinding = defineResource({
  groupStem: 'rbac.authorization',
  version: 'v1',
  knownVersions: ['v1alpha1', 'v1beta1'],
  kind: 'RoleBinding',
  plural: 'rolebindings',
  metadataChecks: ['whole', 'whole', 'changes'],
  scope: 'Namespaced',
  allowCreateOnUpdate: true,
  nameRule: nameIsPathSegment,
  schema: rbacV1.struct('RoleBinding'),
  setDefaults: setBindingDefaults,
  strategy: bindingStrategy(['Role', 'ClusterRole']),
  columns: bindingColumns,
});
