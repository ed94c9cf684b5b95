import { errorsOf, type FieldError, fieldError } from '../../meta/field-error.js';
import type { PolicyRule } from './rbac-v1.types.js';

interface WithRules {
  readonly rules: readonly PolicyRule[] | null;
}

/** Returns the validation errors of a role's rules. If `namespaced` is true, a rule with `nonResourceURLs` is invalid. */
export function validateRules({ rules }: WithRules, namespaced: boolean): FieldError[] {
  return errorsOf(rules ?? [], (rule, index) => validateRule(rule, `rules[${index}]`, namespaced));
}

function validateRule(rule: PolicyRule, path: string, namespaced: boolean): FieldError[] {
  const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const errors: FieldError[] = [];
  const need = (field: keyof PolicyRule & string, values: readonly string[] | null, why: string) => {
    if ((values?.length ?? 0) === 0) errors.push(fieldError.required(`${path}.${field}`, why));
  };
  need('verbs', verbs, 'verbs must contain at least one value');
  if (nonResourceURLs.length > 0) {
    const refuse = (why: string) => errors.push(fieldError.invalid(`${path}.nonResourceURLs`, nonResourceURLs, why));
    if (namespaced) refuse('namespaced rules cannot apply to non-resource URLs');
    if (apiGroups.length + resources.length + resourceNames.length > 0)
      refuse('rules cannot apply to both regular resources and non-resource URLs');
    return errors;
  }
  need('apiGroups', apiGroups, 'resource rules must supply at least one api group');
  need('resources', resources, 'resource rules must supply at least one resource');
  return errors;
}

/** Replaces an empty list of rules by null, because absent rules are stored as null. */
export function dropEmptyRules(draft: { rules: unknown[] | null }): void {
  if (draft.rules?.length === 0) draft.rules = null;
}
