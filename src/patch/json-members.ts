import type { JsonObject, JsonValue } from '../meta/json.js';

/** An object that this code made itself and may still fill. */
export interface MutableJsonObject {
  [name: string]: JsonValue | undefined;
}

/** Whether a value is a JSON list. */
export function isJsonList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** An own member, whatever its name; inherited ones (`constructor`) are none. */
export function memberOf(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Sets an own member, whatever its name: `__proto__` becomes data like any other. */
export function setMember(object: MutableJsonObject, name: string, value: JsonValue): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

/** Edits one object by copying it at the first change only. */
export interface ObjectEdit {
  readonly get: (name: string) => JsonValue | undefined;
  /** Does nothing when the member already is this very value. */
  readonly set: (name: string, value: JsonValue) => void;
  readonly remove: (name: string) => void;
  readonly names: () => readonly string[];
  /** The object itself when nothing changed. */
  readonly finish: () => JsonObject;
}

export function editObject(base: JsonObject): ObjectEdit {
  let copy: MutableJsonObject | undefined;
  return {
    get: (name) => memberOf(copy ?? base, name),
    set(name, value) {
      if (memberOf(copy ?? base, name) !== value) setMember((copy ??= { ...base }), name, value);
    },
    remove(name) {
      if (memberOf(copy ?? base, name) !== undefined) delete (copy ??= { ...base })[name];
    },
    names: () => Object.keys(copy ?? base),
    finish: () => copy ?? base,
  };
}
