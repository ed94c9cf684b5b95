import type { JsonObject } from '../json/value.js';
import type { ApiObject } from '../meta/object-meta.js';
import { decodeManagedFields, encodeManagedFields } from './managed-fields.js';
import { identifiedWriter, type OwnershipOptions, timeOf, withManagedFields } from './ownership-options.js';
import { toFieldSet } from './typed/to-field-set.js';

/**
 * Returns an object with members that have no owner yet, applied by the manager of the options. The result is that of an apply, without the
 * search for conflicts and for fields that the manager gave up.
 */
export function withAppliedMembers(options: OwnershipOptions, live: ApiObject, applied: JsonObject): ApiObject {
  const { id, manager } = identifiedWriter(options, 'Apply');
  const managers = new Map(decodeManagedFields(live.metadata.managedFields));
  managers.set(id, { ...manager, fields: toFieldSet(options.schema, applied), time: timeOf(options) });
  return withManagedFields({ ...live, ...applied }, encodeManagedFields(managers));
}
