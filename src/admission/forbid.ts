import { type ApiError, apiError } from '../meta/api-error.js';
import type { AdmissionAttributes } from './admission-plugin.js';

/** The refusal of a request, by the name of its object, or what it has of one. */
export function forbidden({ resource, name, object }: AdmissionAttributes, why: string): ApiError {
  return apiError.forbidden(resource, name || object?.metadata.generateName || 'Unknown', why);
}
