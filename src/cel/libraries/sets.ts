import type { OverloadCost } from '../cost/cost.js';
import { setEstimates } from '../cost/library-estimates.js';
import { BOOL, listOf, param } from '../typing/type.js';
import { contains } from '../values/lists.js';
import { costSize } from '../values/size.js';
import type { ListValue, Outcome } from '../values/value.js';
import { global, libraryOf } from './declare.js';
import type { Library } from './library.js';

const T = param('T');
const LISTS = [listOf(T), listOf(T)];

function containsAll(list: ListValue, elements: ListValue): boolean {
  for (let i = 0; i < elements.size; i++) if (!contains(list, elements.at(i))) return false;
  return true;
}
function containsAny(list: ListValue, elements: ListValue): boolean {
  for (let i = 0; i < elements.size; i++) if (contains(list, elements.at(i))) return true;
  return false;
}

/**
 * Returns the cost of a call: 1, plus the cost of `times` passes that compare every element of one list with every element of the other.
 */
const pairs = (times: number): OverloadCost => ({
  actual: ([a, b]) => 1 + costSize(a as Outcome) * costSize(b as Outcome) * times,
});

/** The library of functions that treat lists as sets. */
export const sets: Library = libraryOf(
  () => [
    global('sets.contains', 'list_sets_contains_list', LISTS, BOOL, containsAll, pairs(1)),
    global(
      'sets.equivalent',
      'list_sets_equivalent_list',
      LISTS,
      BOOL,
      (a: ListValue, b: ListValue) => containsAll(a, b) && containsAll(b, a),
      pairs(2),
    ),
    global('sets.intersects', 'list_sets_intersects_list', LISTS, BOOL, containsAny, pairs(1)),
  ],
  { name: 'sets', estimates: setEstimates },
);
