import type { FeatureGates } from '../../meta/features/gates.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { GatedFields } from '../definitions/gated-fields.js';
import { edit, editOwn } from '../edit.js';
import type { Draft } from '../strategy.js';

type Members = Record<string, unknown>;
type Path = readonly string[];

/** The paths of gated fields, split into names. */
interface Paths {
  readonly within: Path;
  readonly fields: readonly Path[];
  readonly usedBy: readonly Path[];
}

const taken = new WeakMap<GatedFields, Paths>();

function pathsOf(gated: GatedFields): Paths {
  let paths = taken.get(gated);
  if (!paths) {
    const fields = gated.fields.map((path) => path.split('.'));
    const usedBy = gated.usedBy?.map((path) => path.split('.')) ?? fields;
    taken.set(gated, (paths = { within: gated.within?.split('.') ?? [], fields, usedBy }));
  }
  return paths;
}

/** Visits every member that a path leads to, until the visitor returns true. */
function someAtPath(at: unknown, path: Path, visit: (holder: Members, name: string) => boolean, from = 0): boolean {
  if (Array.isArray(at)) return at.some((item) => someAtPath(item, path, visit, from));
  const name = path[from];
  if (name === undefined || typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return false;
  const holder = at as Members; // checked above
  return from === path.length - 1 ? visit(holder, name) : someAtPath(holder[name], path, visit, from + 1);
}

function has(part: unknown, paths: readonly Path[], { instead }: GatedFields): boolean {
  const isThere = (holder: Members, name: string) => {
    const value = holder[name];
    return value !== undefined && !(Array.isArray(value) && value.length === 0) && value !== instead;
  };
  return paths.some((path) => someAtPath(part, path, isThere));
}

/** Returns the part of an object that paths begin at; undefined when it is absent. */
const partOf = (object: unknown, within: Path): unknown =>
  within.reduce<unknown>((at, name) => (at as Members | undefined)?.[name], object);

/**
 * Returns the object without the fields of features that are off (spec 18.5); the same object when it has none of them.
 * @param old the stored object before the write; undefined for a new object, which is not shared yet and is edited in place.
 */
export function dropGated(
  object: ApiObject,
  old: ApiObject | undefined,
  all: readonly GatedFields[] | undefined,
  gates: FeatureGates,
): ApiObject {
  const off = all?.filter((gated) => {
    const { gate, onlyNew } = gated;
    if ((typeof gate === 'string' ? [gate] : gate).some((name) => gates[name]) || (onlyNew && old)) return false;
    const { within, fields, usedBy } = pathsOf(gated);
    return has(partOf(object, within), fields, gated) && !(old && has(partOf(old, within), usedBy, gated));
  });
  if (!off || off.length === 0) return object;
  const change = old ? edit<ApiObject> : editOwn<ApiObject>;
  return change(object, (draft) => {
    for (const gated of off) drop(partOf(draft, pathsOf(gated).within), gated);
  });
}

function drop(part: unknown, gated: GatedFields): void {
  if (gated.drop) {
    gated.drop(part as Draft<ApiObject>); // `drop` is declared for this part
    return;
  }
  for (const path of pathsOf(gated).fields)
    someAtPath(part, path, (holder, name) => {
      if (gated.instead === undefined) delete holder[name];
      else if (holder[name] !== undefined) holder[name] = gated.instead;
      return false;
    });
}
