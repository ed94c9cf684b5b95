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

/** Compares all but the children, which go on the stack. */
function equalOutside(left: unknown, right: unknown, open: unknown[]): boolean {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    for (let i = 0; i < left.length; i++) open.push(left[i], right[i]);
    return true;
  }
  let surplus = 0;
  for (const [name, value] of Object.entries(left)) {
    if (value === undefined) continue;
    const other = Object.hasOwn(right, name) ? (right as Readonly<Record<string, unknown>>)[name] : undefined;
    if (other === undefined) return false;
    surplus++;
    open.push(value, other);
  }
  for (const value of Object.values(right)) if (value !== undefined) surplus--;
  return surplus === 0;
}
