import { equalJson } from '../../json/equal.js';
import { type FieldError, fieldError } from '../../meta/field-error.js';

const MESSAGE = 'field is immutable when `immutable` is set';

/** Returns an error for each forbidden change of an object that is marked as `immutable`: a change of the mark or of the data. */
export function immutableChanges<T extends { readonly immutable?: boolean }>(
  next: T,
  old: T,
  fields: readonly (keyof T & string)[],
): FieldError[] {
  if (!old.immutable) return [];
  const errors = next.immutable ? [] : [fieldError.forbidden('immutable', MESSAGE)];
  for (const field of fields)
    if (!equalJson(next[field], old[field])) errors.push(fieldError.forbidden(field, MESSAGE));
  return errors;
}
