import { OPERATORS } from '../syntax/ast.js';
import { add, multiply, noSuchOverload } from '../values/arithmetic.js';
import { equals } from '../values/equality.js';
import { canonicalInt, Double, Uint } from '../values/numbers.js';
import { costSize } from '../values/size.js';
import { sizeOfText } from '../values/text.js';
import { EvaluationError, ListValue, type Outcome, type Value } from '../values/value.js';
import { BudgetExceeded } from '../values/work.js';
import { constant, evaluateOperand, type Plan, plan } from './plan.js';
import { type Evaluate, type Frame, isOver } from './program.js';

/** Returns the cost of a traversal: a tenth of a unit for each character or element. */
function tenth(value: Outcome): number {
  if (typeof value === 'string' && value.length <= 10) return value === '' ? 0 : 1;
  return Math.ceil(costSize(value) * 0.1);
}
/** Returns the cost of traversing the shorter of two values. */
function tenthOfShorter(a: Outcome, b: Outcome): number {
  if (a === b && typeof a === 'string') return tenth(a);
  if (typeof a === 'string' && typeof b === 'string' && (a.length <= 10 || b.length <= 10)) {
    return a === '' || b === '' ? 0 : 1;
  }
  return Math.ceil(Math.min(costSize(a), costSize(b)) * 0.1);
}

/** Compiles `==` and `!=`. They cost a tenth of the shorter operand's size, or 1 for values without a size. */
export function equality(left: Plan, right: Plan, negated: boolean): Evaluate {
  return (frame) => {
    const a = evaluateOperand(frame, left);
    const b = evaluateOperand(frame, right);
    if (typeof a === 'string' && typeof b === 'string') {
      frame.cost += tenthOfShorter(a, b);
      return (a === b) !== negated;
    }
    if ((typeof a === 'number' && typeof b === 'number') || (typeof a === 'boolean' && typeof b === 'boolean')) {
      frame.cost += 1;
      return (a === b) !== negated;
    }
    return compareOutcomes(frame, a, b, negated);
  };
}

function compareOutcomes(frame: Frame, a: Outcome, b: Outcome, negated: boolean): Outcome {
  frame.cost += tenthOfShorter(a, b);
  if (a instanceof EvaluationError) return a;
  if (b instanceof EvaluationError) return b;
  const same = equals(a, b);
  // As in upstream, values that cannot be compared are an error for `==`, but different for `!=`.
  if (same === undefined && !negated) return noSuchOverload();
  return (same === true) !== negated;
}

/** Compiles `==` and `!=` with a constant string. */
export function equalityWithText(left: Plan, text: string, negated: boolean): Evaluate {
  const size = sizeOfText(text);
  const most = Math.ceil(size * 0.1);
  return (frame) => {
    const a = evaluateOperand(frame, left);
    if (typeof a === 'string') {
      // The shorter of the two strings determines the cost. `a` can be the shorter one only if the strings differ and `a` has at most
      // `2 * size` UTF-16 units, because a code point takes one or two units. In all other cases the cost is known without counting code
      // points.
      if (most <= 1) frame.cost += a === '' ? 0 : most;
      else frame.cost += a === text || a.length > 2 * size ? most : tenthOfShorter(a, text);
      return (a === text) !== negated;
    }
    return compareOutcomes(frame, a, text, negated);
  };
}

/** Compiles `==` and `!=` with a constant int or bool. */
export function equalityWithScalar(left: Plan, scalar: number | boolean, negated: boolean): Evaluate {
  const kind = typeof scalar;
  return (frame) => {
    const a = evaluateOperand(frame, left);
    if (typeof a === kind) {
      frame.cost += 1;
      return (a === scalar) !== negated;
    }
    return compareOutcomes(frame, a, scalar, negated);
  };
}

/** Evaluates and charges a call whose operands do not have the expected types. */
type Slow = (frame: Frame, a: Outcome, b: Outcome) => Outcome;
type Typed = (left: Plan, right: Plan, slow: Slow) => Evaluate;

