import type { ManagedFieldsEntry } from '../meta/object-meta.js';
import { decodeManagedFields, encodeManagedFields } from './managed-fields.js';
import { type Manager, managerId, ownerOf, withFields } from './merge/managers.js';
import { difference, fieldPathSet, includes, isEmpty, type PathSet } from './paths/path-set.js';

/** A field as a version of a kind has it: `{ apiVersion: 'apps/v1', field: 'spec.replicas' }`. */
export interface VersionedField {
  readonly apiVersion: string;
  readonly field: string;
}

type Entries = readonly ManagedFieldsEntry[] | undefined;

/**
 * Who owns the field of a part that another kind shows: those who own it in the whole object.
 * @throws UndecodableManagedFields
 */
export function ownersOfPart(entries: Entries, whole: VersionedField, part: VersionedField): Entries {
  const fieldOfWhole = fieldSet(whole.field);
  const fields = fieldSet(part.field);
  const owners = new Map<string, Manager>();
  for (const [id, manager] of decodeManagedFields(entries))
    if (owns(manager, whole.apiVersion, fieldOfWhole))
      owners.set(id, ownerOf({ ...manager, apiVersion: part.apiVersion }, fields, manager.time));
  return encodeManagedFields(owners);
}

/**
 * Who owns the whole object once its part has these owners: the others lose the field, and who is new has no time, as recorded.
 * @throws UndecodableManagedFields
 */
export function ownersOfWhole(
  entries: Entries,
  partEntries: Entries,
  whole: VersionedField,
  part: VersionedField,
): Entries {
  const field = fieldSet(whole.field);
  const fieldOfPart = fieldSet(part.field);
  const ofPart = new Map<string, Manager>();
  for (const manager of decodeManagedFields(partEntries).values())
    if (includes(manager.fields, fieldOfPart)) {
      const inWhole = { ...manager, apiVersion: whole.apiVersion };
      ofPart.set(managerId(inWhole), inWhole);
    }
  const owners = new Map<string, Manager>();
  for (const [id, manager] of decodeManagedFields(entries)) {
    const stays = !owns(manager, whole.apiVersion, field) || ofPart.delete(id);
    const left = stays ? manager.fields : difference(manager.fields, field);
    if (!isEmpty(left)) owners.set(id, withFields(manager, left));
  }
  for (const [id, manager] of ofPart) owners.set(id, ownerOf(manager, field, undefined));
  return encodeManagedFields(owners, entries);
}

const owns = ({ apiVersion, fields }: Manager, version: string, field: PathSet): boolean =>
  apiVersion === version && includes(fields, field);

const fieldSet = (field: string): PathSet => fieldPathSet([field]);
