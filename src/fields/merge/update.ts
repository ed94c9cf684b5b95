import { equalJson } from '../../json/equal.js';
import { compareText } from '../../json/order.js';
import { type ApiError, apiError } from '../../meta/api-error.js';
import { MAX_FIELD_ERRORS } from '../../meta/field-error.js';
import { type Flow, settled } from '../../meta/flow.js';
import type { StatusCause } from '../../meta/status.js';
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
  inVersion,
  type Manager,
  type Managers,
  managerId,
  NEVER_OWNED,
  ownerOf,
  type Typed,
  type WriteRules,
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
  const before = fitManagers(live, managers, rules);
  const last = before.get(self.id);
  const { schema, apiVersion } = live;
  const merged = { schema, apiVersion, value: merge(schema, live.value, applied.value) };
  if (pause) yield* settled(pause());
  // Pruning needs the fields that the manager will own. A manager's first apply prunes nothing, so its fields are determined only after the
  // check for conflicts.
  let owner = last && (yield* ownerAfter(applied, self.manager, last, rules, pause));
  const left =
    last && owner
      ? yield* prune(merged, new Map(before).set(self.id, owner), self.id, last, rules.convert, pause)
      : merged;
  const pruned =
    rules.keepsEmptied && left !== merged
      ? { schema, apiVersion, value: restoreEmptied(schema, left.value, applied.value) }
      : left;
  if (pause) yield* settled(pause());
  const { losses } = lossesOf(live, pruned, before, self.id, rules);
  if (pause) yield* settled(pause());
  const conflicts = force ? [] : conflictsOf(losses);
  if (conflicts.length > 0) return { conflicts };
  owner ??= yield* ownerAfter(applied, self.manager, last, rules, pause);
  const after = managersAfter(losses);
  if (isEmpty(owner.fields)) after.delete(self.id);
  else after.set(self.id, owner);
  return { object: equalJson(pruned.value, live.value) ? live : pruned, managers: after };
}

/** Returns the applying manager with the fields that it owns after the apply. `last` is the manager as its last apply left it. */
function* ownerAfter(
  { schema, apiVersion, value }: Typed,
  self: Omit<Manager, 'fields'>,
  last: Manager | undefined,
  { resetFields }: WriteRules,
  pause: (() => Promise<void>) | undefined,
): Flow<Manager> {
  const same = last?.apiVersion === apiVersion && hasFieldSet(schema, value, last.fields, NEVER_OWNED);
  if (pause) yield* settled(pause());
  const owned = same ? last.fields : toFieldSet(schema, value);
  if (pause) yield* settled(pause());
  return ownerOf(self, recursiveDifference(owned, resetFields(apiVersion)), last?.time);
}

/** What one manager loses by a write. */
interface Loss {
  readonly id: string;
  readonly manager: Manager;
  /** The fields of the manager that the write changes. An apply without `force` conflicts with the manager about them. */
  readonly changed: PathSet;
  /** The fields that the write removes, which have no owner afterwards. */
  readonly removed: PathSet;
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
  const { losses, comparison } = lossesOf(live, next, fitManagers(live, managers, rules), self.id, rules);
  const tracked = managersAfter(losses);
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
 * Compares the object before and after a write in each manager's own version. Returns the loss of each manager, and the differences in the
 * version of the write. The writer `self` loses nothing, and managers whose version is no longer served are left out.
 */
function lossesOf(
  live: Typed,
  next: Typed,
  managers: Managers,
  self: string,
  rules: WriteRules,
): { readonly losses: readonly Loss[]; readonly comparison: Comparison } {
  const own = changesInVersion(live, next, next.apiVersion, rules);
  // Most objects have managers of one version only.
  let others: Map<string, VersionedChanges | undefined> | undefined;
  // The time that `intersection` takes is proportional to the size of its second set. With few managers the changes are usually smaller
  // than each manager's set; with many managers they are usually larger.
  const few = managers.size <= FEW_MANAGERS;
  const losses: Loss[] = [];
  for (const [id, manager] of managers) {
    if (id === self) {
      losses.push({ id, manager, changed: EMPTY, removed: EMPTY });
      continue;
    }
    const { apiVersion } = manager;
    let changes = apiVersion === next.apiVersion ? own : others?.get(apiVersion);
    if (apiVersion !== next.apiVersion && !others?.has(apiVersion)) {
      changes = changesInVersion(live, next, apiVersion, rules);
      (others ??= new Map()).set(apiVersion, changes);
    }
    if (changes === undefined) continue;
    const changed = few ? intersection(manager.fields, changes.changed) : intersection(changes.changed, manager.fields);
    losses.push({ id, manager, changed, removed: changes.comparison.removed });
  }
  return { losses, comparison: (own ?? NOTHING).comparison };
}

/** Returns the managers without the fields that they lose; a map that the caller may change. */
function managersAfter(losses: readonly Loss[]): Map<string, Manager> {
  const managers = new Map<string, Manager>();
  for (const { id, manager, changed, removed } of losses) {
    const fields = difference(difference(manager.fields, changed), removed);
    if (!isEmpty(fields)) managers.set(id, withFields(manager, fields));
  }
  return managers;
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
function conflictsOf(losses: readonly Loss[]): Conflict[] {
  const conflicts: Conflict[] = [];
  for (const { manager, changed } of losses) for (const path of pathsOf(changed)) conflicts.push({ manager, path });
  return conflicts;
}

/** Compares conflicts by field manager; the conflicts with one manager keep their order. */
function compareConflicts({ manager: a }: Conflict, { manager: b }: Conflict): number {
  return a === b ? 0 : compareText(managerId(a), managerId(b));
}

/** Returns the error for an apply with conflicts: 409 with one cause per path, ordered by managers and paths (spec 6.12). */
export function conflictError(conflicts: readonly Conflict[]): ApiError {
  const sorted = conflicts.toSorted(compareConflicts);
  const causes: StatusCause[] = [];
  const lines: string[] = [];
  let current: Manager | undefined;
  let owner = '';
  for (const { manager, path } of sorted.slice(0, MAX_FIELD_ERRORS)) {
    if (manager !== current) {
      owner = formatManager(manager);
      lines.push(`conflicts with ${owner}:`);
    }
    current = manager;
    const field = formatPath(path);
    lines.push(`- ${field}`);
    causes.push({ reason: 'FieldManagerConflict', message: `conflict with ${owner}`, field });
  }
  if (sorted.length > MAX_FIELD_ERRORS) lines.push(`and ${sorted.length - MAX_FIELD_ERRORS} more`);
  const [only] = causes;
  return apiError.applyConflict(
    only && sorted.length === 1
      ? `Apply failed with 1 conflict: ${only.message}: ${only.field}`
      : `Apply failed with ${sorted.length} conflicts: ${lines.join('\n')}`,
    causes,
  );
}

/** Formats a field manager for messages: `"name" with subresource "status" using v1`. Only managers that update show the version. */
function formatManager({ name, operation, subresource, apiVersion }: Manager): string {
  const where = subresource === '' ? '' : ` with subresource ${quote(subresource)}`;
  return quote(name) + where + (operation === 'Update' ? ` using ${apiVersion}` : '');
}
