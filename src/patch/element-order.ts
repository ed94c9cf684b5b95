import { getOwn } from '../json/members.js';
import { isJsonObject, type JsonValue } from '../json/value.js';
import { strategicError } from './strategic-errors.js';

/** Returns the identity of an element: the value of its merge key, or the element itself if `mergeKey` is ''. */
export function elementKey(element: JsonValue, mergeKey: string): JsonValue {
  if (mergeKey === '') {
    if (isJsonObject(element)) throw strategicError.noMergeKey(element, mergeKey);
    return element;
  }
  if (!isJsonObject(element)) throw strategicError.wrongType('map', element);
  const key = getOwn(element, mergeKey);
  if (key === undefined) throw strategicError.noMergeKey(element, mergeKey);
  return key;
}

/**
 * Sorts merged elements. The elements in `requestedOrder` take the order of that list, and all others the order of `before`. The two
 * sequences are then interleaved by the positions of their elements in `before` (spec 5.4).
 */
export function arrangeElements(
  merged: readonly JsonValue[],
  requestedOrder: readonly JsonValue[],
  before: readonly JsonValue[],
  mergeKey: string,
): readonly JsonValue[] {
  const requestedPlaces = placesOf(requestedOrder, mergeKey);
  const places = placesOf(before, mergeKey);
  const named: Placed[] = [];
  const others: Placed[] = [];
  for (const element of merged) {
    const key = elementKey(element, mergeKey);
    const rank = requestedPlaces.get(key);
    const place = places.get(key);
    if (rank !== undefined) named.push({ element, rank, place });
    else others.push({ element, rank: place ?? Number.POSITIVE_INFINITY, place });
  }
  return interleave(others.sort(byRank), named.sort(byRank));
}

interface Placed {
  readonly element: JsonValue;
  readonly rank: number;
  /** The element's position before the patch; undefined for a new element. */
  readonly place: number | undefined;
}
const byRank = (a: Placed, b: Placed) => (a.rank === b.rank ? 0 : a.rank - b.rank);

function placesOf(list: readonly JsonValue[], mergeKey: string): ReadonlyMap<JsonValue, number> {
  const places = new Map<JsonValue, number>();
  list.forEach((element, place) => {
    const key = elementKey(element, mergeKey);
    if (!places.has(key)) places.set(key, place);
  });
  return places;
}

/** Interleaves two sequences. Before each element of `named` come those next elements of `others` that were before it in the old list. */
function interleave(others: readonly Placed[], named: readonly Placed[]): readonly JsonValue[] {
  const all: JsonValue[] = [];
  let next = 0;
  for (const { element, place } of named) {
    for (let other = others[next]; other !== undefined; other = others[next]) {
      if (place === undefined || other.place === undefined || other.place >= place) break;
      all.push(other.element);
      next++;
    }
    all.push(element);
  }
  for (const { element } of others.slice(next)) all.push(element);
  return all;
}

/**
 * Checks that the elements of a patch list are all in its `$setElementOrder` list, and in the same order. Elements with `$patch: delete` do
 * not count.
 * @throws ApiError 500
 */
export function checkElementOrder(patch: readonly JsonValue[], order: readonly JsonValue[], mergeKey: string): void {
  if (patch.length === 0 || order.length === 0) return;
  let next = 0;
  for (const element of patch) {
    if (mergeKey !== '' && !isJsonObject(element)) throw strategicError.wrongType('map', element);
    if (isJsonObject(element) && getOwn(element, '$patch') !== undefined) continue;
    const key = elementKey(element, mergeKey);
    while (next < order.length && elementKey(order[next] ?? null, mergeKey) !== key) next++;
    if (next === order.length) throw strategicError.orderMismatch(patch, order);
    next++;
  }
}
