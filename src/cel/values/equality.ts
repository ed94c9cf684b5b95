import { compareText } from '../../json/order.js';
import { Double, Uint } from './numbers.js';
import { EvaluationError, ObjectValue, type Outcome, type Value } from './value.js';
import { spend } from './work.js';

/** Returns whether two values are equal; false for values that cannot be compared. */
export const equal = (a: Outcome, b: Outcome): boolean => equals(a, b) === true;

/**
 * Returns whether two values are equal. Numbers of all types are compared by value. Most other values of different types are unequal; for
 * those that cannot be compared (`ObjectValue.equals`) the result is undefined. Lists and maps count such elements as equal, as upstream
 * does.
 * @throws BudgetExceeded when the comparison takes too much work.
 */
export function equals(a: Outcome, b: Outcome): boolean | undefined {
  spend(1);
  if (typeof a !== 'object') {
    if (a === b) return true;
    return isNumber(a) && isNumber(b) && compareNumbers(a, b) === 0;
  }
  if (a === null || b === null) return a === b;
  if (a instanceof EvaluationError || b instanceof EvaluationError) return false;
  if (a instanceof Double || a instanceof Uint) return isNumber(b) && compareNumbers(a, b) === 0;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && compareBytes(a, b) === 0;
  return a instanceof ObjectValue ? a.equals(b) : false;
}

export type NumberValue = number | bigint | Double | Uint;

export const isNumber = (value: Outcome): value is NumberValue =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof Double || value instanceof Uint;

/**
 * Compares two numbers. The result is negative, 0 or positive, or NaN when one side is NaN. An integer that is compared with a double
 * counts as the nearest double.
 */
function compareNumbers(a: NumberValue, b: NumberValue): number {
  const asDouble = a instanceof Double || b instanceof Double;
  const left = asDouble ? Number(plainNumber(a)) : plainNumber(a);
  const right = asDouble ? Number(plainNumber(b)) : plainNumber(b);
  if (left < right) return -1;
  if (left > right) return 1;
  return Number.isNaN(left) || Number.isNaN(right) ? Number.NaN : 0;
}
const plainNumber = (value: NumberValue): number | bigint => (typeof value === 'object' ? value.value : value);

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  spend(length >>> 4);
  for (let i = 0; i < length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** A value with an order among values of its type: a timestamp or a duration. */
export interface Comparable {
  compare(other: Value): number | undefined;
}
const isComparable = (value: Value): value is ObjectValue & Comparable =>
  value instanceof ObjectValue && 'compare' in value;

/** Compares two values. The result is negative, 0 or positive, NaN when one side is NaN, or undefined when the values have no order. */
export function compare(a: Value, b: Value): number | undefined {
  if (isNumber(a)) return isNumber(b) ? compareNumbers(a, b) : undefined;
  if (typeof a === 'string') return typeof b === 'string' ? compareText(a, b) : undefined;
  if (typeof a === 'boolean') return typeof b === 'boolean' ? Number(a) - Number(b) : undefined;
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? compareBytes(a, b) : undefined;
  return isComparable(a) ? a.compare(b) : undefined;
}
