import { isApiError, isNotFound } from '../../meta/api-error.js';

/** Returns whether a request failed because its namespace is being deleted or does not exist, so that a retry is pointless. */
export const isNamespaceGone = (error: unknown): boolean =>
  isNotFound(error) ||
  (isApiError(error) && (error.details?.causes ?? []).some(({ reason }) => reason === 'NamespaceTerminating'));
