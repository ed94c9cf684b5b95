import { type FieldError, fieldError } from '../../meta/field-error.js';
import { areLongerThan } from '../../values/utf8.js';

const MAX_PARAMETERS = 512;
// Maximum size of all names and values in bytes.
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
