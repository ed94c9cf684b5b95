import { type ApiError, apiError } from '../meta/api-error.js';
import { StoreError } from '../store/storage.js';
import { quote } from '../values/quote.js';

/**
 * Returns the API error for an error of the store; other errors are returned unchanged.
 * @param read the operation that failed: a list at an exact version has messages of its own (spec 4.4).
 */
export function interpretStoreError(error: unknown, read: 'exact' | 'notOlderThan' | 'write'): ApiError | unknown {
  if (!(error instanceof StoreError)) return error;
  switch (error.code) {
    case 'compacted':
      return apiError.expired('The resourceVersion for the provided list is too old.');
    case 'futureRevision':
      return read === 'exact'
        ? apiError.unknown('etcdserver: mvcc: required revision is a future revision')
        : apiError.tooLargeResourceVersion(error.requested ?? 0, error.current ?? 0);
    case 'aborted':
      return apiError.timeout('request did not complete within requested timeout - context deadline exceeded');
    case 'storageFull':
      return apiError.unknown('etcdserver: mvcc: database space exceeded');
    case 'unavailable':
      return apiError.unknown('etcdserver: request timed out');
    case 'unreadable':
      return apiError.internal(error.message);
    case 'lagging':
    case 'closed':
      return apiError.serviceUnavailable('the server is shutting down');
  }
}

/**
 * Returns the API error for a list in which a stored value cannot be decrypted or decoded. The message contains the storage key of the
 * value. Other errors are returned unchanged.
 */
export function interpretListError(error: unknown): ApiError | unknown {
  if (!(error instanceof StoreError) || error.code !== 'unreadable') return error;
  return apiError.internal(`unable to transform key ${quote(error.key ?? '')}: ${error.message}`);
}
