import { nameIsPathSegment } from '../../meta/names.js';
import { defineRules, type ObjectOfRules } from '../../registry/built-in-kind.js';
import { always, listAtomic } from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { dropEmptyRules, validateRules } from './policy-rule.js';
import { rbacV1 } from './rbac-v1.js';

export const roleRules = defineRules({
  nameRule: nameIsPathSegment,
  schema: topLevel('io.k8s.api.rbac.v1.Role', 'What may be done in a namespace.', () => ({
    rules: always(listAtomic(rbacV1.struct('PolicyRule')), 2, 'What the role allows.'),
  })),
  strategy: {
    prepareForCreate: dropEmptyRules,
    prepareForUpdate: dropEmptyRules,
    validate: (object) => validateRules(object, true),
    // The wire reports the errors of a changed role twice.
    validateUpdate: (next) => [...validateRules(next, true), ...validateRules(next, true)],
  },
});
export type Role = ObjectOfRules<typeof roleRules>;
