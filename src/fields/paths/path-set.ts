import { equalJson } from '../../json/equal.js';
import { MANY, namesOf, notedNames, noteNames } from '../../json/members.js';
import { comparePathElements, elementOrder, fieldElement, type Path, type PathElement } from './path-element.js';

/**
 * An immutable set of paths. It is the same tree as FieldsV1 on the wire, so that `fieldsV1` values need no conversion when they are read
 * or written (spec 6.3):
 *
 *   { "f:data": { ".": {}, "f:a": {} }, "f:spec": { "f:b": {} }, "f:type": {} }
 *
 * holds `.data`, `.data.a`, `.spec.b` and `.type`, but not `.spec`. The value of each member is a subtree (`branch` in the code). The path
 * to a subtree is in the set if the subtree is empty or has the member `.`. Members are sorted, and no subtree is without paths, so equal
 * sets are equal as JSON. Operations share what they do not change: `union(a, b) === a` when b adds nothing.
 */
export interface PathSet {
  readonly [element: PathElement]: PathSet;
}

/** The empty set. As a subtree it is a leaf: its path is in the set, and there are no paths below. */
export const EMPTY: PathSet = Object.freeze({});

/** The element by which a subtree contains the path to itself. */
export const SELF = '.';

// The element names of large subtrees are cached (json/members.ts), because engines list the members of a large object slowly.

export function isEmpty(set: PathSet): boolean {
  if (set === EMPTY) return true;
  if (notedNames(set) !== undefined) return false;
  for (const _ in set) return false;
  return true;
}

/** Returns whether the path to a subtree is in the set. */
export function isMember(branch: PathSet): boolean {
  return branch[SELF] !== undefined || isEmpty(branch);
}

/** Returns the subtree with the member `.` if it needs one, so that the path to the subtree is in the set. */
export function asMember(branch: PathSet): PathSet {
  if (isMember(branch)) return branch;
  const many = notedNames(branch);
  return many === undefined ? { [SELF]: EMPTY, ...branch } : partOf(branch, [SELF, ...many]);
}

/** Returns the paths below a subtree as a set of their own, without the path to the subtree. */
export function below(branch: PathSet): PathSet {
  if (branch[SELF] === undefined) return branch;
  const many = notedNames(branch);
  if (many !== undefined)
    return partOf(
      branch,
      many.filter((element) => element !== SELF),
    );
  const { [SELF]: _, ...rest } = branch;
  return rest;
}

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

/**
 * Returns a subtree in which `branches[i]` is below `elements[i]`. The elements may be in any order; one that occurs twice becomes a leaf.
 */
export function branchFrom(elements: readonly PathElement[], branches: readonly PathSet[]): PathSet {
  if (elements.length > MANY) return largeBranchFrom(elements, branches);
  const parts: Record<PathElement, PathSet> = {};
  for (let i = 0; i < elements.length; i++) {
    const element = elements[i] as PathElement; // The index is in bounds, so the cast is safe.
    parts[element] = parts[element] === undefined ? (branches[i] ?? EMPTY) : EMPTY;
  }
  return makeBranch(parts) ?? EMPTY;
}

/**
 * Does the work of {@link branchFrom} for many elements. Sorting the elements first is cheaper than sorting the members of a large object
 * afterwards.
 */
function largeBranchFrom(elements: readonly PathElement[], branches: readonly PathSet[]): PathSet {
  const order = elementOrder(elements);
  const parts: Record<PathElement, PathSet> = {};
  const names: PathElement[] = [];
  for (let i = 0; i < elements.length; i++) {
    const place = order?.[i] ?? i;
    const element = elements[place] as PathElement; // The index is in bounds, so the cast is safe.
    const again = element === names.at(-1);
    parts[element] = again ? EMPTY : (branches[place] ?? EMPTY);
    if (!again) names.push(element);
  }
  return noteNames(parts, names);
}

