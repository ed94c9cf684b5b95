import { type FieldError, fieldError, isFull } from '../../meta/field-error.js';
import { nameIsPathSegment } from '../../meta/names.js';
import { defineRules, type ObjectOfRules } from '../../registry/built-in-kind.js';
import { always, listAtomic, type OutputOf, omitEmpty, omitNull, struct } from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import {
  type LabelSelectorObject,
  labelSelectorOf,
  validateLabelSelector,
} from '../../selectors/label-selector-object.js';
import { ParseError } from '../../values/parse-error.js';
import { labelSelector } from '../fragments/label-selector.js';
import { dropEmptyRules, policyRule, validateRules } from './policy-rule.js';

const schema = topLevel(
  'io.k8s.api.rbac.v1.ClusterRole',
  'What may be done everywhere, or in one namespace when bound there.',
  () => ({
    rules: always(listAtomic(policyRule), 2, 'What the role allows.'),
    aggregationRule: omitNull(
      struct('io.k8s.api.rbac.v1.AggregationRule', 'Selectors of the roles that a role is made of.', () => ({
        clusterRoleSelectors: omitEmpty(listAtomic(labelSelector), 1, 'Picks the roles; one that fits is enough.'),
      })),
      3,
      'Selectors of the roles that this role is made of.',
    ),
  }),
);

export const clusterRoleRules = defineRules({
  nameRule: nameIsPathSegment,
  schema,
  strategy: {
    prepareForCreate: dropEmptyRules,
    prepareForUpdate: dropEmptyRules,
    validate: (role) => validate(role),
    // The wire reports the errors of a changed role twice.
    validateUpdate(next, { aggregationRule }) {
      const selectors = aggregationRule?.clusterRoleSelectors ?? [];
      const anyValues = selectors.some((selector) => validateLabelSelector(selector, '').length > 0);
      const errors = validate(next, { anyValues });
      return [...errors, ...errors];
    },
  },
});
export type ClusterRole = ObjectOfRules<typeof clusterRoleRules>;

/** What is wrong with a role. With `anyValues`, selectors name values that no label can have, as they could once. */
function validate(role: OutputOf<typeof schema>, look = { anyValues: false }): FieldError[] {
  const errors = validateRules(role, false);
  if (!role.aggregationRule) return errors;
  const path = 'aggregationRule.clusterRoleSelectors';
  const { clusterRoleSelectors: selectors = [] } = role.aggregationRule;
  if (selectors.length === 0)
    errors.push(fieldError.required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil'));
  for (const [index, selector] of selectors.entries()) {
    if (isFull(errors)) break;
    errors.push(...validateLabelSelector(selector, `${path}[${index}]`, look));
    if (!compiles(selector)) errors.push(fieldError.invalid(`${path}[${index}]`, null, 'invalid label selector.'));
  }
  return errors;
}

function compiles(selector: LabelSelectorObject): boolean {
  try {
    labelSelectorOf(selector);
    return true;
  } catch (error) {
    if (error instanceof ParseError) return false;
    throw error;
  }
}
