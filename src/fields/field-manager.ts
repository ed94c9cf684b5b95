import { equalJson } from '../json/equal.js';
import { isDeeperThan } from '../json/members.js';
import type { JsonObject, JsonValue } from '../json/value.js';
import { formatTime } from '../meta/clock.js';
import type { Rulings } from '../meta/dialect.js';
import type { ApiObject, ManagedFieldsEntry } from '../meta/object-meta.js';
import { withMember } from '../schema/json-objects.js';
import { zeroValue } from '../schema/zero-value.js';
import {
  decodeManagedFields,
  encodeEntry,
  encodeManagedFields,
  isReset,
  MAX_DEPTH,
  secondsOf,
} from './managed-fields.js';
import {
  ConversionNeeded,
  type Manager,
  type Managers,
  managerId,
  NEVER_OWNED,
  NO_MANAGERS,
  type OwnershipOptions,
  resetPaths,
  strictly,
  type Typed,
  withFields,
  writeRules,
  writerOf,
} from './merge/managers.js';
import { trackUpdate } from './merge/update.js';
import { difference, EMPTY, equals, isEmpty, type PathSet, recursiveDifference, unionOfAll } from './paths/path-set.js';
import { everyPath } from './typed/compare.js';
import { toFieldSet } from './typed/to-field-set.js';
import { findProblems, STORED } from './typed/validate-applied.js';

/**
 * Removes the fields in `NEVER_OWNED` from the manager with the given id, and removes the manager itself if no field is left. If `before`
 * owned exactly the remaining fields, its field set is reused.
 */
export function stripManager(managers: Map<string, Manager>, id: string, before?: Manager): void {
  const manager = managers.get(id);
  if (manager === undefined) return;
  const left = difference(manager.fields, NEVER_OWNED);
  const fields = before !== undefined && equals(before.fields, left) ? before.fields : left;
  if (isEmpty(fields)) managers.delete(id);
  else managers.set(id, withFields(manager, fields));
}

/** Returns the object with these managedFields; the same object when it has them already. */
export function withManagedFields<T extends ApiObject>(
  object: T,
  entries: readonly ManagedFieldsEntry[] | undefined,
): T {
  // An applied object may have null as metadata, which counts as absent.
  const metadata: ApiObject['metadata'] = object.metadata ?? {};
  if (metadata.managedFields === entries) return object;
  if (entries !== undefined) return withMember(object, 'metadata', withMember(metadata, 'managedFields', entries));
  const { managedFields: _, ...others } = metadata;
  return { ...object, metadata: others };
}

interface TrackOptions<T extends ApiObject = ApiObject> extends OwnershipOptions {
  /** The stored object; undefined for a create. */
  readonly live: T | undefined;
  /** The object to store. Its `managedFields` are those that the client sent. */
  readonly next: T;
  /** The rules of the API dialect about resetting the managedFields of an object (spec 19.3), and about other versions (spec 6.10). */
  readonly rulings: Pick<Rulings, 'emptyManagedFieldsResets' | 'ownershipAfterReset' | 'lossyMerge'>;
  /**
   * Whether the kind is a custom resource. Decoding does not check the types of its fields, and an empty list in its metadata counts as
   * absent, so `managedFields: []` resets nothing. Default false.
   */
  readonly isCustom?: boolean;
}

/**
 * Tracks the owners after a write other than apply, and returns `next` with its `managedFields` (spec 6.5, 6.8). A stored object without
 * owners gets none until it is applied; a new object has owners from the start. If the object does not fit its schema, the result has no
 * managedFields. Validation need not refuse such an object: the misfit may be in a part that this write resets, such as the spec in a
 * write of `/status`.
 * @throws ConversionNeeded if a conversion is asynchronous.
 */