/** Operators on ints. Each has a closure of its own, because the engine cannot optimize a closure that all of them share. */
const ON_INTS: Readonly<Record<string, Typed>> = {
  [OPERATORS.less]: (left, right, slow) => (frame) => {
    const a = evaluateOperand(frame, left);
    const b = evaluateOperand(frame, right);
    if (typeof a !== 'number' || typeof b !== 'number') return slow(frame, a, b);
    frame.cost += 1;
    return a < b;
  },
  [OPERATORS.lessEquals]: (left, right, slow) => (frame) => {
    const a = evaluateOperand(frame, left);
    const b = evaluateOperand(frame, right);
    if (typeof a !== 'number' || typeof b !== 'number') return slow(frame, a, b);
    frame.cost += 1;
    return a <= b;
  },
  [OPERATORS.greater]: (left, right, slow) => (frame) => {
    const a = evaluateOperand(frame, left);
    const b = evaluateOperand(frame, right);
    if (typeof a !== 'number' || typeof b !== 'number') return slow(frame, a, b);
    frame.cost += 1;
    return a > b;
  },
  [OPERATORS.greaterEquals]: (left, right, slow) => (frame) => {
    const a = evaluateOperand(frame, left);
    const b = evaluateOperand(frame, right);
    if (typeof a !== 'number' || typeof b !== 'number') return slow(frame, a, b);
    frame.cost += 1;
    return a >= b;
  },
  [OPERATORS.add]: (left, right, slow) => (frame) => {
    const a = evaluateOperand(frame, left);
    const b = evaluateOperand(frame, right);
    if (typeof a !== 'number' || typeof b !== 'number') return slow(frame, a, b);
    frame.cost += 1;
    const sum = a + b;
    return Number.isSafeInteger(sum) ? sum : add(a, b);
  },
  [OPERATORS.multiply]: (left, right, slow) => (frame) => {
    const a = evaluateOperand(frame, left);
    const b = evaluateOperand(frame, right);
    if (typeof a !== 'number' || typeof b !== 'number') return slow(frame, a, b);
    frame.cost += 1;
    return multiply(a, b);
  },
  [OPERATORS.modulo]: (left, right, slow) => (frame) => {
    const a = evaluateOperand(frame, left);
    const b = evaluateOperand(frame, right);
    if (typeof a !== 'number' || typeof b !== 'number' || b === 0) return slow(frame, a, b);
    frame.cost += 1;
    return (a % b) + 0;
  },
};
export const onInts = (name: string): Typed | undefined => ON_INTS[name];

/**
 * Search functions of strings, by overload id. Lengths count towards the cost only when the checker knows that both operands are strings.
 */
const ON_TEXTS: Readonly<Record<string, Typed>> = {
  starts_with_string: (left, right, slow) => (frame) => {
    const a = evaluateOperand(frame, left);
    const b = evaluateOperand(frame, right);
    if (typeof a !== 'string' || typeof b !== 'string') return slow(frame, a, b);
    frame.cost += tenth(a);
    return a.startsWith(b);
  },
  ends_with_string: (left, right, slow) => (frame) => {
    const a = evaluateOperand(frame, left);
    const b = evaluateOperand(frame, right);
    if (typeof a !== 'string' || typeof b !== 'string') return slow(frame, a, b);
    frame.cost += tenth(a);
    return a.endsWith(b);
  },
  contains_string: (left, right, slow) => (frame) => {
    const a = evaluateOperand(frame, left);
    const b = evaluateOperand(frame, right);
    if (typeof a !== 'string' || typeof b !== 'string') return slow(frame, a, b);
    frame.cost += tenth(a) * tenth(b);
    if (isOver(frame)) throw new BudgetExceeded();
    return a.includes(b);
  },
};
export const onTexts = (overload: string): Typed | undefined => ON_TEXTS[overload];

/** Compiles `x in [constants]` to a look-up in a set. For an empty list x is not even evaluated. */
export function membership(operand: Plan, list: Outcome | undefined): Plan | undefined {
  if (!(list instanceof ListValue)) return undefined;
  if (list.size === 0) return constant(false);
  const values = new Set<unknown>();
  for (let i = 0; i < list.size; i++) {
    const key = hashKey(list.at(i));
    if (key === undefined) return undefined;
    values.add(key);
  }
  return plan((frame) => {
    const value = evaluateOperand(frame, operand);
    if (typeof value === 'string' || typeof value === 'number') return values.has(value);
    return value instanceof EvaluationError ? value : values.has(hashKey(value));
  });
}

/** Returns one JavaScript value for all equal values of simple types; undefined for NaN and for values of other types. */
function hashKey(value: Outcome): string | number | bigint | boolean | null | undefined {
  if (value === null || typeof value !== 'object') return value as Exclude<Value, object> | null;
  if (value instanceof Uint) return value.value;
  if (!(value instanceof Double)) return undefined;
  if (!Number.isInteger(value.value)) return Number.isNaN(value.value) ? undefined : value.value;
  return Number.isSafeInteger(value.value) ? value.value + 0 : canonicalInt(BigInt(value.value));
}
