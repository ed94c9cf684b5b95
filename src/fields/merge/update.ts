import { equalJson } from '../../json/equal.js';
import { compareText } from '../../json/order.js';
import { type ApiError, apiError } from '../../meta/api-error.js';
import { MAX_FIELD_ERRORS } from '../../meta/field-error.js';
import { type Flow, settled } from '../../meta/flow.js';
import type { Schema } from '../../schema/schema.js';
import { quote } from '../../values/quote.js';
import { formatPath, type Path, type PathElement } from '../paths/path-element.js';
import {
  difference,
  EMPTY,
  equals,
  intersection,
  isEmpty,
  makeBranch,
  type PathSet,
  pathsOf,
  recursiveDifference,
  SELF,
  union,
} from '../paths/path-set.js';
import { type Comparison, compare, excludeFields } from '../typed/compare.js';
import { merge, restoreEmptied } from '../typed/merge.js';
import { hasOnlyLeaves, schemaAt } from '../typed/shape.js';
import { hasFieldSet, toFieldSet } from '../typed/to-field-set.js';
import {
  type Convert,
  inVersion,
  type Manager,
  type Managers,
  managerId,
  NEVER_OWNED,
  ownerOf,
  type ResetFields,
  type Typed,
  withFields,
} from './managers.js';
import { prune } from './prune.js';

/** Rules of an apply, in addition to those of every write. */
interface ApplyRules extends WriteRules {
  /** Whether an applied empty map or list stays empty, rather than null or absent, after its former members are removed. Default false. */
  readonly keepsEmptied?: boolean;
}

/** The result of an apply, or its conflicts. */
export type ApplyResult =
  | {
      readonly conflicts: readonly Conflict[];
      readonly object?: undefined;
    }
  | {
      readonly conflicts?: undefined;
      /** The object to store. It is the live object itself if nothing changed. */
      readonly object: Typed;
      /** A map that the caller may change. */
      readonly managers: Map<string, Manager>;
    };

/**
 * Runs server-side apply (spec 6.8): merges the applied fields into the live object, removes the fields that the manager gave up and no
 * other manager owns, and updates the owners. To change a field of another manager is a conflict unless `force` is set; with `force` the
 * other manager loses the field. A field that is applied with its current value is shared.
 */
export function* applyFields(
  live: Typed,
  applied: Typed,
  managers: Managers,
  self: { readonly id: string; readonly manager: Omit<Manager, 'fields'> },
  force: boolean,
  rules: ApplyRules,
  pause?: () => Promise<void>,
): Flow<ApplyResult> {
  const before = new Map(fitManagers(live, managers, rules));
  const last = before.get(self.id);
  const { schema, apiVersion } = live;
  const merged = { schema, apiVersion, value: merge(schema, live.value, applied.value) };
  if (pause) yield* settled(pause());
  const same = last?.apiVersion === apiVersion && hasFieldSet(schema, applied.value, last.fields, NEVER_OWNED);
  if (pause) yield* settled(pause());
  const owned = same ? last.fields : toFieldSet(schema, applied.value);
  const fields = recursiveDifference(owned, rules.resetFields(apiVersion));
  before.set(self.id, ownerOf(self.manager, fields, last?.time));

  if (pause) yield* settled(pause());
  const left = last ? yield* prune(merged, before, self.id, last, rules.convert, pause) : merged;
  const pruned =
    rules.keepsEmptied && left !== merged
      ? { schema, apiVersion, value: restoreEmptied(schema, left.value, applied.value) }
      : left;
  if (pause) yield* settled(pause());
  const { losses, managers: after } = transfer(live, pruned, before, self.id, rules);
  if (pause) yield* settled(pause());
  if (losses.length > 0 && !force) return { conflicts: conflictsOf(losses) };
  return { object: equalJson(pruned.value, live.value) ? live : pruned, managers: after };
}

/** The rules that apply and other writes share. */
export interface WriteRules {
  readonly convert: Convert;
  readonly resetFields: ResetFields;
}

