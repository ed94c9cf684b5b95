import type { ManagedFieldsEntry } from '../meta/object-meta.js';
import { decodeManagedFields, encodeManagedFields } from './managed-fields.js';
import { type Manager, managerId, ownerOf, withFields } from './merge/managers.js';
import { difference, fieldPathSet, includes, isEmpty, type PathSet } from './paths/path-set.js';

/** A field as a version of a kind has it: `{ apiVersion: 'apps/v1', field: 'spec.replicas' }`. */
export interface VersionedField {
  readonly apiVersion: string;
  readonly field: string;
  /** What other versions of the kind call it, by apiVersion. */
  readonly elsewhere?: ReadonlyMap<string, string>;
}

type Entries = readonly ManagedFieldsEntry[] | undefined;

/**
 * Who owns the field of a part that another kind shows: those who own it in the whole object.
 * @throws UndecodableManagedFields
 */
export function ownersOfPart(entries: Entries, whole: VersionedField, part: VersionedField): Entries {
  const fields = fieldSet(part.field);
  const owners = new Map<string, Manager>();
  for (const [id, manager] of decodeManagedFields(entries))
    if (ownedOf(manager, whole))
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
    const owned = ownedOf(manager, whole);
    const left = !owned || ofPart.delete(id) ? manager.fields : difference(manager.fields, owned);
    if (!isEmpty(left)) owners.set(id, withFields(manager, left));
  }
  for (const [id, manager] of ofPart) owners.set(id, ownerOf(manager, field, undefined));
  return encodeManagedFields(owners, entries);
}

/** The field as the version of a manager has it, where it is the manager's. */
function ownedOf({ apiVersion, fields }: Manager, whole: VersionedField): PathSet | undefined {
  const name = apiVersion === whole.apiVersion ? whole.field : whole.elsewhere?.get(apiVersion);
  if (name === undefined) return undefined;
  const field = fieldSet(name);
  return includes(fields, field) ? field : undefined;
}

const fieldSet = (field: string): PathSet => fieldPathSet([field]);
