import { type FieldError, fieldError } from '../../meta/field-error.js';
import { qualifiedName } from '../../meta/names.js';
/** The protocols in the order in which error messages list them. */
export const PROTOCOLS: readonly string[] = ['SCTP', 'TCP', 'UDP'];

/** Checks the name of an application protocol. An absent value is valid. */
export function validateAppProtocol(path: string, value: string | undefined): FieldError[] {
  if (value === undefined) return [];
  return qualifiedName(value).map((message) => fieldError.invalid(path, value, message));
}
