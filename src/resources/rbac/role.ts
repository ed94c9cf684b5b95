import { nameIsPathSegment } from '../../meta/names.js';
import { METADATA_CHECK } from '../../meta/object-meta-validation.js';
import { defineResource } from '../../registry/resource-definition.js';
import { dropEmptyRules, validateRules } from './policy-rule.js';
import { rbacV1 } from './rbac-v1.js';

/** rbac/v1 Role: permissions in a namespace. */
export const role = defineResource({
  groupStem: 'rbac.authorization',
  version: 'v1',
  knownVersions: ['v1alpha1', 'v1beta1'],
  kind: 'Role',
  plural: 'roles',
  metadataChecks: ['whole', 'whole', 'changes'],
  scope: 'Namespaced',
  allowCreateOnUpdate: true,
  nameRule: nameIsPathSegment,
  schema: rbacV1.struct('Role'),
  strategy: {
    prepareForCreate: dropEmptyRules,
    prepareForUpdate: dropEmptyRules,
    validate: (object) => validateRules(object, true),
    // As in upstream, the validation errors of an update are reported twice.
    validateUpdate: (next) => [
      ...validateRules(next, true),
      METADATA_CHECK,
      ...validateRules(next, true),
      METADATA_CHECK,
    ],
  },
});
