import type { Schema } from '../../schema/schema.js';
import type { PathElement } from '../paths/path-element.js';
import { asMember, EMPTY, isEmpty, makeBranch, type PathSet } from '../paths/path-set.js';
import { asFields, asItems, hasOnlyLeaves, isNamed, memberSchema, UNDECLARED } from './shape.js';

// Sets that fit a schema are cached, so that each set is walked only once.
const fitting = new WeakMap<Schema, WeakSet<PathSet>>();

/**
 * Fits a path set that was written with an older schema to the current schema. If a struct, map or list has become atomic, a field manager
 * that owns fields inside it becomes an owner of the whole value. Types that have become granular need no change, and unknown fields stay.
 * Returns `set` itself when it fits.
 */
export function reconcile(schema: Schema, set: PathSet): PathSet {
  const known = fitting.get(schema);
  if (known?.has(set)) return set;
  const reconciled = reconcileBelow(schema, set);
  if (Object.isFrozen(reconciled)) {
    if (known === undefined) fitting.set(schema, new WeakSet([reconciled]));
    else known.add(reconciled);
  }
  return reconciled;
}

function reconcileBelow(schema: Schema, set: PathSet): PathSet {
  if (hasOnlyLeaves(schema)) return set;
  let changed: Record<PathElement, PathSet> | undefined;
  for (const element in set) {
    const branch = set[element] ?? EMPTY;
    const inside = element === '.' || isEmpty(branch) ? undefined : schemaAt(schema, element);
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
    if (element === '.' || isEmpty(branch)) {
      parts[element] = branch;
      continue;
    }
    const filled = withNamedParents(schemaAt(schema, element), branch);
    parts[element] = isNamedElement(schema, element) ? asMember(filled) : filled;
  }
  return makeBranch(parts) ?? EMPTY;
}

/** Returns the schema one element down a path; undefined when the path does not fit the schema. */
function schemaAt(schema: Schema | undefined, element: PathElement): Schema | undefined {
  if (schema === undefined) return undefined;
  if (element[0] === 'f') {
    const fields = asFields(schema, null);
    const member = fields && memberSchema(fields, element.slice(2));
    return member === UNDECLARED ? undefined : member;
  }
  return asItems(schema)?.items;
}

function isNamedElement(schema: Schema | undefined, element: PathElement): boolean {
  return schema !== undefined && schema.type === 'object' && element[0] === 'f' && isNamed(schema, element.slice(2));
}
