import type { Schema } from '../../schema/schema.js';
import type { PathElement } from '../paths/path-element.js';
import { EMPTY, isEmpty, makeBranch, type PathSet } from '../paths/path-set.js';
import { schemaAt } from './named-fields.js';
import { hasOnlyLeaves } from './shape.js';

// Sets that fit a schema, cached so that each set is walked once.
const fitting = new WeakMap<Schema, WeakSet<PathSet>>();

/**
 * Fits a set that was written with an older schema to the current one: if a struct, map or list has become atomic, a manager of fields
 * inside it owns it as a whole. Types that have become granular need no change, and unknown fields stay. Returns `set` itself when it fits.
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
