import {
  difference,
  EMPTY,
  equals,
  intersection,
  isEmpty,
  type PathSet,
  recursiveDifference,
  union,
} from '../paths/path-set.js';
import { type Comparison, compare, excludeFields } from '../typed/compare.js';
import { reconcile } from '../typed/reconcile.js';
import { type Manager, type Managers, withFields } from './managers.js';
import { type Convert, inVersion, type ResetFields, type Typed } from './versions.js';

/** The rules that apply and other writes share. */
export interface WriteRules {
  readonly convert: Convert;
  readonly resetFields: ResetFields;
}

/** The fields of a manager that another manager changed. */
export interface LostFields {
  readonly manager: Manager;
  readonly fields: PathSet;
}

/** The effect of a write on the owners. */
export interface Transfer {
  readonly losses: readonly LostFields[];
  /** All managers without the fields they lost; a map that the caller may change. */
  readonly managers: Map<string, Manager>;
  /** The changes, in the version of the write. */
  readonly comparison: Comparison;
}

/** The managers after a write other than apply. */
export interface Tracked {
  /** A map that the caller may change. */
  readonly managers: Map<string, Manager>;
  /** The fields that the writer owns because it changed or added them in this write. */
  readonly gained: PathSet;
}

/**
 * Tracks a write other than apply: the writer becomes the only owner of the fields that it changes or adds; removed fields have no owner
 * (spec 6.8). The writer is `self`, with its id as key in `managers`.
 * @param neverOwned fields that no manager can gain
 */
export function trackUpdate(
  live: Typed,
  next: Typed,
  managers: Managers,
  self: { readonly id: string; readonly manager: Omit<Manager, 'fields'> },
  rules: WriteRules,
  neverOwned = EMPTY,
): Tracked {
  const { managers: tracked, comparison } = transfer(live, next, fitManagers(live, managers, rules), self.id, rules);
  const changed = union(comparison.modified, comparison.added);
  const gained = difference(recursiveDifference(changed, rules.resetFields(next.apiVersion)), neverOwned);
  const writer = tracked.get(self.id) ?? { ...self.manager, fields: EMPTY };
  const retained = difference(difference(writer.fields, comparison.removed), difference(changed, gained));
  const fields = union(retained, gained);
  if (isEmpty(fields)) tracked.delete(self.id);
  // A writer that changes only fields it owns keeps the same set object, so that equal records are shared.
  else tracked.set(self.id, withFields(writer, equals(writer.fields, fields) ? writer.fields : fields));
  return { managers: tracked, gained };
}

/** Compares the object before and after in each manager's own version, and removes the changed fields from all managers except `self`. */
export function transfer(live: Typed, next: Typed, managers: Managers, self: string, rules: WriteRules): Transfer {
  const inVersion = comparisons(live, next, rules);
  const { comparison } = inVersion(next.apiVersion) ?? NOTHING;
  // The cost of `intersection` is that of its second set: with few managers this is the changes, with many it is each manager's own set.
  const few = managers.size <= FEW_MANAGERS;
  const losses: LostFields[] = [];
  const left = new Map<string, Manager>();
  for (const [id, manager] of managers) {
    const changes = id === self ? undefined : inVersion(manager.apiVersion);
    if (id === self) left.set(id, manager);
    if (changes === undefined) continue; // Also drops those whose version is no longer served.
    const { changed, comparison: theirs } = changes;
    const lost = few ? intersection(manager.fields, changed) : intersection(changed, manager.fields);
    if (!isEmpty(lost)) losses.push({ manager, fields: lost });
    const fields = difference(difference(manager.fields, lost), theirs.removed);
    if (!isEmpty(fields)) left.set(id, withFields(manager, fields));
  }
  if (isEmpty(left.get(self)?.fields ?? EMPTY)) left.delete(self);
  return { losses, managers: left, comparison };
}

const FEW_MANAGERS = 16;

/** A comparison, and its added and modified fields together. */
interface VersionedChanges {
  readonly comparison: Comparison;
  readonly changed: PathSet;
}
const NOTHING: VersionedChanges = { comparison: { added: EMPTY, modified: EMPTY, removed: EMPTY }, changed: EMPTY };

/** Returns a function that compares the objects in a version, once per version; it returns undefined when the version is not served. */
function comparisons(live: Typed, next: Typed, { convert, resetFields }: WriteRules) {
  return oncePerVersion((apiVersion): VersionedChanges | undefined => {
    const before = inVersion(live, apiVersion, convert, 'failed to convert old object');
    const after = inVersion(next, apiVersion, convert, 'failed to convert new object');
    if (before === undefined || after === undefined) return undefined;
    const comparison = excludeFields(compare(after.schema, before.value, after.value), resetFields(apiVersion));
    return { comparison, changed: union(comparison.modified, comparison.added) };
  });
}

/** Caches a result per version. Most objects have managers of one version, so the last one is checked first. */
function oncePerVersion<T>(make: (apiVersion: string) => T): (apiVersion: string) => T {
  let last: { readonly apiVersion: string; readonly result: T } | undefined;
  let others: Map<string, T> | undefined;
  return (apiVersion) => {
    if (last?.apiVersion === apiVersion) return last.result;
    others ??= new Map();
    if (last !== undefined) others.set(last.apiVersion, last.result);
    const result = others.has(apiVersion) ? (others.get(apiVersion) as T) : make(apiVersion);
    last = { apiVersion, result };
    return result;
  };
}

/** Fits the sets to the current schemas; managers of versions that are not served are dropped. */
export function fitManagers(live: Typed, managers: Managers, { convert }: WriteRules): Managers {
  let fitted: Map<string, Manager> | undefined;
  const schemaIn = oncePerVersion((apiVersion) => convert(live, apiVersion)?.schema);
  for (const [id, manager] of managers) {
    const schema = manager.apiVersion === live.apiVersion ? live.schema : schemaIn(manager.apiVersion);
    const fitting = schema && withFields(manager, reconcile(schema, manager.fields));
    if (fitting === manager) continue;
    fitted ??= new Map(managers);
    if (fitting === undefined) fitted.delete(id);
    else fitted.set(id, fitting);
  }
  return fitted ?? managers;
}

/** Returns the same paths for every version. */
export function resetAlways(paths: PathSet): ResetFields {
  return () => paths;
}
