import type { JsonValue } from '../meta/json.js';
import { isJsonList, memberOf } from './json-members.js';

type Pair = readonly [JsonValue | undefined, JsonValue | undefined];

/**
 * Whether two JSON values are equal: objects whatever the order of their members, numbers by value. Identical subtrees
 * are not looked into. Any depth is fine.
 */
export function sameJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  const open: Pair[] = [[left, right]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    if (pair[0] !== pair[1] && !sameOutside(pair[0], pair[1], open)) return false;
  }
  return true;
}

/** The earlier value where both are equal, so that later steps see at once that nothing changed. */
export function keepIfSame(before: JsonValue | undefined, after: JsonValue): JsonValue {
  return before !== undefined && sameJson(before, after) ? before : after;
}

/** Compares all but the children, which go on the stack. */
function sameOutside(left: JsonValue | undefined, right: JsonValue | undefined, open: Pair[]): boolean {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (isJsonList(left) || isJsonList(right)) {
    if (!isJsonList(left) || !isJsonList(right) || left.length !== right.length) return false;
    for (let i = 0; i < left.length; i++) open.push([left[i], right[i]]);
    return true;
  }
  let surplus = 0;
  for (const [name, value] of Object.entries(left)) {
    if (value === undefined) continue;
    const other = memberOf(right, name);
    if (other === undefined) return false;
    surplus++;
    open.push([value, other]);
  }
  for (const value of Object.values(right)) if (value !== undefined) surplus--;
  return surplus === 0;
}
