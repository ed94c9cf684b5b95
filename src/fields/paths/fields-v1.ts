import { hasNoMembers, isDeeperThan, namesOf, noteNames } from '../../json/members.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import { parsePathElement } from './path-element.js';
import { EMPTY, makeBranch, newParts, type PathSet } from './path-set.js';

/** The maximum nesting depth of a `fieldsV1` value that can be read. */
export const MAX_DEPTH = 500;

// The `fieldsV1` values that need no parsing, because they are valid PathSets: this server wrote them, or it has parsed them and they are
// frozen. A value that is not frozen may still change after it was parsed.
const known = new WeakSet<object>();

/**
 * Reads a `fieldsV1` value (spec 6.3). Returns the value itself if it has the exact form of a PathSet, as all values that this server
 * wrote. Elements of unknown kinds are dropped.
 * @throws SyntaxError when the value cannot be read.
 */
export function parseFieldsV1(record: JsonValue | undefined): PathSet {
  if (record === undefined || record === null) return EMPTY;
  if (!isJsonObject(record)) throw new SyntaxError('the fields are not an object');
  // An empty value has no paths, and a known value was checked before, so the casts are safe.
  if (hasNoMembers(record)) return record as PathSet;
  if (known.has(record)) return record as PathSet;
  if (isDeeperThan(record, MAX_DEPTH)) throw new SyntaxError('fields are nested too deeply');
  const set = parseBranch(record, true) ?? EMPTY;
  if (Object.isFrozen(set)) known.add(set);
  return set;
}

/**
 * Returns a path set as a `fieldsV1` value. It is the set itself, because both have the same form. The set is registered as known, so that
 * {@link parseFieldsV1} does not parse it.
 */
export function formatFieldsV1(set: PathSet): JsonObject {
  known.add(set);
  return set;
}

function parseBranch(record: JsonValue | undefined, isRoot: boolean): PathSet | undefined {
  if (record === null || record === undefined) return EMPTY;
  if (!isJsonObject(record)) throw new SyntaxError('the fields are not an object');
  const written = namesOf(record);
  const parts = newParts(!isRoot && '.' in record);
  let isLeaf = true;
  for (const text of written) {
    const element = text === '.' ? undefined : parsePathElement(text);
    const branch = element === undefined ? undefined : parseBranch(record[text], false);
    if (element === undefined || branch === undefined) continue;
    parts[element] = branch;
    isLeaf = false;
  }
  const branch = isLeaf && !isRoot ? EMPTY : makeBranch(parts);
  if (branch === undefined || !isWrittenAs(branch, record, written)) return branch;
  // The parsed subtree equals the value as sent, so that value itself can be used as the path set.
  return noteNames(record as PathSet, written);
}

function isWrittenAs(branch: PathSet, record: JsonObject, written: readonly string[]): boolean {
  const elements = namesOf(branch);
  return (
    written.length === elements.length &&
    elements.every(
      (element, i) => element === written[i] && (branch[element] === record[element] || isSelf(element, record)),
    )
  );
}

function isSelf(element: string, record: JsonObject): boolean {
  return element === '.' && isJsonObject(record['.']) && hasNoMembers(record['.']);
}