/** Returns a subtree in which `branches[i]` is below `elements[i]`. The elements must be sorted. */
function branchInOrder(elements: readonly PathElement[], branches: readonly PathSet[]): Record<PathElement, PathSet> {
  const parts: Record<PathElement, PathSet> = {};
  // The index is in bounds, so the cast is safe.
  for (let i = 0; i < elements.length; i++) parts[elements[i] as PathElement] = branches[i] ?? EMPTY;
  return noteNames(parts, elements);
}

/** Returns the subtree with only some of its elements, which must be sorted. */
function partOf(branch: PathSet, elements: readonly PathElement[]): PathSet {
  return branchInOrder(
    elements,
    elements.map((element) => branch[element] ?? EMPTY),
  );
}

/** Builds a subtree from its members (path elements, each with the subtree below it) in any order; undefined when there are none. */
export function makeBranch(parts: Record<PathElement, PathSet>): PathSet | undefined {
  let previous: string | undefined;
  let sorted = true;
  let count = 0;
  for (const element in parts) {
    // With many elements it is cheaper to parse each one once than to compare them in pairs.
    if (count++ > MANY) break;
    if (previous !== undefined && previous !== SELF && comparePathElements(previous, element) > 0) sorted = false;
    previous = element;
  }
  if (previous === undefined) return undefined;
  if (previous === SELF && hasOnlySelf(parts)) return EMPTY;
  return sorted && count <= MANY ? parts : sortBranch(parts);
}
function hasOnlySelf(parts: PathSet): boolean {
  for (const element in parts) if (element !== SELF) return false;
  return true;
}

function sortBranch(parts: PathSet): PathSet {
  const elements = Object.keys(parts);
  if (elements.length <= MANY) return partOf(parts, elements.sort(comparePathElements));
  const order = elementOrder(elements);
  if (order === undefined) return noteNames(parts, elements);
  return partOf(
    parts,
    order.map((place) => elements[place] as PathElement), // The index is in bounds, so the cast is safe.
  );
}

/** Returns the set of the given paths. Parents are not members unless they are given, too. */
export function pathSet(...paths: readonly Path[]): PathSet {
  return unionOfAll(paths.filter((path) => path.length > 0).map(branchAt));
}
function branchAt([first, ...rest]: Path): PathSet {
  return first === undefined ? EMPTY : { [first]: branchAt(rest) };
}

/** Returns the set of plain field paths: `['status', 'spec.finalizers']`. */
export function fieldPathSet(paths: readonly string[]): PathSet {
  return pathSet(...paths.map((path) => path.split('.').map(fieldElement)));
}

export function has(set: PathSet, path: Path): boolean {
  if (path.length === 0) return false;
  let branch: PathSet | undefined = set;
  for (const element of path) {
    branch = branch[element];
    if (branch === undefined) return false;
  }
  return isMember(branch);
}

/** Returns whether every path of `part` is in `set`. */
export function includes(set: PathSet, part: PathSet): boolean {
  if (set === part) return true;
  const includesAt = (element: PathElement) => {
    if (element === SELF) return true;
    const theirs = part[element] ?? EMPTY;
    const ours = set[element];
    if (ours === undefined) return false;
    return ours === theirs || ((isMember(ours) || !isMember(theirs)) && includes(ours, theirs));
  };
  const many = notedNames(part);
  if (many !== undefined) return many.every(includesAt);
  for (const element in part) if (!includesAt(element)) return false;
  return true;
}

export function equals(a: PathSet, b: PathSet): boolean {
  return equalJson(a, b);
}

/** Returns the paths that are in either set. */
export function union(a: PathSet, b: PathSet): PathSet {
  if (isEmpty(a)) return b;
  if (notedNames(a) !== undefined || notedNames(b) !== undefined) return uniteLarge(a, b);
  let joined: Record<PathElement, PathSet> | undefined;
  for (const element in b) {
    const theirs = b[element] ?? EMPTY;
    const ours = a[element];
    const both = ours === undefined ? theirs : uniteBranches(ours, theirs);
    if (both !== ours) (joined ??= { ...a })[element] = both;
  }
  return joined === undefined ? a : (makeBranch(joined) ?? EMPTY);
}

