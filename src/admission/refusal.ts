import { type ApiError, apiError } from '../meta/api-error.js';
import type { StatusCause } from '../meta/status.js';
import type { AdmissionAttributes } from './admission-plugin.js';

/** The Go type that upstream's error messages name for custom resources. */
export const CUSTOM_TYPE = '*unstructured.Unstructured';

/** Returns the 403 error of a plug-in. It names the object by its name or, before the object has one, by its generateName. */
export function forbiddenRequest(
  { resource, name, object }: AdmissionAttributes,
  why: string,
  causes?: readonly StatusCause[],
): ApiError {
  const { name: ownName = '', generateName = '' } = object?.metadata ?? {};
  return apiError.forbidden(resource, name || ownName || generateName || 'Unknown', why, causes);
}
