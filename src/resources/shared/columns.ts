import type { ApiObject } from '../../meta/object-meta.js';
import type { Column } from '../../registry/resource-definition.js';
import { humanDuration } from '../../values/duration.js';

/** The table column with the name of the object. It is the first column of almost every kind. */
export const nameColumn: Column<ApiObject> = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'The name, unique for the kind in its namespace.',
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
  description: 'How long ago the object was created.',
  cell: ({ metadata }, now) => ageCell(metadata.creationTimestamp, now),
};

const SHOWN = 3;

/** Returns the first three items of a list and the number of further ones as a cell; `none` for an empty list. */
export function listedCell(items: Iterable<string>, none: string): string {
  const shown: string[] = [];
  let count = 0;
  for (const item of items) if (count++ < SHOWN) shown.push(item);
  const text = shown.join(',');
  return count > SHOWN ? `${text} + ${count - SHOWN} more...` : text || none;
}
