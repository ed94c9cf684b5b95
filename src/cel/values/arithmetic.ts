import { joinLists } from './lists.js';
import { canonicalInt, Double, INT_MIN, type Int, toInt64, toUint64, Uint } from './numbers.js';
import { addDuration, between, Duration, Timestamp, toDuration } from './time.js';
import { EvaluationError, ListValue, type Outcome, type Value } from './value.js';
import { spendText } from './work.js';

const failure = (message: string) => (): EvaluationError => new EvaluationError(message);
export const noSuchOverload = failure('no such overload');
const intOverflow = failure('integer overflow');
const uintOverflow = failure('unsigned integer overflow');
const timestampOverflow = failure('timestamp overflow');
const divisionByZero = failure('division by zero');
const modulusByZero = failure('modulus by zero');

const isInt = (value: Value): value is Int => typeof value === 'number' || typeof value === 'bigint';
const int = (value: bigint): Outcome => toInt64(value) ?? intOverflow();
const uint = (value: bigint): Outcome => toUint64(value) ?? uintOverflow();

export function add(a: Value, b: Value): Outcome {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    return Number.isSafeInteger(sum) ? sum : int(BigInt(a) + BigInt(b));
  }
  if (typeof a === 'string') return typeof b === 'string' ? addText(a, b) : noSuchOverload();
  if (isInt(a)) return isInt(b) ? int(BigInt(a) + BigInt(b)) : noSuchOverload();
  if (a instanceof Double) return b instanceof Double ? new Double(a.value + b.value) : noSuchOverload();
  if (a instanceof Uint) return b instanceof Uint ? uint(BigInt(a.value) + BigInt(b.value)) : noSuchOverload();
  if (a instanceof ListValue) return b instanceof ListValue ? joinLists(a, b) : noSuchOverload();
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? addBytes(a, b) : noSuchOverload();
  return addTimes(a, b);
}

function addText(a: string, b: string): string {
  spendText(a.length + b.length);
  return a + b;
}

function addBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  spendText(a.length + b.length);
  const sum = new Uint8Array(a.length + b.length);
  sum.set(a);
  sum.set(b, a.length);
  return sum;
}

function addTimes(a: Value, b: Value): Outcome {
  if (a instanceof Timestamp && b instanceof Duration) return addDuration(a, b.nanos) ?? timestampOverflow();
  if (a instanceof Duration && b instanceof Timestamp) return addDuration(b, a.nanos) ?? timestampOverflow();
  if (a instanceof Duration && b instanceof Duration) return toDuration(a.nanos + b.nanos) ?? intOverflow();
  return noSuchOverload();
}

export function subtract(a: Value, b: Value): Outcome {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    return Number.isSafeInteger(difference) ? difference : int(BigInt(a) - BigInt(b));
  }
  if (isInt(a)) return isInt(b) ? int(BigInt(a) - BigInt(b)) : noSuchOverload();
  if (a instanceof Double) return b instanceof Double ? new Double(a.value - b.value) : noSuchOverload();
  if (a instanceof Uint) return b instanceof Uint ? uint(BigInt(a.value) - BigInt(b.value)) : noSuchOverload();
  if (a instanceof Timestamp && b instanceof Timestamp) return between(a, b) ?? intOverflow();
  if (a instanceof Timestamp && b instanceof Duration) return subtractDuration(a, b);
  if (a instanceof Duration && b instanceof Duration) return toDuration(a.nanos - b.nanos) ?? intOverflow();
  return noSuchOverload();
}

/** Subtracts a duration from a timestamp. The negative of the smallest duration does not fit and is an overflow. */
const subtractDuration = (time: Timestamp, { nanos }: Duration): Outcome =>
  nanos === INT_MIN ? intOverflow() : (addDuration(time, -nanos) ?? timestampOverflow());

export function multiply(a: Value, b: Value): Outcome {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    // `+ 0` turns -0 into 0, because -0 is not an int.
    return Number.isSafeInteger(product) ? product + 0 : int(BigInt(a) * BigInt(b));
  }
  if (isInt(a)) return isInt(b) ? int(BigInt(a) * BigInt(b)) : noSuchOverload();
  if (a instanceof Double) return b instanceof Double ? new Double(a.value * b.value) : noSuchOverload();
  if (a instanceof Uint) return b instanceof Uint ? uint(BigInt(a.value) * BigInt(b.value)) : noSuchOverload();
  return noSuchOverload();
}

export function divide(a: Value, b: Value): Outcome {
  if (typeof a === 'number' && typeof b === 'number') {
    // The quotient of doubles may round up to a whole number; subtracting the remainder first makes it exact.
    return b === 0 ? divisionByZero() : (a - (a % b)) / b + 0;
  }
  if (isInt(a)) {
    if (!isInt(b)) return noSuchOverload();
    return b === 0 ? divisionByZero() : int(BigInt(a) / BigInt(b));
  }
  if (a instanceof Double) return b instanceof Double ? new Double(a.value / b.value) : noSuchOverload();
  if (!(a instanceof Uint && b instanceof Uint)) return noSuchOverload();
  return b.value === 0 ? divisionByZero() : uint(BigInt(a.value) / BigInt(b.value));
}

export function modulo(a: Value, b: Value): Outcome {
  if (typeof a === 'number' && typeof b === 'number') return b === 0 ? modulusByZero() : (a % b) + 0;
  if (isInt(a)) {
    if (!isInt(b)) return noSuchOverload();
    if (b === 0) return modulusByZero();
    // Upstream reports an overflow here, although the remainder is 0, because the quotient does not fit into an int64.
    return b === -1 && a === INT_MIN ? intOverflow() : int(BigInt(a) % BigInt(b));
  }
  if (!(a instanceof Uint && b instanceof Uint)) return noSuchOverload();
  return b.value === 0 ? modulusByZero() : uint(BigInt(a.value) % BigInt(b.value));
}

/** Negates an int or a double, or a duration, which only the checker refuses. */
export function negate(a: Value): Outcome {
  if (typeof a === 'number') return 0 - a;
  if (typeof a === 'bigint') return toInt64(-a) ?? intOverflow();
  if (a instanceof Duration) return toDuration(-a.nanos) ?? intOverflow();
  return a instanceof Double ? new Double(-a.value) : noSuchOverload();
}

/** Returns a whole double as an int; undefined for a fraction. */
export const wholeNumber = (value: number): Int | undefined =>
  Number.isInteger(value) ? canonicalInt(BigInt(value)) : undefined;
