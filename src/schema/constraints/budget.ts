import { type FieldError, fieldError } from '../../meta/field-error.js';

/**
 * Maximum number of constraint checks for one object. The sizes of the schema and of the object multiply: each schema in an `allOf` is
 * checked for each list item. A check takes some hundred nanoseconds, so a validation takes less than a second.
 */
const MOST = 2_000_000;

/** Thrown by {@link spendChecks} within {@link withinBudget}. */
class TooManyChecks extends Error {}

let left: number | undefined;

/** Charges checks to the budget of the current {@link withinBudget} call. Outside of such a call nothing is counted. */
export function spendChecks(count = 1): void {
  if (left === undefined) return;
  left -= count;
  if (left < 0) throw new TooManyChecks();
}

/** Runs a validation; returns a single error if it needs too many checks. Nested calls share the outermost budget. */
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
