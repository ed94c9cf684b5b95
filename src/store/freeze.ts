/**
 * Freezes a value all the way down and returns it. A frozen object is taken as frozen all the way down, so the cost is
 * that of what is new: parts shared with an earlier version are not walked again. Cycles and any depth are fine.
 * Views on binary buffers cannot be frozen and stay as they are.
 */
export function deepFreeze<T>(value: T): T {
  if (!isFreezable(value)) return value;
  Object.freeze(value);
  const open: object[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const members: readonly unknown[] = Array.isArray(next) ? next : Object.values(next);
    for (const member of members) {
      if (isFreezable(member)) {
        Object.freeze(member);
        open.push(member);
      }
    }
  }
  return value;
}

function isFreezable(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Object.isFrozen(value) && !ArrayBuffer.isView(value);
}
