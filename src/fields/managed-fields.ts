import { hasNoMembers, isDeeperThan, namesOf, noteNames } from '../json/members.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.js';
import type { ManagedFieldsEntry } from '../meta/object-meta.js';
import { messageOf } from '../values/message-of.js';
import { quote } from '../values/quote.js';
import { type Manager, type Managers, managerId, NO_MANAGERS } from './merge/managers.js';
import { type PathElement, parsePathElement } from './paths/path-element.js';
import { EMPTY, makeBranch, type PathSet, SELF } from './paths/path-set.js';

/** Thrown for a `metadata.managedFields` that cannot be decoded. */
export class UndecodableManagedFields extends Error {}

/**
 * Reads `metadata.managedFields`. A `fieldsV1` that this server wrote is itself the set of fields, so it is not parsed.
 * @throws UndecodableManagedFields when any entry has no apiVersion, an unknown operation or fieldsType, or an invalid set of fields.
 */
export function decodeManagedFields(entries: readonly ManagedFieldsEntry[] | undefined): Managers {
  if (entries === undefined || entries.length === 0) return NO_MANAGERS;
  const managers = new Map<string, Manager>();
  for (const [i, entry] of entries.entries()) {
    const manager = decodeEntry(entry, i);
    managers.set(managerId(manager), manager);
  }
  return managers;
}

function decodeEntry(rawEntry: unknown, i: number): Manager {
  if (!isEntry(rawEntry)) throw new UndecodableManagedFields(`managed fields entry ${i} is not an object`);
  const { operation, apiVersion = '', fieldsType = '', manager = '', subresource = '', time } = rawEntry;
  if (operation !== 'Apply' && operation !== 'Update') {
    throw new UndecodableManagedFields('operation must be `Apply` or `Update`');
  }
  if (apiVersion === '') throw new UndecodableManagedFields('apiVersion must not be empty');
  if (fieldsType === '') throw new UndecodableManagedFields(`missing fieldsType in managed fields entry ${i}`);
  if (fieldsType !== 'FieldsV1') {
    throw new UndecodableManagedFields(`invalid fieldsType ${quote(fieldsType)} in managed fields entry ${i}`);
  }
  let fields: PathSet;
  try {
    fields = parseFieldsV1(rawEntry.fieldsV1);
  } catch (error) {
    throw new UndecodableManagedFields(`error decoding set: ${messageOf(error)}`);
  }
  const asWritten = fields === rawEntry.fieldsV1;
  return {
    name: manager,
    operation,
    apiVersion,
    subresource,
    ...(typeof time === 'string' ? { time } : {}),
    fields,
    ...(asWritten ? { entry: rawEntry } : {}),
  };
}

// The entries may come from a request that has not been validated yet, so each member may have any type.
function isEntry(value: unknown): value is ManagedFieldsEntry {
  if (!isJsonObject(value)) return false;
  const { manager = '', apiVersion = '', fieldsType = '', subresource = '' } = value;
  return (
    typeof manager === 'string' &&
    typeof apiVersion === 'string' &&
    typeof fieldsType === 'string' &&
    typeof subresource === 'string'
  );
}

/** Returns whether a value is a list of entries. As in upstream, one item that is not an entry makes the whole list unreadable. */
export const isEntryList = (value: unknown): boolean => Array.isArray(value) && value.every(isEntry);

/**
 * Encodes managers as `metadata.managedFields`: Apply before Update, older before newer, then by name, apiVersion and subresource
 * (spec 6.1). The entry object of an unchanged manager is reused, and `previous` itself is returned if all entries are unchanged. The
 * result is undefined when no manager owns anything.
 */
export function encodeManagedFields(
  managers: Managers,
  previous?: readonly ManagedFieldsEntry[],
): readonly ManagedFieldsEntry[] | undefined {
  if (managers.size === 0) return undefined;
  const entries: ManagedFieldsEntry[] = [];
  let same = previous?.length === managers.size;
  for (const manager of inOrder([...managers.values()])) {
    const before = previous?.[entries.length];
    const entry = sharedEntry(manager.entry ?? encodeEntry(manager), before);
    if (entry !== before) same = false;
    entries.push(entry);
  }
  return same ? previous : entries;
}

