import { hasNoMembers, namesOf, notedNames } from '../../json/members.js';
import type { JsonValue } from '../../json/value.js';
import type { Schema } from '../../schema/schema.js';
import { fieldElement } from '../paths/path-element.js';
import { isEmpty, isMember, type PathSet } from '../paths/path-set.js';
import { itemElement } from './item-element.js';
import { asFields, asItems, isNamed, itemsIn, memberSchema, membersIn } from './shape.js';

/**
 * Returns whether a value has exactly the fields in a set, apart from those in `ignored`. It is equivalent to a comparison with
 * `toFieldSet(schema, value)` but makes no set, because most applies repeat the same fields.
 */
export function hasFieldSet(schema: Schema, value: JsonValue, set: PathSet, ignored: PathSet): boolean {
  return speaksOf(schema, value, false, isEmpty(set) ? undefined : set, ignored);
}

/** Compares a value with its branch of the set; `member` is whether the value's own path must be in the set. */
function speaksOf(
  schema: Schema,
  value: JsonValue,
  member: boolean,
  branch: PathSet | undefined,
  ignored: PathSet | undefined,
): boolean {
  const fields = asFields(schema, value);
  const items = asItems(schema);
  if (fields === undefined && items === undefined) return branch !== undefined && isEmpty(branch);
  let found = 0;
  if (fields !== undefined) {
    const members = membersIn(value);
    for (const name of namesOf(members)) {
      const inside = members[name];
      if (inside === undefined) continue;
      const element = fieldElement(name);
      const below = branch?.[element];
      const ignoredBelow = ignored?.[element];
      if (below === undefined && ignoredBelow !== undefined && isEmpty(ignoredBelow)) continue;
      const own = (!isNamed(fields, name) || isNullOrEmptyObject(inside)) && !isIgnored(ignoredBelow);
      if (!speaksOf(memberSchema(fields, name), inside, own, below, ignoredBelow)) return false;
      if (below !== undefined) found++;
    }
  } else if (items !== undefined) {
    for (const item of itemsIn(value)) {
      const below = branch?.[itemElement(items, item)];
      if (below === undefined || !speaksOf(items.items, item, true, below, undefined)) return false;
      found++;
    }
  }
  return branch === undefined ? found === 0 && !member : isMember(branch) === member && countOf(branch) === found;
}

function isIgnored(branch: PathSet | undefined): boolean {
  return branch !== undefined && isMember(branch);
}
function isNullOrEmptyObject(value: JsonValue): boolean {
  return value === null || (typeof value === 'object' && !Array.isArray(value) && hasNoMembers(membersIn(value)));
}
function countOf(branch: PathSet): number {
  const many = notedNames(branch);
  let count = (branch['.'] === undefined ? 0 : -1) + (many?.length ?? 0);
  if (many !== undefined) return count;
  for (const _ in branch) count++;
  return count;
}