export function trackOwnership<T extends ApiObject>(options: TrackOptions<T>): T {
  const { live, next, rulings, schema, apiVersion } = options;
  const sent = next.metadata?.managedFields;
  try {
    const emptyResets = rulings.emptyManagedFieldsResets && options.isCustom !== true;
    const reset = sent && options.subresource === '' && isReset(sent, emptyResets);
    const managers = reset || (!live && !sent) ? NO_MANAGERS : managersBefore(options);
    const starts = live === undefined || (reset && rulings.ownershipAfterReset === 'caller');
    if (managers.size === 0 && !starts) return withManagedFields(next, undefined);
    // API objects are plain JSON, so the casts are safe. They still contain `managedFields`, which no manager can own.
    const after = next as unknown as JsonObject;
    // Before a create, the object is the zero value of its schema.
    const before = live === undefined ? zeroValue(schema) : (live as unknown as JsonObject);
    if (isDeeperThan(after, MAX_DEPTH, before)) return withManagedFields(next, undefined);
    // The live object may not fit, either, if the schema has changed since it was stored.
    if (options.isCustom === true && [after, before].some((value) => findProblems(schema, value, STORED).length > 0))
      return withManagedFields(next, undefined);
    if (live === undefined && managers.size === 0) return withManagedFields(next, firstRecord(options, after, before));
    const old = { schema, apiVersion, value: before };
    const owners = recordUpdate(asConverted(options), old, { ...old, value: after }, managers);
    return withManagedFields(next, encodeManagedFields(owners, live?.metadata?.managedFields));
  } catch (error) {
    if (error instanceof ConversionNeeded) throw error;
    return withManagedFields(next, undefined);
  }
}

/**
 * Returns the options with a conversion that fails for a custom resource with fields that the other version does not declare. In upstream
 * such an object loses its managedFields, like one that does not fit its own schema.
 */
const asConverted = (options: TrackOptions): OwnershipOptions =>
  options.isCustom === true && options.convert && options.rulings.lossyMerge === 'refused'
    ? { ...options, convert: strictly(options.convert) }
    : options;

/**
 * Returns the managers before the write. A client may edit managedFields in a write of the object itself, but not of a subresource. If
 * managedFields is empty or cannot be decoded, it counts as not sent (spec 6.6).
 */
function managersBefore({ live, next, subresource }: TrackOptions): Managers {
  // Most clients send managedFields back unchanged. The stored entries are then used, because their `fieldsV1` need no parsing.
  if (live !== undefined && sameRecords(live, next)) return decodeOrNone(live);
  const sent = subresource === '' && next.metadata?.managedFields ? decodeOrNone(next) : NO_MANAGERS;
  return sent.size > 0 || live === undefined ? sent : decodeOrNone(live);
}
function sameRecords(live: ApiObject, next: ApiObject): boolean {
  const [a, b] = [live.metadata?.managedFields, next.metadata?.managedFields];
  // Entries are plain JSON. The cast is needed because their interface has no index signature.
  return a === b || equalJson(a as unknown as JsonValue, b as unknown as JsonValue);
}
function decodeOrNone(object: ApiObject): Managers {
  try {
    return decodeManagedFields(object.metadata?.managedFields ?? undefined);
  } catch {
    return NO_MANAGERS;
  }
}

/** The fields that the writer of a new object owns, and the fields that its write resets. */
interface Gain {
  readonly resetFields: readonly string[] | undefined;
  readonly fields: PathSet;
}
/** Gains by the paths of the new object. Most objects of a kind have the same fields, and share the set of their paths. */
const gains = new WeakMap<PathSet, Gain>();

/**
 * Returns the managedFields of a new object whose only manager is the writer. The result equals that of {@link recordUpdate}, but there are
 * no other managers and no removed fields to look for.
 */
function firstRecord(options: OwnershipOptions, value: JsonObject, zero: JsonValue): ManagedFieldsEntry[] | undefined {
  const { schema, resetFields } = options;
  const paths = everyPath(schema, value, zero) ?? EMPTY;
  let gain = gains.get(paths);
  if (gain === undefined || gain.resetFields !== resetFields) {
    const reset = resetFields ? resetPaths(resetFields) : EMPTY;
    gain = { resetFields, fields: difference(recursiveDifference(paths, reset), NEVER_OWNED) };
    if (Object.isFrozen(paths)) gains.set(paths, gain);
  }
  const { fields } = gain;
  if (isEmpty(fields)) return undefined;
  const { manager, apiVersion, subresource } = options;
  const time = formatTime(options.now);
  return [encodeEntry({ name: manager || 'unknown', operation: 'Update', apiVersion, subresource, time, fields })];
}

