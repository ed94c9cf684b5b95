import { equalJson } from '../../json/equal.js';
import { type FieldError, fieldError } from '../../meta/field-error.js';

const MESSAGE = 'field is immutable when `immutable` is set';

/**
 * Returns an error for each forbidden change of an object whose field `immutable` is true: a change of `immutable` itself, or of one of
 * `fields`.
 */
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
