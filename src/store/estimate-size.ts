import { notedNames } from '../json/members.js';

/**
 * The maximum estimate in bytes. It is limited because a value can contain the same objects at so many places that walking it would never
 * end.
 */
const MAX_ESTIMATE = 64 * 1024 * 1024;

/**
 * Estimates how many bytes a JSON-like value holds in memory, without the parts that it shares with `other`: objects that both values
 * contain at the same path. Shared parts are not walked. The nesting depth is not limited, and the result is at most 64 MiB.
 */
export function estimateSize(value: unknown, other?: unknown): number {
  let bytes = 0;
  const open: unknown[] = [value, other];
  while (open.length > 0 && bytes < MAX_ESTIMATE) {
    const counterpart = open.pop();
    const part = open.pop();
    if (typeof part !== 'object' || part === null) bytes += sizeOfScalar(part);
    else if (part !== counterpart) bytes += 32 + sizeOfMembers(part, counterpart, open);
  }
  return Math.min(bytes, MAX_ESTIMATE);
}

const sizeOfScalar = (value: unknown) => (typeof value === 'string' ? 16 + value.length : 8);

/**
 * Pushes the members of `part` that are objects onto the stack `open`, each with the same member of `counterpart`. Returns the bytes of the
 * slots, the names and the scalar members.
 */
function sizeOfMembers(part: object, counterpart: unknown, open: unknown[]): number {
  if (ArrayBuffer.isView(part)) return part.byteLength;
  let bytes = 0;
  const add = (member: unknown, other: unknown): void => {
    bytes += 8;
    if (typeof member !== 'object' || member === null) bytes += sizeOfScalar(member);
    else if (member !== other) open.push(member, other);
  };
  if (Array.isArray(part)) {
    const others: readonly unknown[] = Array.isArray(counterpart) ? counterpart : [];
    for (let index = 0; index < part.length; index++) add(part[index], others[index]);
    return bytes;
  }
  // If `others` only inherits a member from its prototype, the value is counted in full, because it is never identical to a member of a
  // JSON value.
  const others: object = typeof counterpart === 'object' && counterpart !== null ? counterpart : NOTHING;
  const addNamed = (name: string): void => {
    bytes += name.length;
    add(Reflect.get(part, name), Reflect.get(others, name));
  };
  const many = notedNames(part);
  if (many === undefined) for (const name in part) addNamed(name);
  else for (const name of many) addNamed(name);
  return bytes;
}

const NOTHING = {};
