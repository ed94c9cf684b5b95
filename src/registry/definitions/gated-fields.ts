import type { FeatureGate, FeatureGates } from '../../meta/features/gates.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { edit, editOwn } from '../edit.js';
import type { Draft } from '../strategy.js';

/**
 * The fields of a gated feature. While the gate is off, a write drops the fields, unless the stored object already uses the feature. Paths
 * lead through lists to each item: `spec.containers.resizePolicy`. An empty list counts as absent.
 */
export interface GatedFields<Part = ApiObject> {
  /** The feature gate. If there are several, the fields are kept while at least one of them is on. */
  readonly gate: FeatureGate | readonly FeatureGate[];
  /** The path of the object or list in which the paths of `fields` and `usedBy` begin. Default: the object itself. */
  readonly within?: string;
  readonly fields: readonly string[];
  /**
   * Fields whose presence means that a stored object uses the feature. Default: `fields`. With [] the fields are dropped whatever the
   * stored object contains.
   */
  readonly usedBy?: readonly string[];
  /** The value that the fields are set to instead of being dropped. A field with this value does not use the feature. */
  readonly instead?: string;
  /** Whether the fields are dropped only from new objects. Updates need not drop immutable fields. */
  readonly onlyNew?: boolean;
  /**
   * Whether the fields are in the status. A write of the status then keeps them, and the next write to the main resource drops them from
   * the status.
   */
  readonly ofStatus?: boolean;
  /**
   * Replaces the default removal of the fields. It may run twice and must be idempotent. (It is declared as a method, whose parameters are
   * bivariant, so that `Part` may be of any type.)
   */
  drop?(draft: Draft<Part>): void;
}

/**
 * Returns copies of the gated fields with `within` set: the fields of a shared type (a pod template) for a kind that contains a value of
 * the type at that path.
 */
/* @__NO_SIDE_EFFECTS__ */
export function gatedWithin(within: string, fields: readonly GatedFields[]): readonly GatedFields[] {
  return fields.map((each) => ({ ...each, within }));
}

type Members = Record<string, unknown>;
type Path = readonly string[];

/** The paths of a {@link GatedFields}, split into member names. */
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
  if (Array.isArray(at)) {
    for (const item of at) if (someAtPath(item, path, visit, from)) return true;
    return false;
  }
  const name = path[from];
  if (name === undefined || typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return false;
  const holder = at as Members; // `at` is a non-null object that is not an array, so the cast is safe.
  return from === path.length - 1 ? visit(holder, name) : someAtPath(holder[name], path, visit, from + 1);
}

function has(part: unknown, paths: readonly Path[], { instead }: GatedFields): boolean {
  const isThere = (holder: Members, name: string) => {
    const value = holder[name];
    return value !== undefined && !(Array.isArray(value) && value.length === 0) && value !== instead;
  };
  for (const path of paths) if (someAtPath(part, path, isThere)) return true;
  return false;
}

/** Returns the value at the path `within`, where the paths of gated fields begin; undefined when it is absent. */
const partOf = (object: unknown, within: Path): unknown =>
  within.reduce<unknown>((at, name) => (at as Members | undefined)?.[name], object);

/**
 * Returns the object without the fields of features that are off (spec 18.5); the same object when it has none of them.
 * @param old the stored object before the write; undefined for a new object, which is not shared yet and is edited in place.
 */
export function dropGated(
  object: ApiObject,
  old: ApiObject | undefined,
  all: readonly GatedFields[],
  gates: FeatureGates,
): ApiObject {
  const off: GatedFields[] = [];
  for (const gated of all) {
    const { gate, onlyNew } = gated;
    if ((typeof gate === 'string' ? [gate] : gate).some((name) => gates[name]) || (onlyNew && old)) continue;
    const { within, fields, usedBy } = pathsOf(gated);
    if (has(partOf(object, within), fields, gated) && !(old && has(partOf(old, within), usedBy, gated)))
      off.push(gated);
  }
  if (off.length === 0) return object;
  const change = old ? edit<ApiObject> : editOwn<ApiObject>;
  return change(object, (draft) => {
    for (const gated of off) drop(partOf(draft, pathsOf(gated).within), gated);
  });
}

function drop(part: unknown, gated: GatedFields): void {
  if (gated.drop) {
    // `drop` is declared for the type of the value at `within`, so the cast is safe.
    gated.drop(part as Draft<ApiObject>);
    return;
  }
  for (const path of pathsOf(gated).fields)
    someAtPath(part, path, (holder, name) => {
      if (gated.instead === undefined) delete holder[name];
      else if (holder[name] !== undefined) holder[name] = gated.instead;
      return false;
    });
}
