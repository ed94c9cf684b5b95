import { nameIsPathSegment } from '../../meta/names.js';
import { defineRules, type ObjectOfRules } from '../../registry/built-in-kind.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { bindingColumns, bindingFields, bindingStrategy, setBindingDefaults } from './role-reference.js';

export const clusterRoleBindingRules = defineRules({
  nameRule: nameIsPathSegment,
  schema: topLevel(
    'io.k8s.api.rbac.v1.ClusterRoleBinding',
    'Gives a role to users, groups and accounts everywhere.',
    bindingFields,
  ),
  setDefaults: setBindingDefaults,
  strategy: bindingStrategy(['ClusterRole']),
  columns: bindingColumns,
});
export type ClusterRoleBinding = ObjectOfRules<typeof clusterRoleBindingRules>;
