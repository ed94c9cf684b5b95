import { type FieldError, fieldError } from '../../meta/field-error.js';

/**
 * Checks of one object. A schema and an object that are both large multiply: each branch of `allOf` is checked for each item. A check costs
 * some hundred nanoseconds, so an object takes less than a second.
 */
const MOST = 2_000_000;

/** Thrown by {@link spendChecks} within {@link withinBudget}. */
class TooManyChecks extends Error {}

let left: number | undefined;

/** Counts checks of the object that is validated now. What is not validated within a budget is not counted. */
export function spendChecks(count = 1): void {
  if (left === undefined) return;
  left -= count;
  if (left < 0) throw new TooManyChecks();
}

/** Validates an object, or part of one, and ends with one error where that takes more checks than any real object does. */
export function withinBudget(path: string, validate: () => FieldError[]): FieldError[] {
  if (left !== undefined) return validate();
  left = MOST;
  try {
    return validate();
  } catch (error) {
    if (!(error instanceof TooManyChecks)) throw error;
    return [fieldError.forbidden(path, `the object is too large for its schema: it takes more than ${MOST} checks`)];
  } finally {
    left = undefined;
  }
}
