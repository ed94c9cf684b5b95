import { type Flow, settled } from '../../meta/flow.js';
import { type Manager, type Managers, withFields } from '../merge/managers.js';
import { type Convert, inVersion, type Typed } from '../merge/versions.js';
import { fieldElement } from '../paths/path-element.js';
import {
  difference,
  includes,
  intersection,
  isEmpty,
  type PathSet,
  pathSet,
  union,
  unionOfAll,
} from '../paths/path-set.js';
import { withNamedParents } from './named-fields.js';
import { withoutUnchanged } from './narrow.js';
import { removeItems } from './remove-items.js';
import { toFieldSetWithParents } from './to-field-set.js';

/**
 * Removes the fields that the applying manager gave up and no other manager owns (spec 6.8). `managers` already contain its new set under
 * `self`; `last` is its old record. There are three steps:
 *
 *   1. everything in its old record is removed;
 *   2. fields that any manager owns, in any version, are restored;
 *   3. fields that step 1 removed although the manager never owned them are restored.
 */
export function* prune(
  merged: Typed,
  managers: Managers,
  self: string,
  last: Manager | undefined,
  convert: Convert,
  pause?: () => Promise<void>,
): Flow<Typed> {
  if (last === undefined || isEmpty(last.fields) || keepsEverything(managers.get(self), last)) return merged;
  const before = inVersion(merged, last.apiVersion, convert, `${FAILED}: ${OF_LAST}`);
  if (before === undefined) return merged;
  const narrowed = withoutObvious(before, managers, self, last);
  if (pause) yield* settled(pause());
  const gone = fieldsToRemove(narrowed.merged, narrowed.managers, narrowed.last, convert);
  if (pause) yield* settled(pause());
  const pruned = gone && withoutPaths(before, gone);
  return pruned === undefined ? merged : (inVersion(pruned, merged.apiVersion, convert, FAILED) ?? merged);
}

/** Returns the value and sets without the scalars that obviously stay, if all managers have the same version. */
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

/** Returns the fields to remove. */
function fieldsToRemove(merged: Typed, managers: Managers, last: Manager, convert: Convert): PathSet | undefined {
  const lastFields = difference(withNamedParents(merged.schema, last.fields), METADATA);
  const removed = withoutPaths(merged, lastFields);
  const fieldsOf = fieldsOnce();
  const owned = addBackOwned(merged, removed, managers, convert, fieldsOf);
  return ownedRemovedFields(merged, owned, lastFields, convert, fieldsOf);
}

/** Returns whether the manager still owns everything it owned, the common case, in which nothing is removed. */
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
 * Returns the owned fields by version. The pruned version comes first, because others may need the fields it restores to be convertible.
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

/** Returns the removed fields that the manager owned; the others, which were removed together with them, are restored. */
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

// Prefixes of conversion errors, as in the reference.
const FAILED = 'failed to prune fields';
const OF_LAST = 'failed to convert merged object to last applied version';
const OF_OWNED = `${FAILED}: failed add back owned items: failed to convert`;
