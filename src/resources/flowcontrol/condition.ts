import { addErrors, type FieldError, fieldError, isFull } from '../../meta/field-error.js';

/** Checks that conditions have distinct types. */
export function validateConditionTypes({
  status,
}: {
  readonly status: { readonly conditions?: readonly { readonly type?: string }[] };
}): FieldError[] {
  const errors: FieldError[] = [];
  const types = new Set<string>();
  for (const [i, { type = '' }] of (status.conditions ?? []).entries()) {
    if (isFull(errors)) break;
    const path = `status.conditions[${i}].type`;
    if (types.has(type)) addErrors(errors, [fieldError.duplicate(path, type)]);
    types.add(type);
    if (type === '') addErrors(errors, [fieldError.required(path, 'must not be empty')]);
  }
  return errors;
}
