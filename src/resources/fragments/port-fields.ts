import { type FieldError, fieldError } from '../../meta/field-error.js';
import { qualifiedName } from '../../meta/names.js';
import { string } from '../../schema/authoring.js';

/** What a port speaks. */
export const protocol = string<string>({ typeName: 'v1.Protocol', enum: ['SCTP', 'TCP', 'UDP'] });
/** In the order of messages. */
export const PROTOCOLS: readonly string[] = ['SCTP', 'TCP', 'UDP'];

/** The name of what is spoken above the protocol; absent is fine. */
export function validateAppProtocol(path: string, value: string | undefined): FieldError[] {
  if (value === undefined) return [];
  return qualifiedName(value).map((message) => fieldError.invalid(path, value, message));
}
