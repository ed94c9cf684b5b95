import { errorsOf, type FieldError, fieldError } from '../../meta/field-error.js';
import { notNegative } from './value-rules.js';

/** The members of an object that must not be negative; those that are absent are fine. */
export function validateCounts<T extends object>(path: string, object: T, names: readonly (keyof T & string)[]) {
  return errorsOf(names, (name) => notNegative(`${path}.${name}`, object[name] as number | undefined));
}

/** Members that must not be greater than another, whose name in messages is `limitName`. */
export function validateAtMost<T extends object>(
  path: string,
  object: T,
  names: readonly (keyof T & string)[],
  limit: number | undefined,
  limitName: string,
): FieldError[] {
  return errorsOf(names, (name) => {
    const value = (object[name] as number | undefined) ?? 0;
    if (value <= (limit ?? 0)) return [];
    return [fieldError.invalid(`${path}.${name}`, value, `cannot be greater than ${limitName}`)];
  });
}

/** The number of hash collisions never falls. */
export function validateCollisions(next: number | undefined, old: number | undefined): FieldError[] {
  if (old === undefined || (next ?? -1) >= old) return [];
  return [fieldError.invalid('status.collisionCount', next ?? 0, 'cannot be decremented')];
}
