import { type FieldError, fieldError } from '../../meta/field-error.js';
import { areLongerThan } from '../../values/utf8.js';

const MAX_PARAMETERS = 512;
// Bytes of all names and values.
const MAX_PARAMETERS_SIZE = 256 * 1024;

/** What a class passes to the program that makes volumes: bounded, and no name is empty. */
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
