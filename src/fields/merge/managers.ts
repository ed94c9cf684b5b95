import type { ManagedFieldsEntry } from '../../meta/object-meta.js';
import { cachedByText } from '../../values/remembering.js';
import type { PathSet } from '../paths/path-set.js';

/** An owner of fields, and the operation by which it got them (spec 6.1). */
export interface Manager {
  readonly name: string;
  readonly operation: 'Apply' | 'Update';
  /** Version that the paths are in. */
  readonly apiVersion: string;
  /** The subresource it wrote to: '' for the object itself. */
  readonly subresource: string;
  /** When its fields last changed, RFC 3339. Absent after an apply that changed nothing. */
  readonly time?: string;
  readonly fields: PathSet;
  /** The entry that this manager was read from, as long as both are equal. */
  readonly entry?: ManagedFieldsEntry;
}

/** The managers of an object, by {@link managerId}. */
export type Managers = ReadonlyMap<string, Manager>;

export const NO_MANAGERS: Managers = new Map();

/**
 * Returns the identity of a manager: name, operation, subresource, and for updates the apiVersion (spec 6.1). The text also orders managers
 * that are otherwise equal in order.
 */
export function managerId({ name, operation, apiVersion, subresource }: Omit<Manager, 'fields'>): string {
  const manager = name === '' ? '' : `"manager":${quoted(name)},`;
  const version = operation === 'Apply' ? '' : `,"apiVersion":${quoted(apiVersion)}`;
  const where = subresource === '' ? '' : `,"subresource":${quoted(subresource)}`;
  return `{${manager}"operation":"${operation}"${version}${where}}`;
}
const quoted = cachedByText((text) => JSON.stringify(text));

/** Returns the manager with other fields or another time; the same object when both are unchanged. */
export function withFields(manager: Manager, fields: PathSet, time: string | undefined = manager.time): Manager {
  if (fields === manager.fields && time === manager.time) return manager;
  return ownerOf(manager, fields, time);
}

/** Returns a manager of the given fields. */
export function ownerOf(
  { name, operation, apiVersion, subresource }: Omit<Manager, 'fields'>,
  fields: PathSet,
  time: string | undefined,
): Manager {
  if (time === undefined) return { name, operation, apiVersion, subresource, fields };
  return { name, operation, apiVersion, subresource, time, fields };
}
