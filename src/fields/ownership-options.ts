import type { JsonObject } from '../json/value.js';
import { formatTime } from '../meta/clock.js';
import type { ApiObject, ManagedFieldsEntry } from '../meta/object-meta.js';
import type { ObjectSchema } from '../schema/schema.js';
import { type Manager, managerId, withFields } from './merge/managers.js';
import { resetAlways, type WriteRules } from './merge/update.js';
import { type Convert, oneVersion, type Typed } from './merge/versions.js';
import { NEVER_OWNED } from './never-owned.js';
import { difference, EMPTY, equals, fieldPathSet, isEmpty, type PathSet } from './paths/path-set.js';

/** The options that apply and other writes share. */
export interface OwnershipOptions {
  /** The whole object's schema, `metadata` included, in the version of the request. */
  readonly schema: ObjectSchema;
  /** The writer's name, see `managerName`. */
  readonly manager: string;
  readonly apiVersion: string;
  /** '' for the object itself. */
  readonly subresource: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Paths such as `status` or `spec.finalizers` that this write neither changes nor owns. Default none. */
  readonly resetFields?: readonly string[] | undefined;
  /** For kinds of several versions. Default: only the version of the request is served. */
  readonly convert?: Convert | undefined;
}

/**
 * Removes the never owned fields from a manager, and a manager without fields from the map. If the manager owned the same fields before,
 * its set stays the same object.
 */
export function stripManager(managers: Map<string, Manager>, id: string, before?: Manager): void {
  const manager = managers.get(id);
  if (manager === undefined) return;
  const left = difference(manager.fields, NEVER_OWNED);
  const fields = before !== undefined && equals(before.fields, left) ? before.fields : left;
  if (isEmpty(fields)) managers.delete(id);
  else managers.set(id, withFields(manager, fields));
}

/** The writer of a request. */
export function writerOf(
  { manager, apiVersion, subresource }: OwnershipOptions,
  operation: Manager['operation'],
): Omit<Manager, 'fields'> {
  return { name: manager === '' ? 'unknown' : manager, operation, apiVersion, subresource };
}

/** Returns the writer of a request with its id among the managers. */
export function identifiedWriter(
  options: OwnershipOptions,
  operation: Manager['operation'],
): { readonly id: string; readonly manager: Omit<Manager, 'fields'> } {
  const manager = writerOf(options, operation);
  return { id: managerId(manager), manager };
}

export function writeRules({ resetFields, convert = oneVersion }: OwnershipOptions): WriteRules {
  return { convert, resetFields: resetAlways(resetPaths(resetFields)) };
}

const resetSets = new WeakMap<readonly string[], PathSet>();
function resetPaths(paths: readonly string[] | undefined): PathSet {
  if (paths === undefined) return EMPTY;
  let set = resetSets.get(paths);
  if (set === undefined) {
    set = fieldPathSet(paths);
    resetSets.set(paths, set);
  }
  return set;
}

export function timeOf({ now }: OwnershipOptions): string {
  return formatTime(now);
}

/** Returns the object as a value of its schema. It includes managedFields, which have no owner. */
export function typedObject({ schema, apiVersion }: OwnershipOptions, object: ApiObject): Typed {
  return { schema, apiVersion, value: object as unknown as JsonObject }; // an API object is plain JSON
}

/** Returns the object with these managedFields; the same object when it has them already. */
export function withManagedFields<T extends ApiObject>(
  object: T,
  entries: readonly ManagedFieldsEntry[] | undefined,
): T {
  // An applied object may have null as metadata.
  const metadata: ApiObject['metadata'] = object.metadata ?? {};
  if (metadata.managedFields === entries) return object;
  if (entries !== undefined) return { ...object, metadata: { ...metadata, managedFields: entries } };
  const { managedFields: _, ...others } = metadata;
  return { ...object, metadata: others };
}
