import { type FieldError, fieldError } from '../../meta/field-error.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { Column } from '../../registry/resource-definition.js';
import { areLongerThan } from '../../values/utf8.js';
import { nameColumn } from '../shared/columns.js';

const MAX_PARAMETERS = 512;
// Maximum total size in bytes of all names and values of parameters.
const MAX_PARAMETERS_SIZE = 256 * 1024;

/** Checks the parameters for a provisioner: their size is limited, and no name may be empty. */
export function validateParameters(parameters: Readonly<Record<string, string>>): FieldError[] {
  const entries = Object.entries(parameters);
  if (entries.length > MAX_PARAMETERS) return [fieldError.tooLong('parameters', MAX_PARAMETERS)];
  return [
    ...('' in parameters ? [fieldError.invalid('parameters', '', 'field can not be empty.')] : []),
    ...(areLongerThan(entries.flat(), MAX_PARAMETERS_SIZE)
      ? [fieldError.tooLong('parameters', MAX_PARAMETERS_SIZE)]
      : []),
  ];
}

/**
 * Returns the table column that shows the name of a class, followed by ` (default)` for a default class.
 * @param mark matches the keys of the annotations that mark a default class with the value `true`
 */
/* @__NO_SIDE_EFFECTS__ */
export const classNameColumn = (mark: RegExp): Column<ApiObject> => ({
  ...nameColumn,
  cell({ metadata: { name, annotations = {} } }) {
    const isDefault = Object.entries(annotations).some(([key, value]) => value === 'true' && mark.test(key));
    return `${name}${isDefault ? ' (default)' : ''}`;
  },
});
