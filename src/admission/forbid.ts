import { type ApiError, apiError } from '../meta/api-error.js';
import type { AdmissionAttributes } from './admission-plugin.js';

/** The type of a user's objects, as the real server's refusals call it. */
export const CUSTOM_TYPE = '*unstructured.Unstructured';

/** The refusal of a request, by the name of its object, or what it has of one. */
export function forbidden({ resource, name, object }: AdmissionAttributes, why: string): ApiError {
  return apiError.forbidden(resource, name || object?.metadata.generateName || 'Unknown', why);
}
