import { nameIsPathSegment } from '../../meta/names.js';
import { defineRules } from '../../registry/built-in-kind.js';
import { rbacV1 } from './rbac-v1.js';
import { bindingColumns, bindingStrategy, setBindingDefaults } from './role-reference.js';

export const clusterRoleBindingRules = defineRules({
  nameRule: nameIsPathSegment,
  schema: rbacV1.struct('ClusterRoleBinding'),
  setDefaults: setBindingDefaults,
  strategy: bindingStrategy(['ClusterRole']),
  columns: bindingColumns,
});
