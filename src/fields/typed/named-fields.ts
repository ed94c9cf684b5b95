import type { Schema } from '../../schema/schema.js';
import type { PathElement } from '../paths/path-element.js';
import { asMember, EMPTY, isEmpty, makeBranch, type PathSet } from '../paths/path-set.js';
import { asFields, asItems, declaredMember, hasOnlyLeaves, isNamed } from './shape.js';

/**
 * The set with every struct property that lies on the way to a member: from `.spec.a.b` also `.spec` and `.spec.a`.
 * Whoever owns something in a struct keeps the struct alive, though sets do not say so. Entries of maps and items of
 * lists are said in the set where they are owned, and are not added.
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

/** The schema one step down a path; undefined where the path does not fit the schema. */
export function schemaAt(schema: Schema | undefined, element: PathElement): Schema | undefined {
  if (schema === undefined) return undefined;
  if (element[0] === 'f') {
    const fields = asFields(schema, null);
    return fields && declaredMember(fields, element.slice(2));
  }
  return asItems(schema)?.items;
}

function isNamedElement(schema: Schema | undefined, element: PathElement): boolean {
  return schema !== undefined && schema.type === 'object' && element[0] === 'f' && isNamed(schema, element.slice(2));
}
