import type { Schema } from '../../schema/schema.js';
import type { PathElement } from '../paths/path-element.js';
import { asMember, EMPTY, isEmpty, makeBranch, type PathSet } from '../paths/path-set.js';
import { asFields, asItems, declaredMember, hasOnlyLeaves, isNamed } from './shape.js';

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
