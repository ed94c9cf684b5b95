import type { Schema } from '../../schema/schema.js';
import type { PathElement } from './path-element.js';
import { branchFrom, EMPTY, type PathSet } from './path-set.js';

/** The parts of a branch while they are gathered: elements and what lies at and below each, in pairs. */
export interface Parts {
  readonly elements: PathElement[];
  readonly branches: PathSet[];
}

/** Adds a part, to none at first; an element that is added twice becomes a leaf. */
export function withPart(parts: Parts | undefined, element: PathElement, branch: PathSet): Parts {
  // Mostly it stays at one: a list of its own length takes less than one that grows.
  if (parts === undefined) return { elements: [element], branches: [branch] };
  parts.elements.push(element);
  parts.branches.push(branch);
  return parts;
}

interface Made {
  readonly parts: Parts;
  readonly branch: PathSet;
}
const recent = new WeakMap<Schema, Made[]>();
/** As many branches of one schema are remembered; objects made from so many templates in turn still share theirs. */
const MAX_RECENT = 4;
/** Branches with more parts are not remembered, nor is what holds them: a few large objects would take much memory for ever. */
const MAX_PARTS = 256;

/**
 * A branch from its parts, which may come in any order. The schema's last few branches are remembered, and an equal one is
 * answered again: objects of one kind mostly have the same fields, and so share the records of who owns them. What is
 * remembered is frozen.
 */
export function sharedBranch(schema: Schema, parts: Parts): PathSet {
  if (parts.elements.length === 0) return EMPTY;
  let made = recent.get(schema);
  if (made === undefined) recent.set(schema, (made = []));
  for (const known of made) if (isSame(known.parts, parts)) return known.branch;
  const branch = branchFrom(parts.elements, parts.branches);
  if (parts.elements.length > MAX_PARTS || !parts.branches.every(Object.isFrozen)) return branch;
  Object.freeze(branch);
  if (made.length === MAX_RECENT) made.pop();
  made.unshift({ parts, branch });
  return branch;
}

function isSame(a: Parts, b: Parts): boolean {
  const { length } = a.elements;
  if (length !== b.elements.length) return false;
  for (let i = 0; i < length; i++) if (a.branches[i] !== b.branches[i] || a.elements[i] !== b.elements[i]) return false;
  return true;
}
