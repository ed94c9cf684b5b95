import { nameIsPathSegment } from '../../meta/names.js';
import { defineRules, type ObjectOfRules } from '../../registry/built-in-kind.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { bindingColumns, bindingFields, bindingStrategy, setBindingDefaults } from './role-reference.js';

export const roleBindingRules = defineRules({
  nameRule: nameIsPathSegment,
  schema: topLevel(
    'io.k8s.api.rbac.v1.RoleBinding',
    'Gives a role to users, groups and accounts in a namespace.',
    bindingFields,
  ),
  setDefaults: setBindingDefaults,
  strategy: bindingStrategy(['Role', 'ClusterRole']),
  columns: bindingColumns,
});
export type RoleBinding = ObjectOfRules<typeof roleBindingRules>;