function uniteLarge(a: PathSet, b: PathSet): PathSet {
  const elements = [...namesOf(a)];
  const branches = elements.map((element) => a[element] ?? EMPTY);
  let changed = false;
  for (const [i, element] of elements.entries()) {
    const ours = branches[i] ?? EMPTY;
    const theirs = b[element];
    const both = theirs === undefined ? ours : uniteBranches(ours, theirs);
    if (both === ours) continue;
    branches[i] = both;
    changed = true;
  }
  for (const element of namesOf(b)) {
    if (a[element] !== undefined) continue;
    elements.push(element);
    branches.push(b[element] ?? EMPTY);
    changed = true;
  }
  return changed ? branchFrom(elements, branches) : a;
}

/** Returns the paths that are in any of the sets. Unlike repeated {@link union}, it reads each set only once. */
export function unionOfAll(sets: readonly PathSet[]): PathSet {
  return uniteAll(sets.filter((set) => !isEmpty(set)));
}
function uniteAll(branches: readonly PathSet[]): PathSet {
  if (branches.length === 0) return EMPTY;
  const [first = EMPTY, second = first] = branches;
  if (branches.length <= 2) return uniteBranches(first, second);
  const inside = new Map<PathElement, PathSet[]>();
  let member = false;
  for (const branch of branches) {
    if (isMember(branch)) member = true;
    for (const element in branch) {
      if (element === SELF) continue;
      const part = branch[element] ?? EMPTY;
      const others = inside.get(element);
      if (others === undefined) inside.set(element, [part]);
      else if (others.at(-1) !== part) others.push(part); // Most equal leaves are the same object, which is added once.
    }
  }
  const parts: Record<PathElement, PathSet> = member ? { [SELF]: EMPTY } : {};
  for (const [element, several] of inside) parts[element] = uniteAll(several);
  return makeBranch(parts) ?? EMPTY;
}

function uniteBranches(ours: PathSet, theirs: PathSet): PathSet {
  if (ours === theirs) return ours;
  if (isEmpty(theirs)) return asMember(ours);
  return isEmpty(ours) ? asMember(theirs) : union(ours, theirs);
}

/** Returns the paths that are in both sets. The cost is proportional to the size of the second set. */
export function intersection(a: PathSet, b: PathSet): PathSet {
  return intersectBranches(a, b, false) ?? EMPTY;
}
function intersectBranches(a: PathSet, b: PathSet, member: boolean): PathSet | undefined {
  if (a === b) return a;
  const many = notedNames(b);
  if (many !== undefined) return intersectLarge(a, b, many, member);
  const common: Record<PathElement, PathSet> = member ? { [SELF]: EMPTY } : {};
  for (const element in b) {
    const ours = a[element];
    const theirs = b[element];
    if (element === SELF || ours === undefined || theirs === undefined) continue;
    const both = intersectBranches(ours, theirs, isMember(ours) && isMember(theirs));
    if (both !== undefined) common[element] = both;
  }
  return makeBranch(common);
}

function intersectLarge(a: PathSet, b: PathSet, many: readonly PathElement[], member: boolean): PathSet | undefined {
  const elements: PathElement[] = member ? [SELF] : [];
  const branches: PathSet[] = member ? [EMPTY] : [];
  let same = member === (b[SELF] !== undefined);
  for (const element of many) {
    if (element === SELF) continue;
    const ours = a[element];
    const theirs = b[element] ?? EMPTY;
    const both = ours && intersectBranches(ours, theirs, isMember(ours) && isMember(theirs));
    if (both !== theirs) same = false;
    if (both === undefined) continue;
    elements.push(element);
    branches.push(both);
  }
  if (same) return b;
  const common = branchInOrder(elements, branches);
  return elements.length > MANY ? common : makeBranch(common);
}

