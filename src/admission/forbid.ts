import { type ApiError, apiError } from '../meta/api-error.js';
import type { AdmissionAttributes } from './admission-plugin.js';

/** The type of custom objects, as the real server's refusals name it. */
export const CUSTOM_TYPE = '*unstructured.Unstructured';

/** Returns the refusal of a request, with the object's name or, before it has one, its generateName. */
export function forbidden({ resource, name, object }: AdmissionAttributes, why: string): ApiError {
  return apiError.forbidden(resource, name || object?.metadata.generateName || 'Unknown', why);
}
