import { errorsOf, type FieldError, fieldError } from '../../meta/field-error.js';
import { notNegative } from './value-rules.js';

/** Checks that members of an object are not negative. Absent members are valid. */
export function validateCounts<T extends object>(path: string, object: T, names: readonly (keyof T & string)[]) {
  return errorsOf(names, (name) => notNegative(`${path}.${name}`, object[name] as number | undefined));
}

/** Checks that members of a status are not greater than `limit`. Error messages contain `limitName` as the name of the limit. */
export function validateAtMost<T extends object>(
  status: T,
  names: readonly (keyof T & string)[],
  limit: number | undefined,
  limitName: string,
): FieldError[] {
  return errorsOf(names, (name) => {
    const value = (status[name] as number | undefined) ?? 0;
    if (value <= (limit ?? 0)) return [];
    return [fieldError.invalid(`status.${name}`, value, `cannot be greater than ${limitName}`)];
  });
}

/** Checks that the number of hash collisions does not decrease. */
export function validateCollisions(next: number | undefined, old: number | undefined): FieldError[] {
  if (old === undefined || (next !== undefined && next >= old)) return [];
  return [fieldError.invalid('status.collisionCount', next ?? 0, 'cannot be decremented')];
}
