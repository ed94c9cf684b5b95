import { nameIsPathSegment } from '../../meta/names.js';
import { defineResource } from '../../registry/resource-definition.js';
import { rbacV1 } from './rbac-v1.js';
import { bindingColumns, bindingStrategy, setBindingDefaults } from './role-reference.js';

/** rbac/v1 ClusterRoleBinding: grants a role to users, groups and service accounts in all namespaces. */
export const clusterRoleBinding = defineResource({
  groupStem: 'rbac.authorization',
  version: 'v1',
  knownVersions: ['v1alpha1', 'v1beta1'],
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  metadataChecks: ['whole', 'whole', 'changes'],
  scope: 'Cluster',
  allowCreateOnUpdate: true,
  nameRule: nameIsPathSegment,
  schema: rbacV1.struct('ClusterRoleBinding'),
  setDefaults: setBindingDefaults,
  strategy: bindingStrategy(['ClusterRole']),
  columns: bindingColumns,
});
