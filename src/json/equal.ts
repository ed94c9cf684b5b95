import { notedNames } from './members.js';

/**
 * Returns whether two JSON values are equal. The order of members does not matter, undefined members count as absent, and numbers are
 * compared by value. Identical subtrees are skipped. The depth of the values is not limited.
 */
export function equalJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  const open: unknown[] = [left, right];
  while (open.length > 0) {
    const b = open.pop();
    const a = open.pop();
    if (a !== b && !equalOutside(a, b, open)) return false;
  }
  return true;
}

type Members = Readonly<Record<string, unknown>>;

/** Compares two values without their children. The children are pushed on the stack `open`. */
function equalOutside(left: unknown, right: unknown, open: unknown[]): boolean {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    for (let i = 0; i < left.length; i++) open.push(left[i], right[i]);
    return true;
  }
  // Neither value is a list here, so both are objects and the casts are safe.
  const [a, b] = [left as Members, right as Members];
  const [manyOfA, manyOfB] = [notedNames(a), notedNames(b)];
  if (manyOfA !== undefined && manyOfB !== undefined && manyOfA.length !== manyOfB.length) return false;
  let surplus = 0;
  if (manyOfA === undefined) {
    for (const name in a) {
      if (a[name] === undefined) continue;
      if (!mayEqual(a[name], b, name, open)) return false;
      surplus++;
    }
  } else if (manyOfA.every((name) => mayEqual(a[name], b, name, open))) surplus = manyOfA.length;
  else return false;
  if (manyOfB !== undefined) return surplus === manyOfB.length;
  for (const name in b) if (b[name] !== undefined) surplus--;
  return surplus === 0;
}

/**
 * Returns whether `others` has a member `name` that may equal `value`. Values that need a deeper comparison are pushed on the stack `open`.
 */
function mayEqual(value: unknown, others: Members, name: string, open: unknown[]): boolean {
  const other = Object.hasOwn(others, name) ? others[name] : undefined;
  if (other === undefined) return false;
  if (value === other) return true;
  if (typeof value !== 'object' || typeof other !== 'object') return false;
  open.push(value, other);
  return true;
}
