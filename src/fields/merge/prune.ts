import { namesOf } from '../../json/members.js';
import type { JsonValue } from '../../json/value.js';
import { type Flow, settled } from '../../meta/flow.js';
import { setMember } from '../../schema/json-objects.js';
import type { Schema } from '../../schema/schema.js';
import { fieldElement, type PathElement } from '../paths/path-element.js';
import {
  asMember,
  branchFrom,
  difference,
  EMPTY,
  includes,
  intersection,
  isEmpty,
  makeBranch,
  type PathSet,
  pathSet,
  SELF,
  union,
  unionOfAll,
} from '../paths/path-set.js';
import { removeItems } from '../typed/remove-items.js';
import {
  asFields,
  type FieldsSchema,
  hasOnlyLeaves,
  isNamed,
  memberSchema,
  membersIn,
  schemaAt,
} from '../typed/shape.js';
import { toFieldSetWithParents } from '../typed/to-field-set.js';
import { type Convert, inVersion, type Manager, type Managers, type Typed, withFields } from './managers.js';

/**
 * Removes the fields that the applying manager gave up and no other manager owns (spec 6.8). There are three steps:
 *
 *   1. everything that the manager owned before the apply (`last`) is removed;
 *   2. fields that any manager owns, in any version, are restored;
 *   3. fields that step 1 removed although the manager never owned them are restored.
 *
 * @param managers the managers after the apply; `self` is the id of the applying one
 */
export function* prune(
  merged: Typed,
  managers: Managers,
  self: string,
  last: Manager,
  convert: Convert,
  pause?: () => Promise<void>,
): Flow<Typed> {
  if (isEmpty(last.fields) || keepsEverything(managers.get(self), last)) return merged;
  const before = inVersion(merged, last.apiVersion, convert, `${FAILED}: ${OF_LAST}`);
  if (before === undefined) return merged;
  const narrowed = withoutObvious(before, managers, self, last);
  if (pause) yield* settled(pause());
  const gone = fieldsToRemove(narrowed.merged, narrowed.managers, narrowed.last, convert);
  if (pause) yield* settled(pause());
  const pruned = gone && withoutPaths(before, gone);
  return pruned === undefined ? merged : (inVersion(pruned, merged.apiVersion, convert, FAILED) ?? merged);
}

/**
 * Returns the merged object, the managers and `last` without the map entries that pruning cannot remove, because the manager owned them
 * before and still owns them (see `withoutUnchanged`). All three are returned unchanged if the managers have several versions.
 */
function withoutObvious(merged: Typed, managers: Managers, self: string, last: Manager) {
  const now = managers.get(self);
  const inOneVersion = [...managers.values()].every(({ apiVersion }) => apiVersion === merged.apiVersion);
  if (now === undefined || !inOneVersion) return { merged, managers, last };
  const left = withoutUnchanged(merged.schema, { value: merged.value, last: last.fields, now: now.fields });
  const others = new Map(managers).set(self, withFields(now, left.now));
  return { merged: { ...merged, value: left.value }, managers: others, last: withFields(last, left.last) };
}

/** Metadata is never removed, because an object without a name could not be converted. */
const METADATA: PathSet = pathSet([fieldElement('metadata')]);

/** Returns the fields to remove; undefined if the version of the merged object is not served. */
function fieldsToRemove(merged: Typed, managers: Managers, last: Manager, convert: Convert): PathSet | undefined {
  const lastFields = difference(withNamedParents(merged.schema, last.fields), METADATA);
  const removed = withoutPaths(merged, lastFields);
  const fieldsOf = fieldsOnce();
  const owned = addBackOwned(merged, removed, managers, convert, fieldsOf);
  return ownedRemovedFields(merged, owned, lastFields, convert, fieldsOf);
}

/** Returns whether the applying manager still owns all fields that it owned before. This is the common case: nothing is removed then. */
function keepsEverything(now: Manager | undefined, last: Manager): boolean {
  return now?.apiVersion === last.apiVersion && includes(now.fields, last.fields);
}

function addBackOwned(merged: Typed, pruned: Typed, managers: Managers, convert: Convert, fieldsOf: FieldsOf): Typed {
  let all = merged;
  let left = pruned;
  for (const [apiVersion, owned] of ownedByVersion(managers, merged.apiVersion)) {
    const allInVersion = inVersion(all, apiVersion, convert, `${OF_OWNED} merged object at version ${apiVersion}`);
    const leftInVersion = inVersion(left, apiVersion, convert, `${OF_OWNED} pruned object at version ${apiVersion}`);
    if (allInVersion === undefined || leftInVersion === undefined) continue;
    const keep = union(fieldsOf(leftInVersion), withNamedParents(allInVersion.schema, owned));
    all = allInVersion;
    left = withoutPaths(all, difference(fieldsOf(all), keep));
  }
  return left;
}

/**
 * Returns the owned fields by version. The version `first` comes first, because an object may need the fields that are restored in that
 * version before it can be converted to others.
 */
function ownedByVersion(managers: Managers, first: string): [apiVersion: string, owned: PathSet][] {
  const owned = new Map<string, PathSet[]>([[first, []]]);
  for (const { apiVersion, fields } of managers.values()) {
    const others = owned.get(apiVersion);
    if (others === undefined) owned.set(apiVersion, [fields]);
    else others.push(fields);
  }
  return [...owned].flatMap(([apiVersion, sets]) => (sets.length === 0 ? [] : [[apiVersion, unionOfAll(sets)]]));
}

/**
 * Returns the fields to remove: those that are missing in `pruned` and that the manager owned before. A field that is missing only because
 * it was inside a removed field is not among them, and so it is kept.
 */
