import type { JsonValue } from '../json/value.js';
import { type ApiError, apiError } from '../meta/api-error.js';

/** What is done about unknown and duplicate fields (spec 3.9). */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** A JSON value's type as decoding errors name it. */
export function jsonTypeName(value: JsonValue): 'null' | 'bool' | 'number' | 'string' | 'array' | 'object' {
  if (value === null) return 'null';
  if (typeof value === 'object') return Array.isArray(value) ? 'array' : 'object';
  return typeof value === 'boolean' ? 'bool' : typeof value === 'number' ? 'number' : 'string';
}

/**
 * The error of a patch that is not JSON at all; `text` is the reader's complaint, e.g. `unexpected end of JSON input`
 * (spec 5.2, 5.3, 5.4).
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
