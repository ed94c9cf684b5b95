import { listEstimates } from '../cost/library-estimates.js';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  listOf,
  param,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
} from '../typing/type.js';
import { add, noSuchOverload } from '../values/arithmetic.js';
import { compare, equal } from '../values/equality.js';
import { Double, Uint } from '../values/numbers.js';
import { Duration } from '../values/time.js';
import { EvaluationError, type ListValue, type Outcome, type Value } from '../values/value.js';
import { type Definition, libraryOf, member } from './declare.js';
import type { Library } from './library.js';
import { TRAVERSED } from './traversal.js';

const T = param('T');
const COMPARABLE: readonly Type[] = [INT, UINT, DOUBLE, BOOL, DURATION, TIMESTAMP, STRING, BYTES];
/** Types that can be summed, each with the sum of an empty list. */
const SUMMABLE: readonly (readonly [Type, Value])[] = [
  [INT, 0],
  [UINT, new Uint(0)],
  [DOUBLE, new Double(0)],
  [DURATION, new Duration(0n)],
];

/**
 * Returns whether values of the type of this value have an order. As in upstream, two values of different types count as equal in the order
 * of a list.
 */
const hasOrder = (value: Value): boolean => compare(value, value) !== undefined;

function isSorted(list: ListValue): Outcome {
  let before: Value | undefined;
  for (let i = 0; i < list.size; i++) {
    const value = list.at(i);
    if (value instanceof EvaluationError) return value;
    if (!hasOrder(value)) return noSuchOverload();
    if (before !== undefined && (compare(before, value) ?? 0) > 0) return false;
    before = value;
  }
  return true;
}

const sumFrom =
  (zero: Value) =>
  (list: ListValue): Outcome => {
    let sum: Value = zero;
    for (let i = 0; i < list.size; i++) {
      const value = list.at(i);
      const more: Outcome = value instanceof EvaluationError ? value : add(sum, value);
      if (more instanceof EvaluationError) return more;
      sum = more;
    }
    return sum;
  };

/**
 * Returns an implementation that finds the least (`direction` 1) or greatest (-1) element of a list. Of equal elements it returns the
 * first.
 */
const minOrMax =
  (name: string, direction: 1 | -1) =>
  (list: ListValue): Outcome => {
    let best: Value | undefined;
    for (let i = 0; i < list.size; i++) {
      const value = list.at(i);
      if (value instanceof EvaluationError) return value;
      if (!hasOrder(value)) return noSuchOverload();
      if (best === undefined || (compare(value, best) ?? 0) * direction < 0) best = value;
    }
    return best ?? new EvaluationError(`${name} called on empty list`);
  };

function indexOf(list: ListValue, value: Value): number {
  for (let i = 0; i < list.size; i++) if (equal(list.at(i), value)) return i;
  return -1;
}
function lastIndexOf(list: ListValue, value: Value): number {
  for (let i = list.size - 1; i >= 0; i--) if (equal(list.at(i), value)) return i;
  return -1;
}

const wordOf = (type: Type): string => type.kind;
const comparableLists = (): Definition[] =>
  COMPARABLE.flatMap((type): Definition[] => {
    const word = wordOf(type);
    const list = [listOf(type)];
    return [
      member('isSorted', `list_${word}_is_sorted_bool`, list, BOOL, isSorted, TRAVERSED),
      member('max', `list_${word}_max_${word}`, list, type, minOrMax('max', -1), TRAVERSED),
      member('min', `list_${word}_min_${word}`, list, type, minOrMax('min', 1), TRAVERSED),
    ];
  });
const summableLists = (): Definition[] =>
  SUMMABLE.map(([type, zero]) =>
    member('sum', `list_${wordOf(type)}_sum_${wordOf(type)}`, [listOf(type)], type, sumFrom(zero), TRAVERSED),
  );

/** The library of sums, extremes and searches of lists. */
export const lists: Library = libraryOf(
  () => [
    ...comparableLists(),
    ...summableLists(),
    member('indexOf', 'list_a_index_of_int', [listOf(T), T], INT, indexOf, TRAVERSED),
    member('lastIndexOf', 'list_a_last_index_of_int', [listOf(T), T], INT, lastIndexOf, TRAVERSED),
  ],
  { name: 'lists', estimates: listEstimates },
);