/** Returns the field managers after an update by `options.manager`. */
export function recordUpdate(options: OwnershipOptions, before: Typed, after: Typed, managers: Managers): Managers {
  const writer = writerOf(options, 'Update');
  const { managers: recorded, gained } = trackUpdate(before, after, managers, writer, writeRules(options), NEVER_OWNED);
  const owner = isEmpty(gained) ? undefined : recorded.get(writer.id);
  if (owner !== undefined) recorded.set(writer.id, withFields(owner, owner.fields, formatTime(options.now)));
  return capUpdateManagers(recorded);
}

/** Returns the entry in `managedFields` of a writer (`options.manager`) who applied members that no manager owned. */
export function appliedEntry(options: OwnershipOptions, applied: JsonObject): ManagedFieldsEntry {
  const { manager } = writerOf(options, 'Apply');
  return encodeEntry({ ...manager, fields: toFieldSet(options.schema, applied), time: formatTime(options.now) });
}

/** The maximum number of Update entries that are kept separate. */
const MAX_UPDATE_MANAGERS = 10;

/**
 * Joins the oldest Update entries until at most `max` are left. The entries of one apiVersion are joined into one entry of the manager
 * `ancient-changes`, with the time of the entry that joined last. The first entry of an apiVersion stays separate until a second one joins
 * it. If the object already has an entry of `ancient-changes` in the apiVersion, the first entry is never joined.
 */
export function capUpdateManagers(managers: Managers, max = MAX_UPDATE_MANAGERS): Managers {
  if (managers.size <= max) return managers;
  const updaters = [...managers].filter(([, manager]) => manager.operation === 'Update');
  let surplus = updaters.length - max;
  if (surplus <= 0) return managers;

  const capped = new Map(managers);
  const buckets = new Map<string, Bucket>();
  for (const { id, manager } of oldestFirst(updaters)) {
    if (surplus === 0) break;
    const bucket = buckets.get(manager.apiVersion);
    if (bucket === undefined) {
      buckets.set(manager.apiVersion, newBucket(id, manager));
    } else if (id !== bucket.id) {
      join(bucket, id, manager, capped);
      surplus--;
    }
  }
  for (const { id, manager, sets } of buckets.values())
    if (sets.length > 0) capped.set(id, { ...manager, fields: unionOfAll(sets) });
  return capped;
}

function oldestFirst(updaters: readonly (readonly [id: string, manager: Manager])[]) {
  const dated = updaters.map(([id, manager]) => ({ id, manager, seconds: secondsOf(manager) }));
  return dated.sort((a, b) => a.seconds - b.seconds || (a.id < b.id ? -1 : 1));
}

/** The entry into which the old Update entries of one apiVersion are merged. */
interface Bucket {
  readonly id: string;
  readonly first: { readonly id: string; readonly fields: PathSet };
  /** The field manager of the merged entry, without its fields. */
  manager: Omit<Manager, 'fields'>;
  /** The field sets of the joined entries. The merged entry owns their union. The list is empty until a second entry joins. */
  readonly sets: PathSet[];
}

function newBucket(id: string, { apiVersion, fields }: Manager): Bucket {
  const manager = { name: 'ancient-changes', operation: 'Update', apiVersion, subresource: '' } as const;
  return { id: managerId(manager), first: { id, fields }, manager, sets: [] };
}

function join(bucket: Bucket, id: string, { fields, time }: Manager, capped: Map<string, Manager>): void {
  if (bucket.sets.length === 0) {
    const known = capped.get(bucket.id);
    if (known === undefined) capped.delete(bucket.first.id);
    bucket.sets.push((known ?? bucket.first).fields);
  }
  capped.delete(id);
  bucket.sets.push(fields);
  const { time: _, ...rest } = bucket.manager;
  bucket.manager = time === undefined ? rest : { ...rest, time };
}
