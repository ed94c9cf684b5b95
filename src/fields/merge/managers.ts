import type { ManagedFieldsEntry } from '../../meta/object-meta.js';
import { remembering } from '../../values/remembering.js';
import type { PathSet } from '../paths/path-set.js';

/** Who owns fields, and how it came to (spec 6.1). */
export interface Manager {
  readonly name: string;
  readonly operation: 'Apply' | 'Update';
  /** Version that the paths are in. */
  readonly apiVersion: string;
  /** Where it wrote: '' for the object itself. */
  readonly subresource: string;
  /** When its fields last changed, RFC 3339. An apply that changed nothing has none. */
  readonly time?: string;
  readonly fields: PathSet;
  /** The record this was read from and still says. */
  readonly entry?: ManagedFieldsEntry;
}

/** The managers of an object, by {@link managerId}. */
export type Managers = ReadonlyMap<string, Manager>;

export const NO_MANAGERS: Managers = new Map();

/**
 * What makes two managers the same: name, operation, subresource, and for updates the apiVersion (spec 6.1).
 * Managers are ordered by this text where nothing else orders them.
 */
export function managerId({ name, operation, apiVersion, subresource }: Omit<Manager, 'fields'>): string {
  const manager = name === '' ? '' : `"manager":${quoted(name)},`;
  const version = operation === 'Apply' ? '' : `,"apiVersion":${quoted(apiVersion)}`;
  const where = subresource === '' ? '' : `,"subresource":${quoted(subresource)}`;
  return `{${manager}"operation":"${operation}"${version}${where}}`;
}
const quoted = remembering((text) => JSON.stringify(text));

/** The manager with other fields or another time; itself where they are the same. */
export function withFields(manager: Manager, fields: PathSet, time: string | undefined = manager.time): Manager {
  if (fields === manager.fields && time === manager.time) return manager;
  return ownerOf(manager, fields, time);
}

/** A manager of some fields. */
export function ownerOf(
  { name, operation, apiVersion, subresource }: Omit<Manager, 'fields'>,
  fields: PathSet,
  time: string | undefined,
): Manager {
  if (time === undefined) return { name, operation, apiVersion, subresource, fields };
  return { name, operation, apiVersion, subresource, time, fields };
}
