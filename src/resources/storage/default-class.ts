import type { ApiObject } from '../../meta/object-meta.js';
import type { Column } from '../../registry/resource-definition.js';
import { nameColumn } from '../shared/columns.js';

/**
 * Returns a column with the name of a class, and whether it is the default class.
 * @param mark matches the annotations that mark a default class
 */
/* @__NO_SIDE_EFFECTS__ */
export const classNameColumn = (mark: RegExp): Column<ApiObject> => ({
  ...nameColumn,
  cell({ metadata: { name, annotations = {} } }) {
    const isDefault = Object.entries(annotations).some(([key, value]) => value === 'true' && mark.test(key));
    return `${name}${isDefault ? ' (default)' : ''}`;
  },
});
