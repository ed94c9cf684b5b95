import type { Schema } from '../../schema/schema.js';
import type { PathElement } from './path-element.js';
import { branchFrom, EMPTY, type PathSet } from './path-set.js';

/** The elements of a subtree under construction, and the subtree below each element. */
export interface Parts {
  readonly elements: PathElement[];
  readonly branches: PathSet[];
}

/**
 * Adds an element with the subtree below it, and creates the lists for the first element. An element that is added twice becomes a leaf.
 */
export function withPart(parts: Parts | undefined, element: PathElement, branch: PathSet): Parts {
  // Most subtrees have one element, and an array literal takes less memory than an array that grows.
  if (parts === undefined) return { elements: [element], branches: [branch] };
  parts.elements.push(element);
  parts.branches.push(branch);
  return parts;
}

interface RecentBranch {
  readonly parts: Parts;
  readonly branch: PathSet;
}
const recent = new WeakMap<Schema, RecentBranch[]>();
/**
 * The number of cached subtrees per schema. Objects that clients create from up to this many templates in turn still share their subtrees.
 */
const MAX_RECENT = 4;
/**
 * The maximum number of elements of a cached subtree. Larger subtrees and those that contain them are not cached, because a few large
 * objects would hold much memory forever.
 */
const MAX_PARTS = 256;

/**
 * Returns the subtree with the given elements, which may be in any order. The last few subtrees of a schema are cached and returned again
 * for equal elements. Objects of one kind mostly have the same fields, and so share their `fieldsV1` values. Cached subtrees are frozen.
 */
export function sharedBranch(schema: Schema, parts: Parts): PathSet {
  if (parts.elements.length === 0) return EMPTY;
  let recentBranches = recent.get(schema);
  if (recentBranches === undefined) recent.set(schema, (recentBranches = []));
  for (const known of recentBranches) if (isSame(known.parts, parts)) return known.branch;
  const branch = branchFrom(parts.elements, parts.branches);
  if (parts.elements.length > MAX_PARTS || !parts.branches.every(Object.isFrozen)) return branch;
  Object.freeze(branch);
  if (recentBranches.length === MAX_RECENT) recentBranches.pop();
  recentBranches.unshift({ parts, branch });
  return branch;
}

function isSame(a: Parts, b: Parts): boolean {
  const { length } = a.elements;
  if (length !== b.elements.length) return false;
  for (let i = 0; i < length; i++) if (a.branches[i] !== b.branches[i] || a.elements[i] !== b.elements[i]) return false;
  return true;
}
