import { utf8Length } from '../../values/utf8.js';
import type { OverloadCost } from '../cost/cost.js';
import { EvaluationError, ListValue, MapValue, type Outcome } from '../values/value.js';
import { spend } from '../values/work.js';

/** Returns the cost of walking through a value: a tenth of a unit for each byte of text, rounded down, and 1 for every other leaf. */
function traversalCost(value: Outcome): number {
  spend(1);
  if (typeof value === 'string') return Math.floor(utf8Length(value) * 0.1);
  if (value instanceof Uint8Array) return Math.floor(value.length * 0.1);
  let cost = 0;
  if (value instanceof ListValue) {
    for (let i = 0; i < value.size; i++) cost += traversalCost(value.at(i));
    return cost;
  }
  if (!(value instanceof MapValue)) return 1;
  for (const key of value.keys()) {
    cost += traversalCost(key) + traversalCost(value.get(key) ?? new EvaluationError('no such key'));
  }
  return cost;
}

/** The cost of functions that read every element of their target. */
export const TRAVERSED: OverloadCost = { actual: ([target]) => traversalCost(target as Outcome) };
