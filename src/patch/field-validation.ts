import { type ApiError, apiError } from '../meta/api-error.js';
import type { FieldValidation } from '../meta/field-validation.js';

/**
 * Returns the error of a patch that is not JSON; `text` is the message of the JSON parser, e.g. `unexpected end of JSON input` (spec 5.2,
 * 5.3, 5.4).
 */
export function unreadablePatch(
  kind: 'json' | 'merge' | 'strategic',
  fieldValidation: FieldValidation,
  text: string,
): ApiError {
  if (kind === 'strategic') return apiError.badRequest(text);
  if (fieldValidation !== 'Ignore') return apiError.badRequest(`error decoding patch: ${text}`);
  return apiError.badRequest(kind === 'json' ? text : 'Invalid JSON Patch');
}
