import { equalJson } from '../../json/equal.js';
import type { ApiObject, ObjectMeta } from '../../meta/object-meta.js';

/**
 * Returns whether two objects differ at most in the times of managedFields. A write that changes nothing else is skipped, and the
 * resourceVersion stays (spec 3.8).
 */
export function sameIgnoringOwnershipTimes(a: ApiObject, b: ApiObject): boolean {
  return a === b || (sameExcept(a, b, ['metadata']) && sameMetadata(a.metadata, b.metadata));
}

function sameMetadata(a: ObjectMeta, b: ObjectMeta): boolean {
  return a === b || (sameExcept(a, b, ['managedFields']) && sameOwners(a.managedFields, b.managedFields));
}

function sameOwners(a: ObjectMeta['managedFields'] = [], b: ObjectMeta['managedFields'] = []): boolean {
  return a === b || (a.length === b.length && a.every((entry, i) => sameExcept(entry, b[i] ?? {}, ['time'])));
}

/** Returns whether two objects are equal in all members except those in `except`. */
export function sameExcept(a: object, b: object, except: readonly string[]): boolean {
  for (const name in a) if (!except.includes(name) && !equalJson(memberOf(a, name), memberOf(b, name))) return false;
  for (const name in b) if (!except.includes(name) && !equalJson(memberOf(a, name), memberOf(b, name))) return false;
  return true;
}

function memberOf(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? (object as Readonly<Record<string, unknown>>)[name] : undefined;
}