/** Sorts managers, unless they are in order already, as after most writes. */
function inOrder(managers: Manager[]): readonly Manager[] {
  const isOrdered = managers.every(
    (manager, i) => i === 0 || compareManagers(managers[i - 1] ?? manager, manager) <= 0,
  );
  return isOrdered ? managers : managers.sort(compareManagers);
}

function sharedEntry(entry: ManagedFieldsEntry, previous: ManagedFieldsEntry | undefined): ManagedFieldsEntry {
  if (previous === undefined || entry === previous) return entry;
  return ENTRY_MEMBERS.every((name) => entry[name] === previous[name]) ? previous : entry;
}
const ENTRY_MEMBERS = ['manager', 'operation', 'apiVersion', 'time', 'fieldsType', 'fieldsV1', 'subresource'] as const;

/** Returns a field manager as an entry of `metadata.managedFields`. */
export function encodeEntry({ name, operation, apiVersion, time, fields, subresource }: Manager): ManagedFieldsEntry {
  const entry: { -readonly [K in keyof ManagedFieldsEntry]: ManagedFieldsEntry[K] } = {};
  if (name !== '') entry.manager = name;
  entry.operation = operation;
  entry.apiVersion = apiVersion;
  if (time !== undefined) entry.time = time;
  entry.fieldsType = 'FieldsV1';
  // A path set has the form of a `fieldsV1` value, so it is written as it is and need not be parsed again.
  known.add(fields);
  entry.fieldsV1 = fields;
  if (subresource !== '') entry.subresource = subresource;
  return entry;
}

/** Compares entries of `metadata.managedFields` by the order in which {@link encodeManagedFields} returns them. */
export const compareEntries = (a: ManagedFieldsEntry, b: ManagedFieldsEntry): number =>
  compareManagers(writerIn(a), writerIn(b));

type Writer = Omit<Manager, 'fields' | 'entry'>;

const writerIn = (entry: ManagedFieldsEntry): Writer => {
  const { manager: name = '', operation = 'Update', apiVersion = '', subresource = '', time = '' } = entry;
  return { name, operation, apiVersion, subresource, time };
};

function compareManagers(a: Writer, b: Writer): number {
  return (
    compareCodes(a.operation, b.operation) ||
    compareTimes(a, b) ||
    compareCodes(a.name, b.name) ||
    compareCodes(a.apiVersion, b.apiVersion) ||
    compareCodes(a.subresource, b.subresource)
  );
}
function compareTimes(a: Writer, b: Writer): number {
  const { time: x = '' } = a;
  const { time: y = '' } = b;
  if (x === y) return 0;
  // Times in the format that this server writes can be compared as strings.
  return x.length === PLAIN.length && y.length === PLAIN.length ? compareCodes(x, y) : secondsOf(a) - secondsOf(b);
}
const PLAIN = '2006-01-02T15:04:05Z';
function compareCodes(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Returns the time of a field manager's entry in seconds since the epoch; 0 without a valid time. */
export function secondsOf({ time }: Pick<Manager, 'time'>): number {
  const milliseconds = time === undefined ? 0 : Date.parse(time);
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1000);
}

/**
 * Returns whether `managedFields` in a written object reset all owners (spec 19.3). A single empty entry always does; an empty list does if
 * `emptyListResets` is true.
 */
export function isReset(entries: readonly ManagedFieldsEntry[], emptyListResets: boolean): boolean {
  if (entries.length === 0) return emptyListResets;
  // The entries that a client sent are not validated yet, so they can have any type.
  const [only] = entries as readonly unknown[];
  return entries.length === 1 && isJsonObject(only) && hasNoMembers(only);
}

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
  // A known value was checked before, and an empty value has no paths, so the cast is safe.
  if (known.has(record) || hasNoMembers(record)) return record as PathSet;
  if (isDeeperThan(record, MAX_DEPTH)) throw new SyntaxError('fields are nested too deeply');
  const set = parseBranch(record, true) ?? EMPTY;
  if (Object.isFrozen(set)) known.add(set);
  return set;
}

function parseBranch(record: JsonValue | undefined, isRoot: boolean): PathSet | undefined {
  if (record === null || record === undefined) return EMPTY;
  if (!isJsonObject(record)) throw new SyntaxError('the fields are not an object');
  const written = namesOf(record);
  const parts: Record<PathElement, PathSet> = !isRoot && '.' in record ? { [SELF]: EMPTY } : {};
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
