import { hasNoMembers, isDeeperThan, namesOf, noteNames } from '../../json/members.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import { parsePathElement } from './path-element.js';
import { EMPTY, makeBranch, newParts, type PathSet } from './path-set.js';

/** The maximum nesting depth of an ownership record that can be read. */
export const MAX_DEPTH = 500;

// These records are known to be valid PathSets: this server wrote them, or it parsed them before and they are frozen. Records that are not
// frozen may still change.
const known = new WeakSet<object>();

/**
 * Reads an ownership record (spec 6.3). Returns the record itself if it has the exact form of a PathSet. All records that this server wrote
 * have that form. Elements of unknown kinds are dropped.
 * @throws SyntaxError when the record cannot be read.
 */
export function parseFieldsV1(record: JsonValue | undefined): PathSet {
  if (record === undefined || record === null) return EMPTY;
  if (!isJsonObject(record)) throw new SyntaxError('fields are no object');
  if (hasNoMembers(record)) return record as PathSet; // An empty record has no paths.
  if (known.has(record)) return record as PathSet; // A known record was checked before.
  if (isDeeperThan(record, MAX_DEPTH)) throw new SyntaxError('fields are nested too deeply');
  const set = parseBranch(record, true) ?? EMPTY;
  if (Object.isFrozen(set)) known.add(set);
  return set;
}

/**
 * Registers a set as a known ownership record, so that it is not parsed again, and returns it. Sets and ownership records have the same
 * form.
 */
export function formatFieldsV1(set: PathSet): JsonObject {
  known.add(set);
  return set;
}

function parseBranch(record: JsonValue | undefined, isRoot: boolean): PathSet | undefined {
  if (record === null || record === undefined) return EMPTY;
  if (!isJsonObject(record)) throw new SyntaxError('fields are no object');
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
  return noteNames(record as PathSet, written); // The branch equals the record, so the record itself can be used.
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
