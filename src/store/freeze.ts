import { MANY, notedNames, noteNames } from '../json/members.js';

/**
 * Freezes a value deeply and returns it. A frozen object is assumed to be deeply frozen, so objects that are shared with an earlier version
 * are not walked again. Cycles are allowed, and the nesting depth is not limited. Views on binary buffers cannot be frozen and stay as they
 * are.
 */
export function deepFreeze<T>(value: T): T {
  if (!isFreezable(value)) return value;
  Object.freeze(value);
  const open: object[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) for (const item of next) freezeLater(item, open);
    else freezeMembers(next, open);
  }
  return value;
}

/** Freezes the members of an object. The member names of a large object are cached, because later walks need them, too. */
function freezeMembers(object: object, open: object[]): void {
  const many = notedNames(object);
  if (many !== undefined) {
    for (const name of many) freezeLater(Reflect.get(object, name), open);
    return;
  }
  let count = 0;
  let isComplete = true;
  for (const name in object) {
    const member: unknown = Reflect.get(object, name);
    if (member === undefined) isComplete = false;
    freezeLater(member, open);
    count++;
  }
  if (isComplete && count > MANY) noteNames(object, Object.keys(object));
}

/** Freezes a member, and adds it to the list of objects whose own members are frozen later. */
function freezeLater(member: unknown, open: object[]): void {
  if (!isFreezable(member)) return;
  Object.freeze(member);
  open.push(member);
}

function isFreezable(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Object.isFrozen(value) && !ArrayBuffer.isView(value);
}