/** Returns the paths that are in `a` but not in `b`. A path in `b` does not remove the paths below it. */
export function difference(a: PathSet, b: PathSet): PathSet {
  return a === b ? EMPTY : subtract(a, b, subtractMember);
}

/** Returns the paths in `a` without the paths in `b` and all paths below them. */
export function recursiveDifference(a: PathSet, b: PathSet): PathSet {
  return subtract(a, b, subtractWhole);
}

type SubtractBranch = (ours: PathSet, theirs: PathSet) => PathSet | undefined;

function subtract(a: PathSet, b: PathSet, subtractBranch: SubtractBranch): PathSet {
  if (isEmpty(b)) return a;
  const many = notedNames(a);
  if (many !== undefined) return subtractLarge(a, many, b, subtractBranch);
  let rest: Record<PathElement, PathSet> | undefined;
  for (const element in a) {
    const ours = a[element] ?? EMPTY;
    const theirs = element === SELF ? undefined : b[element];
    const left = theirs === undefined ? ours : subtractBranch(ours, theirs);
    if (left !== ours) rest ??= partsBefore(a, element);
    if (rest !== undefined && left !== undefined) rest[element] = left;
  }
  return rest ?? a;
}
function subtractLarge(a: PathSet, many: readonly PathElement[], b: PathSet, subtractBranch: SubtractBranch): PathSet {
  const elements: PathElement[] = [];
  const branches: PathSet[] = [];
  let changed = false;
  for (const element of many) {
    const ours = a[element] ?? EMPTY;
    const theirs = element === SELF ? undefined : b[element];
    const left = theirs === undefined ? ours : subtractBranch(ours, theirs);
    if (left !== ours) changed = true;
    if (left === undefined) continue;
    elements.push(element);
    branches.push(left);
  }
  return changed ? branchInOrder(elements, branches) : a;
}
function partsBefore(set: PathSet, end: PathElement): Record<PathElement, PathSet> {
  const parts: Record<PathElement, PathSet> = {};
  for (const element in set) {
    if (element === end) break;
    parts[element] = set[element] ?? EMPTY;
  }
  return parts;
}

function subtractMember(ours: PathSet, theirs: PathSet): PathSet | undefined {
  const leaves = isMember(ours) && isMember(theirs);
  if (isEmpty(ours)) return leaves ? undefined : ours;
  const rest = subtract(ours, theirs, subtractMember);
  return normalizeBranch(leaves ? below(rest) : rest);
}

function subtractWhole(ours: PathSet, theirs: PathSet): PathSet | undefined {
  if (isMember(theirs)) return undefined;
  return isEmpty(ours) ? ours : normalizeBranch(subtract(ours, theirs, subtractWhole));
}

/** Returns the normal form of a subtree after a removal; undefined when it has no paths. */
function normalizeBranch(branch: PathSet): PathSet | undefined {
  if (branch[SELF] !== undefined) return hasOnlySelf(branch) ? EMPTY : branch;
  return isEmpty(branch) ? undefined : branch;
}

/** Returns only the paths that have no paths below them. */
export function leaves(set: PathSet): PathSet {
  const ends: Record<PathElement, PathSet> = {};
  for (const element in set) if (element !== SELF) ends[element] = leaves(set[element] ?? EMPTY);
  return ends;
}

/** Lists every path: at each level first the elements that are in the set, then the paths below them. */
export function pathsOf(set: PathSet, prefix: Path = [], paths: Path[] = []): Path[] {
  const elements = namesOf(set);
  for (const element of elements)
    if (element !== SELF && isMember(set[element] ?? EMPTY)) paths.push([...prefix, element]);
  for (const element of elements) if (element !== SELF) pathsOf(set[element] ?? EMPTY, [...prefix, element], paths);
  return paths;
}
