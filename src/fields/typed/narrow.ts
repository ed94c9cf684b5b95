import { namesOf } from '../../json/members.js';
import type { JsonValue } from '../../json/value.js';
import { setMember } from '../../schema/json-objects.js';
import type { Schema } from '../../schema/schema.js';
import { fieldElement, type PathElement } from '../paths/path-element.js';
import { branchFrom, EMPTY, isEmpty, type PathSet, SELF } from '../paths/path-set.js';
import { asFields, type FieldsSchema, hasOnlyLeaves, isNamed, memberSchema, membersIn } from './shape.js';

/** A value, with the fields that a manager owned of it before (`last`) and owns after the apply (`now`). */
export interface Owned {
  readonly value: JsonValue;
  readonly last: PathSet;
  readonly now: PathSet;
}

/** Smaller maps are not narrowed, because it would not save time. */
const MANY = 256;

/**
 * Drops the entries of large scalar maps that the manager owned before and still owns. Pruning never removes such an entry, and nothing is
 * below it. One entry of each map is kept, so that no map becomes empty. Only maps below struct properties alone are narrowed, because
 * these properties are owned with everything inside them.
 */
export function withoutUnchanged(schema: Schema, owned: Owned): Owned {
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

/** Narrows a struct property if both sets have fields inside it. */
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

/** Returns the leaves that are in only one of the sets, and the one that is kept. */
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
