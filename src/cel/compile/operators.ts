import { equal } from '../values/equality.js';
import { canonicalInt, Double, Uint } from '../values/numbers.js';
import { costSize } from '../values/size.js';
import { EvaluationError, ListValue, type Outcome, type Value } from '../values/value.js';
import { constant, type Plan, plan } from './plan.js';
import type { Evaluate } from './program.js';

/** `==` and `!=`: costs a tenth of the shorter operand, and 1 for all that has no size. */
export function equality(left: Evaluate, right: Evaluate, negated: boolean): Evaluate {
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    if (typeof a === 'number' && typeof b === 'number') {
      frame.cost += 1;
      return (a === b) !== negated;
    }
    frame.cost += Math.ceil(Math.min(costSize(a), costSize(b)) * 0.1);
    if (a instanceof EvaluationError) return a;
    if (b instanceof EvaluationError) return b;
    return equal(a, b) !== negated;
  };
}

/** `x in [constants]`: looks `x` up. An empty list does not even evaluate it. */
export function membership(operand: Plan, list: Outcome | undefined): Plan | undefined {
  if (!(list instanceof ListValue)) return undefined;
  if (list.size === 0) return constant(false);
  const values = new Set<unknown>();
  for (let i = 0; i < list.size; i++) {
    const key = hashKey(list.at(i));
    if (key === undefined) return undefined;
    values.add(key);
  }
  const { run } = operand;
  return plan((frame) => {
    const value = run(frame);
    return value instanceof EvaluationError ? value : values.has(hashKey(value));
  });
}

/** One JavaScript value for all equal values of the simple types; undefined for others. */
function hashKey(value: Outcome): string | number | bigint | boolean | null | undefined {
  if (value === null || typeof value !== 'object') return value as Exclude<Value, object> | null;
  if (value instanceof Uint) return value.value;
  if (!(value instanceof Double)) return undefined;
  if (!Number.isInteger(value.value)) return Number.isNaN(value.value) ? undefined : value.value;
  return Number.isSafeInteger(value.value) ? value.value + 0 : canonicalInt(BigInt(value.value));
}
