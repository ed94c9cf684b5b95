import type { ApiObject } from '../../meta/object-meta.js';
import type { Column } from '../../registry/resource-definition.js';
import { humanDuration } from '../../values/duration.js';

/** The first column of every kind. */
export const nameColumn: Column<ApiObject> = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Unique among the living objects of the kind and namespace.',
  cell: ({ metadata }) => metadata.name ?? '',
};

/** Returns the time since a timestamp; `<unknown>` when it is absent. */
export function ageCell(time: string | null | undefined, now: number): string {
  return time === null || time === undefined ? '<unknown>' : humanDuration(now - Date.parse(time));
}

/** The age of the object. */
export const age: Column<ApiObject> = {
  name: 'Age',
  type: 'string',
  description: 'How long ago the object was made.',
  cell: ({ metadata }, now) => ageCell(metadata.creationTimestamp, now),
};
