import type { ApiObject } from '../../meta/object-meta.js';
import type { Column } from '../../registry/resource-definition.js';
import { nameColumn } from '../fragments/columns.js';

/**
 * The name of a class, and whether those that name none get it.
 * @param mark the annotations that say so
 */
/* @__NO_SIDE_EFFECTS__ */
export const classNameColumn = (mark: RegExp): Column<ApiObject> => ({
  ...nameColumn,
  cell({ metadata: { name, annotations = {} } }) {
    const isDefault = Object.entries(annotations).some(([key, value]) => value === 'true' && mark.test(key));
    return `${name}${isDefault ? ' (default)' : ''}`;
  },
});
