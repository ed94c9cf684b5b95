import { equalJson } from '../../json/equal.js';
import { type FieldError, fieldError } from '../../meta/field-error.js';

const MESSAGE = 'field is immutable when `immutable` is set';

/** Returns the changes that an object marked as `immutable` forbids: those of the mark and of the data. */
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
