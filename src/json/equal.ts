/**
 * Whether two JSON values are equal: objects whatever the order of their members, absent and undefined members alike,
 * numbers by value. Identical subtrees are not looked into. Any depth is fine.
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

/** Compares all but the children, which go on the stack. */
function equalOutside(left: unknown, right: unknown, open: unknown[]): boolean {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    for (let i = 0; i < left.length; i++) open.push(left[i], right[i]);
    return true;
  }
  const [a, b] = [left as Members, right as Members]; // objects, not lists
  let surplus = 0;
  for (const name in a) {
    const value = a[name];
    if (value === undefined) continue;
    const other = Object.hasOwn(b, name) ? b[name] : undefined;
    if (other === undefined) return false;
    surplus++;
    if (value !== other) open.push(value, other);
  }
  for (const name in b) if (b[name] !== undefined) surplus--;
  return surplus === 0;
}
