import { type FieldError, fieldError } from '../../meta/field-error.js';
import { qualifiedName } from '../../meta/names.js';
/** In the order of messages. */
export const PROTOCOLS: readonly string[] = ['SCTP', 'TCP', 'UDP'];

/** The name of what is spoken above the protocol; absent is fine. */
export function validateAppProtocol(path: string, value: string | undefined): FieldError[] {
  if (value === undefined) return [];
  return qualifiedName(value).map((message) => fieldError.invalid(path, value, message));
}
