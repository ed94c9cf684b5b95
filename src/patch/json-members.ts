import { getOwn } from '../json/members.js';
import type { JsonObject, JsonValue } from '../json/value.js';
import { copyMembers, setMember } from '../schema/json-objects.js';

/** An object that this code has created and may change. */
export interface MutableJsonObject {
  [name: string]: JsonValue | undefined;
}

export function isJsonList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** An edit of one object. The object is copied at the first change. */
export interface ObjectEdit {
  readonly get: (name: string) => JsonValue | undefined;
  /** Sets a member. Does nothing when the member is already the identical value. */
  readonly set: (name: string, value: JsonValue) => void;
  readonly remove: (name: string) => void;
  readonly names: () => readonly string[];
  /** Returns the edited copy, or the original object itself when nothing changed. */
  readonly finish: () => JsonObject;
}

export function editObject(base: JsonObject): ObjectEdit {
  let copy: MutableJsonObject | undefined;
  return {
    get: (name) => getOwn(copy ?? base, name),
    set(name, value) {
      if (getOwn(copy ?? base, name) !== value) setMember((copy ??= copyMembers(base)), name, value);
    },
    remove(name) {
      if (getOwn(copy ?? base, name) !== undefined) delete (copy ??= copyMembers(base))[name];
    },
    names: () => Object.keys(copy ?? base),
    finish: () => copy ?? base,
  };
}