/** The fields that `manager` loses because another manager changed them. */
interface LostFields {
  readonly manager: Manager;
  readonly fields: PathSet;
}

/** The effect of a write on the owners. */
interface Transfer {
  readonly losses: readonly LostFields[];
  /** All managers without the fields they lost; a map that the caller may change. */
  readonly managers: Map<string, Manager>;
  /** The differences that the write makes, in the version of the write. */
  readonly comparison: Comparison;
}

/** The managers after a write other than apply. */
interface Tracked {
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
  // If the writer owned all the changed fields before, its present set object is kept instead of an equal new one, so that equal sets take
  // memory only once.
  else tracked.set(self.id, withFields(writer, equals(writer.fields, fields) ? writer.fields : fields));
  return { managers: tracked, gained };
}

/**
 * Compares the object before and after the write in each manager's own version. The changed and removed fields are taken from all managers
 * except `self`.
 */
function transfer(live: Typed, next: Typed, managers: Managers, self: string, rules: WriteRules): Transfer {
  const own = changesInVersion(live, next, next.apiVersion, rules);
  const { comparison } = own ?? NOTHING;
  // Most objects have managers of one version only.
  let others: Map<string, VersionedChanges | undefined> | undefined;
  // The time that `intersection` takes is proportional to the size of its second set. With few managers the changes are usually smaller
  // than each manager's set; with many managers they are usually larger.
  const few = managers.size <= FEW_MANAGERS;
  const losses: LostFields[] = [];
  const left = new Map<string, Manager>();
  for (const [id, manager] of managers) {
    if (id === self) {
      left.set(id, manager);
      continue;
    }
    const { apiVersion } = manager;
    let changes = apiVersion === next.apiVersion ? own : others?.get(apiVersion);
    if (apiVersion !== next.apiVersion && !others?.has(apiVersion)) {
      changes = changesInVersion(live, next, apiVersion, rules);
      (others ??= new Map()).set(apiVersion, changes);
    }
    if (changes === undefined) continue; // A manager whose version is no longer served is dropped.
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

/** The differences that the write makes in one version. `changed` contains the added and the modified fields. */
interface VersionedChanges {
  readonly comparison: Comparison;
  readonly changed: PathSet;
}
const NOTHING: VersionedChanges = { comparison: { added: EMPTY, modified: EMPTY, removed: EMPTY }, changed: EMPTY };

/** Compares the objects in a version; undefined when the version is not served. */
function changesInVersion(
  live: Typed,
  next: Typed,
  apiVersion: string,
  { convert, resetFields }: WriteRules,
): VersionedChanges | undefined {
  const before = inVersion(live, apiVersion, convert, 'failed to convert old object');
  const after = inVersion(next, apiVersion, convert, 'failed to convert new object');
  if (before === undefined || after === undefined) return undefined;
  const whole = compare(after.schema, before.value, after.value);
  const reset = resetFields(apiVersion);
  const comparison = reset === EMPTY ? whole : excludeFields(whole, reset);
  return { comparison, changed: union(comparison.modified, comparison.added) };
}

/**
 * Adapts the field sets of all managers to the current schemas, see {@link reconcile}. Managers of versions that are not served are
 * dropped.
 */
function fitManagers(live: Typed, managers: Managers, { convert }: WriteRules): Managers {
  let fitted: Map<string, Manager> | undefined;
  let schemas: Map<string, Schema | undefined> | undefined;
  for (const [id, manager] of managers) {
    const { apiVersion } = manager;
    let schema = apiVersion === live.apiVersion ? live.schema : schemas?.get(apiVersion);
    if (apiVersion !== live.apiVersion && !schemas?.has(apiVersion)) {
      schema = convert(live, apiVersion)?.schema;
      (schemas ??= new Map()).set(apiVersion, schema);
    }
    const fitting = schema && withFields(manager, reconcile(schema, manager.fields));
    if (fitting === manager) continue;
    fitted ??= new Map(managers);
    if (fitting === undefined) fitted.delete(id);
    else fitted.set(id, fitting);
  }
  return fitted ?? managers;
}

// Sets that fit a schema are cached, so that each set is walked only once.
const fittingSets = new WeakMap<Schema, WeakSet<PathSet>>();

/**
 * Fits a path set that was written with an older schema to the current schema. If a struct, map or list has become atomic, a field manager
 * that owns fields inside it becomes an owner of the whole value. Types that have become granular need no change, and unknown fields stay.
 * Returns `set` itself when it fits.
 */
export function reconcile(schema: Schema, set: PathSet): PathSet {
  const known = fittingSets.get(schema);
  if (known?.has(set)) return set;
  const reconciled = reconcileBelow(schema, set);
  if (Object.isFrozen(reconciled)) {
    if (known === undefined) fittingSets.set(schema, new WeakSet([reconciled]));
    else known.add(reconciled);
  }
  return reconciled;
}

function reconcileBelow(schema: Schema, set: PathSet): PathSet {
  if (hasOnlyLeaves(schema)) return set;
  let changed: Record<PathElement, PathSet> | undefined;
  for (const element in set) {
    const branch = set[element] ?? EMPTY;
    const inside = element === SELF || isEmpty(branch) ? undefined : schemaAt(schema, element);
    if (inside === undefined) continue;
    const fitted = isAtomic(inside) ? EMPTY : reconcileBelow(inside, branch);
    if (fitted !== branch) (changed ??= { ...set })[element] = fitted;
  }
  return changed === undefined ? set : (makeBranch(changed) ?? EMPTY);
}

function isAtomic(schema: Schema): boolean {
  switch (schema.type) {
    case 'object':
    case 'map':
      return schema.mapType === 'atomic';
    case 'list':
      return schema.listType === undefined || schema.listType === 'atomic';
    case 'any':
      return !schema.granular;
    default:
      return false;
  }
}

/** A field that an apply would change although another manager owns it. */
export interface Conflict {
  readonly manager: Manager;
  readonly path: Path;
}

/** Returns a conflict for each path that a manager would lose, in the order of each manager's paths. */
function conflictsOf(losses: readonly LostFields[]): Conflict[] {
  const conflicts: Conflict[] = [];
  for (const { manager, fields } of losses) for (const path of pathsOf(fields)) conflicts.push({ manager, path });
  return conflicts;
}

/** Compares conflicts by field manager; the conflicts with one manager keep their order. */
function compareConflicts({ manager: a }: Conflict, { manager: b }: Conflict): number {
  return a === b ? 0 : compareText(managerId(a), managerId(b));
}

/** Returns the error for an apply with conflicts: 409 with one cause per path, ordered by managers and paths (spec 6.12). */
export function conflictError(conflicts: readonly Conflict[]): ApiError {
  const sorted = conflicts.toSorted(compareConflicts);
  return apiError.applyConflict(
    conflictMessage(sorted),
    sorted.slice(0, MAX_FIELD_ERRORS).map(({ manager, path }) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${formatManager(manager)}`,
      field: formatPath(path),
    })),
  );
}

function conflictMessage(sorted: readonly Conflict[]): string {
  const [first] = sorted;
  if (first !== undefined && sorted.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${formatManager(first.manager)}: ${formatPath(first.path)}`;
  }
  const lines: string[] = [];
  let current: Manager | undefined;
  for (const { manager, path } of sorted.slice(0, MAX_FIELD_ERRORS)) {
    if (manager !== current) lines.push(`conflicts with ${formatManager(manager)}:`);
    current = manager;
    lines.push(`- ${formatPath(path)}`);
  }
  if (sorted.length > MAX_FIELD_ERRORS) lines.push(`and ${sorted.length - MAX_FIELD_ERRORS} more`);
  return `Apply failed with ${sorted.length} conflicts: ${lines.join('\n')}`;
}

/** Formats a field manager for messages: `"name" with subresource "status" using v1`. Only managers that update show the version. */
function formatManager({ name, operation, subresource, apiVersion }: Manager): string {
  const where = subresource === '' ? '' : ` with subresource ${quote(subresource)}`;
  return quote(name) + where + (operation === 'Update' ? ` using ${apiVersion}` : '');
}
