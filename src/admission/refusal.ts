import { type ApiError, apiError } from '../meta/api-error.js';
import type { StatusCause } from '../meta/status.js';
import type { AdmissionAttributes } from './admission-plugin.js';

/** A refusal by a plug-in: it names the object as well as is known before it has a name. */
export function forbiddenRequest(
  { resource, name, object }: AdmissionAttributes,
  why: string,
  causes?: readonly StatusCause[],
): ApiError {
  const { name: ownName = '', generateName = '' } = object?.metadata ?? {};
  return apiError.forbidden(resource, name || ownName || generateName || 'Unknown', why, causes);
}
