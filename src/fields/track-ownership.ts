import { equalJson } from '../json/equal.js';
import { isDeeperThan } from '../json/members.js';
import type { JsonValue } from '../json/value.js';
import type { Rulings } from '../meta/dialect.js';
import type { ApiObject } from '../meta/object-meta.js';
import { zeroValue } from '../schema/zero-value.js';
import { capUpdateManagers } from './cap-managers.js';
import { decodeManagedFields, encodeEntry, encodeManagedFields, isReset } from './managed-fields.js';
import { type Managers, NO_MANAGERS, withFields } from './merge/managers.js';
import { trackUpdate } from './merge/update.js';
import { ConversionNeeded, type Typed } from './merge/versions.js';
import { NEVER_OWNED } from './never-owned.js';
import {
  identifiedWriter,
  type OwnershipOptions,
  timeOf,
  typedObject,
  withManagedFields,
  writeRules,
  writerOf,
} from './ownership-options.js';
import { MAX_DEPTH } from './paths/fields-v1.js';
import { difference, isEmpty, type PathSet, recursiveDifference, union } from './paths/path-set.js';
import { type Comparison, compare } from './typed/compare.js';

export interface TrackOptions<T extends ApiObject = ApiObject> extends OwnershipOptions {
  /** The stored object; undefined for a create. */
  readonly live: T | undefined;
  /** The object to store. Its `managedFields` are those that the client sent. */
  readonly next: T;
  /** The dialect's rules about resets (spec 19.3). */
  readonly rulings: Pick<Rulings, 'emptyManagedFieldsResets' | 'ownershipAfterReset'>;
}

/**
 * Tracks the owners after a write other than apply, and returns `next` with its `managedFields` (spec 6.5, 6.8). A stored object without
 * owners gets none until it is applied; a new object has owners from the start. Never throws: when ownership cannot be computed because the
 * object does not fit its schema, which validation reports, the result has no managedFields.
 */
export function trackOwnership<T extends ApiObject>(options: TrackOptions<T>): T {
  const { live, next, rulings } = options;
  const previous = live?.metadata?.managedFields;
  try {
    const reset = options.subresource === '' && isReset(next.metadata?.managedFields, rulings.emptyManagedFieldsResets);
    const managers = reset ? NO_MANAGERS : managersBefore(options);
    const starts = live === undefined || (reset && rulings.ownershipAfterReset === 'caller');
    if (managers.size === 0 && !starts) return withManagedFields(next, undefined);
    const after = typedObject(options, next);
    const before = live === undefined ? { ...after, value: zeroValue(options.schema) } : typedObject(options, live);
    if (isDeeperThan(after.value, MAX_DEPTH, before.value)) return withManagedFields(next, undefined);
    if (managers.size === 0) return withManagedFields(next, firstRecord(options, before, after));
    const owners = recordUpdate(options, before, after, managers);
    return withManagedFields(next, encodeManagedFields(owners, previous));
  } catch (error) {
    if (error instanceof ConversionNeeded) throw error;
    return withManagedFields(next, undefined);
  }
}

/**
 * Returns the managers before the write. A client may edit managedFields in a write of the object itself, but not of a subresource;
 * unreadable or empty ones count as not sent (spec 6.6).
 */
function managersBefore({ live, next, subresource }: TrackOptions): Managers {
  // Most clients send the managedFields back unchanged.
  if (live !== undefined && sameRecords(live, next)) return decodeOrNone(live);
  const sent = subresource === '' ? decodeOrNone(next) : NO_MANAGERS;
  return sent.size > 0 || live === undefined ? sent : decodeOrNone(live);
}
function sameRecords(live: ApiObject, next: ApiObject): boolean {
  const [a, b] = [live.metadata?.managedFields, next.metadata?.managedFields];
  // Plain JSON; the wire's interface has no index signature.
  return a === b || equalJson(a as unknown as JsonValue, b as unknown as JsonValue);
}
function decodeOrNone(object: ApiObject): Managers {
  try {
    return decodeManagedFields(object.metadata?.managedFields ?? undefined);
  } catch {
    return NO_MANAGERS;
  }
}

/**
 * Returns the record of the only manager of an object. It equals the result of {@link recordUpdate}, without the search for other managers.
 */
function firstRecord(options: OwnershipOptions, before: Typed, after: Typed) {
  const comparison = compare(after.schema, before.value, after.value);
  const fields = fieldsGained(comparison, writeRules(options).resetFields(after.apiVersion));
  if (isEmpty(fields)) return undefined;
  return [encodeEntry({ ...writerOf(options, 'Update'), fields, time: timeOf(options) })];
}

function fieldsGained({ added, modified }: Comparison, reset: PathSet): PathSet {
  const known = gains.get(added);
  if (known?.modified === modified && known.reset === reset) return known.fields;
  const fields = difference(recursiveDifference(union(modified, added), reset), NEVER_OWNED);
  if (Object.isFrozen(added)) gains.set(added, { modified, reset, fields });
  return fields;
}
// Keyed by the compared set: objects of one kind mostly have the same fields, for which a comparison returns the same set object.
const gains = new WeakMap<PathSet, { readonly modified: PathSet; readonly reset: PathSet; readonly fields: PathSet }>();

/** Returns the managers after an update by `options.manager`. */
export function recordUpdate(options: OwnershipOptions, before: Typed, after: Typed, managers: Managers): Managers {
  const writer = identifiedWriter(options, 'Update');
  const { managers: recorded, gained } = trackUpdate(before, after, managers, writer, writeRules(options), NEVER_OWNED);
  const owner = isEmpty(gained) ? undefined : recorded.get(writer.id);
  if (owner !== undefined) recorded.set(writer.id, withFields(owner, owner.fields, timeOf(options)));
  return capUpdateManagers(recorded);
}
