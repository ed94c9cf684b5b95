import { nameIsPathSegment } from '../../meta/names.js';
import { defineRules } from '../../registry/built-in-kind.js';
import { dropEmptyRules, validateRules } from './policy-rule.js';
import { rbacV1 } from './rbac-v1.js';

export const roleRules = defineRules({
  nameRule: nameIsPathSegment,
  schema: rbacV1.struct('Role'),
  strategy: {
    prepareForCreate: dropEmptyRules,
    prepareForUpdate: dropEmptyRules,
    validate: (object) => validateRules(object, true),
    // The reference reports the errors of an update twice.
    validateUpdate: (next) => [...validateRules(next, true), ...validateRules(next, true)],
  },
});