function ownedRemovedFields(
  merged: Typed,
  pruned: Typed,
  lastFields: PathSet,
  convert: Convert,
  fieldsOf: FieldsOf,
): PathSet | undefined {
  const left = inVersion(pruned, merged.apiVersion, convert, `${FAILED}: failed add back dangling items: ${OF_LAST}`);
  return left && intersection(difference(fieldsOf(merged), fieldsOf(left)), lastFields);
}

/** Returns the fields of an object with the structs above them; they are computed once per object. */
type FieldsOf = (object: Typed) => PathSet;
function fieldsOnce(): FieldsOf {
  const known = new Map<Typed, PathSet>();
  return (object) => {
    const fields = known.get(object) ?? toFieldSetWithParents(object.schema, object.value);
    known.set(object, fields);
    return fields;
  };
}
function withoutPaths(object: Typed, paths: PathSet): Typed {
  const value = removeItems(object.schema, object.value, paths);
  return value === object.value ? object : { ...object, value };
}

// These are the first words of upstream's messages about conversion errors.
const FAILED = 'failed to prune fields';
const OF_LAST = 'failed to convert merged object to last applied version';
const OF_OWNED = `${FAILED}: failed add back owned items: failed to convert`;

/** A value, with the fields inside it that the applying manager owned before the apply (`last`) and owns after it (`now`). */
interface Owned {
  readonly value: JsonValue;
  readonly last: PathSet;
  readonly now: PathSet;
}

/** A map with at most this number of unchanged entries keeps them, because removing them would not save time. */
const MANY = 256;

/**
 * Drops the entries of large scalar maps that the manager owned before and still owns. Pruning never removes such an entry, and no fields
 * are below it. One entry of each map is kept, so that the map does not become empty, and the structs above it still count as owned. Maps
 * inside list items or inside other maps are not changed.
 */
function withoutUnchanged(schema: Schema, owned: Owned): Owned {
  const { value, last, now } = owned;
  const fields = asFields(schema, value);
  if (fields === undefined) return owned;
  if (hasOnlyLeaves(schema)) return withoutUnchangedEntries(owned);
  const members = membersIn(value);
  let narrowed: Narrowed | undefined;
  for (const name in members) {
    const inside = innerOf(fields, name, members[name], last, now);
    if (inside === undefined) continue;
    const left = withoutUnchanged(memberSchema(fields, name), inside);
    if (left === inside) continue;
    narrowed ??= { value: { ...members }, last: { ...last }, now: { ...now } };
    const element = fieldElement(name);
    narrowed.value[name] = left.value;
    narrowed.last[element] = left.last;
    narrowed.now[element] = left.now;
  }
  return narrowed ?? owned;
}

interface Narrowed extends Owned {
  readonly value: Record<string, JsonValue | undefined>;
  readonly last: Record<string, PathSet>;
  readonly now: Record<string, PathSet>;
}

/**
 * Returns the value of a struct property with the subtrees of `last` and `now` below the property; undefined if either subtree is empty or
 * absent.
 */
function innerOf(
  schema: FieldsSchema,
  name: string,
  value: JsonValue | undefined,
  last: PathSet,
  now: PathSet,
): Owned | undefined {
  if (typeof value !== 'object' || !isNamed(schema, name)) return undefined;
  const element = fieldElement(name);
  const before = last[element];
  const after = now[element];
  if (before === undefined || after === undefined || isEmpty(before) || isEmpty(after)) return undefined;
  return { value, last: before, now: after };
}

function withoutUnchangedEntries(owned: Owned): Owned {
  const { value, last, now } = owned;
  const members = membersIn(value);
  const rest: Record<string, JsonValue> = {};
  let kept: PathElement | undefined;
  let count = 0;
  for (const name of namesOf(members)) {
    const member = members[name];
    if (member === undefined) continue;
    const element = fieldElement(name);
    if (isLeafOf(last, element) && isLeafOf(now, element)) {
      count++;
      if (kept !== undefined) continue;
      kept = element;
    }
    setMember(rest, name, member);
  }
  if (kept === undefined || count <= MANY) return owned;
  return { value: rest, last: withoutShared(last, now, kept), now: withoutShared(now, last, kept) };
}

function isLeafOf(set: PathSet, element: PathElement): boolean {
  const branch = set[element];
  return branch !== undefined && isEmpty(branch);
}

/** Returns `set` without the leaves that `other` also contains. The leaf `kept` stays in any case. */
function withoutShared(set: PathSet, other: PathSet, kept: PathElement): PathSet {
  const elements: PathElement[] = [];
  for (const element of namesOf(set)) {
    if (element === SELF || element === kept || !isLeafOf(set, element) || !isLeafOf(other, element))
      elements.push(element);
  }
  return branchFrom(
    elements,
    elements.map((element) => set[element] ?? EMPTY),
  );
}

/**
 * Returns the set with every struct property above a member: for `.spec.a.b` also `.spec` and `.spec.a`. A manager that owns a field inside
 * a struct keeps the struct alive, although its set does not contain the struct. Entries of maps and items of lists are in the set only if
 * they are owned, and are not added.
 */
export function withNamedParents(schema: Schema | undefined, set: PathSet): PathSet {
  if (schema === undefined || hasOnlyLeaves(schema)) return set;
  const parts: Record<PathElement, PathSet> = {};
  for (const element in set) {
    const branch = set[element] ?? EMPTY;
    if (element === SELF || isEmpty(branch)) {
      parts[element] = branch;
      continue;
    }
    const filled = withNamedParents(schemaAt(schema, element), branch);
    const isProperty = schema.type === 'object' && element[0] === 'f' && isNamed(schema, element.slice(2));
    parts[element] = isProperty ? asMember(filled) : filled;
  }
  return makeBranch(parts) ?? EMPTY;
}
