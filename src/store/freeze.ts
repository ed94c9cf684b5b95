import { MANY, notedNames, noteNames } from '../json/members.js';

/**
 * Freezes a value deeply and returns it. A frozen object is assumed to be deeply frozen, so objects that are shared with an earlier version
 * are not walked again. Cycles are allowed, and the nesting depth is not limited. Views on binary buffers cannot be frozen and stay as they
 * are.
 */
export function deepFreeze<T>(value: T): T {
  const open: object[] = [];
  freezeShallowly(value, open);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) for (const item of next) freezeShallowly(item, open);
    else freezeMembers(next, open);
  }
  return value;
}

/** Freezes the members of an object. The member names of a large object are cached, because later walks need them, too. */
function freezeMembers(object: object, open: object[]): void {
  const many = notedNames(object);
  if (many !== undefined) {
    for (const name of many) freezeShallowly(Reflect.get(object, name), open);
    return;
  }
  let count = 0;
  let isComplete = true;
  for (const name in object) {
    const member: unknown = Reflect.get(object, name);
    if (member === undefined) isComplete = false;
    freezeShallowly(member, open);
    count++;
  }
  if (isComplete && count > MANY) noteNames(object, Object.keys(object));
}

/** Freezes a value, and adds it to the list of objects whose own members are frozen later. */
function freezeShallowly(value: unknown, open: object[]): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value)) return;
  Object.freeze(value);
  open.push(value);
}
