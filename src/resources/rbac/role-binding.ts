import { nameIsPathSegment } from '../../meta/names.js';
import { defineRules } from '../../registry/built-in-kind.js';
import { rbacV1 } from './rbac-v1.js';
import { bindingColumns, bindingStrategy, setBindingDefaults } from './role-reference.js';

export const roleBindingRules = defineRules({
  nameRule: nameIsPathSegment,
  schema: rbacV1.struct('RoleBinding'),
  setDefaults: setBindingDefaults,
  strategy: bindingStrategy(['Role', 'ClusterRole']),
  columns: bindingColumns,
});
