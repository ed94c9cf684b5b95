import type { ManagedFieldsEntry } from '../meta/object-meta.js';
import { decodeManagedFields, encodeManagedFields } from './managed-fields.js';
import { type Manager, managerId, ownerOf, withFields } from './merge/managers.js';
import { difference, fieldPathSet, includes, isEmpty, type PathSet } from './paths/path-set.js';

/** The path of a field in a version of a kind: `{ apiVersion: 'apps/v1', field: 'spec.replicas' }`. */
export interface VersionedField {
  readonly apiVersion: string;
  readonly field: string;
  /** The path of the field in other versions of the kind, by apiVersion. */
  readonly elsewhere?: ReadonlyMap<string, string>;
}

type Entries = readonly ManagedFieldsEntry[] | undefined;

/**
 * Returns the owners of a part's field: the owners of the corresponding field of the whole object.
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
 * Returns the owners of the whole object after a write of its part: all other managers lose the field, and a new manager has no time, as
 * recorded.
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
      const managerOfWhole = { ...manager, apiVersion: whole.apiVersion };
      ofPart.set(managerId(managerOfWhole), managerOfWhole);
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

/** Returns the field in the version of a manager if the manager owns it. */
function ownedOf({ apiVersion, fields }: Manager, whole: VersionedField): PathSet | undefined {
  const name = apiVersion === whole.apiVersion ? whole.field : whole.elsewhere?.get(apiVersion);
  if (name === undefined) return undefined;
  const field = fieldSet(name);
  return includes(fields, field) ? field : undefined;
}

const fieldSet = (field: string): PathSet => fieldPathSet([field]);
