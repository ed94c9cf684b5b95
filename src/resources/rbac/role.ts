import { nameIsPathSegment } from '../../meta/names.js';
import { defineResource, type ObjectOf } from '../../registry/resource-definition.js';
import { always, listAtomic } from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { dropEmptyRules, policyRule, validateRules } from './policy-rule.js';

/** rbac.authorization/v1 Role: what may be done in a namespace. */
export const role = defineResource({
  groupStem: 'rbac.authorization',
  version: 'v1',
  knownVersions: ['v1alpha1', 'v1beta1'],
  kind: 'Role',
  plural: 'roles',
  scope: 'Namespaced',
  nameRule: nameIsPathSegment,
  allowCreateOnUpdate: true,
  schema: topLevel('io.k8s.api.rbac.v1.Role', 'What may be done in a namespace.', () => ({
    rules: always(listAtomic(policyRule), 2, 'What the role allows.'),
  })),
  strategy: {
    prepareForCreate: dropEmptyRules,
    prepareForUpdate: dropEmptyRules,
    validate: (object) => validateRules(object, true),
    // The wire reports the errors of a changed role twice.
    validateUpdate: (next) => [...validateRules(next, true), ...validateRules(next, true)],
  },
});
export type Role = ObjectOf<typeof role>;
