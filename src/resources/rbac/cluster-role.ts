import { type FieldError, fieldError, isFull } from '../../meta/field-error.js';
import { nameIsPathSegment } from '../../meta/names.js';
import { METADATA_CHECK } from '../../meta/object-meta-validation.js';
import { defineResource } from '../../registry/resource-definition.js';
import {
  type LabelSelectorObject,
  labelSelectorOf,
  validateLabelSelector,
} from '../../selectors/label-selector-object.js';
import { ParseError } from '../../values/parse-error.js';
import { dropEmptyRules, validateRules } from './policy-rule.js';
import { rbacV1 } from './rbac-v1.js';
import type { ClusterRole } from './rbac-v1.types.js';

/** rbac/v1 ClusterRole: permissions for the whole cluster, or for one namespace if a RoleBinding grants them. */
export const clusterRole = defineResource({
  groupStem: 'rbac.authorization',
  version: 'v1',
  knownVersions: ['v1alpha1', 'v1beta1'],
  kind: 'ClusterRole',
  plural: 'clusterroles',
  metadataChecks: ['whole', 'whole', 'changes'],
  scope: 'Cluster',
  allowCreateOnUpdate: true,
  nameRule: nameIsPathSegment,
  schema: rbacV1.struct('ClusterRole'),
  strategy: {
    prepareForCreate: dropEmptyRules,
    prepareForUpdate: dropEmptyRules,
    validate: (role) => validate(role),
    // As in upstream, the validation errors of an update are reported twice.
    validateUpdate(next, { aggregationRule }) {
      const selectors = aggregationRule?.clusterRoleSelectors ?? [];
      const anyValues = selectors.some((selector) => validateLabelSelector(selector, '').length > 0);
      const errors = validate(next, { anyValues });
      return [...errors, METADATA_CHECK, ...errors, METADATA_CHECK];
    },
  },
});

/**
 * Returns the validation errors of a role. With `anyValues`, selectors may contain values that are not valid for labels, because older
 * versions accepted such values.
 */
function validate(role: ClusterRole, look = { anyValues: false }): FieldError[] {
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
