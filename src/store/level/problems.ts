import { messageOf } from '../../values/message-of.js';
import { StoreError } from '../storage.js';
import { RecordError } from './record.js';

/** Matches the error messages of operating systems when the disk is full. */
const FULL = /no space left|disk quota exceeded|file too large|ENOSPC|EDQUOT|EFBIG|not enough space/i;
const READ_ONLY = /read-only|permission denied|EROFS|EACCES|EPERM/i;

/** Throws the error of a damaged record. Callers that cannot use a damaged database pass this function as `onProblem`. */
export function throwProblem(problem: RecordError): never {
  throw problem;
}

/** Returns an error that says why a database could not be opened, and what to do. */
export function explainOpenError(name: string, error: unknown): Error {
  if (error instanceof RecordError) return new Error(`${name} cannot be used: ${error.message}`, { cause: error });
  const { code, text } = causeOf(error);
  if (code === 'LEVEL_LOCKED')
    return new Error(`${name} is in use by another process: stop that one or name another folder`, { cause: error });
  if (code === 'LEVEL_CORRUPTION')
    return new Error(`${name} is damaged (${text}): replace it by a copy made earlier`, { cause: error });
  if (FULL.test(text)) return new Error(`${name} cannot be opened: the disk is full (${text})`, { cause: error });
  if (READ_ONLY.test(text)) return new Error(`${name} cannot be written (${text})`, { cause: error });
  return new Error(`${name} cannot be opened: ${text}`, { cause: error });
}

/** Returns the error for writes that could not be committed. */
export function writeError(name: string, error: unknown): StoreError {
  const { text } = causeOf(error);
  return FULL.test(text)
    ? new StoreError('storageFull', `${name}: the disk is full (${text})`, { cause: error })
    : new StoreError('unavailable', `${name} cannot be written: ${text}`, { cause: error });
}

/**
 * Returns the code and message of the cause. An `abstract-level` database wraps the cause of a failed opening in an error whose message
 * only says that it is not open.
 */
function causeOf(error: unknown): { readonly code: unknown; readonly text: string } {
  let cause = error;
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause;
  const { code } = (typeof cause === 'object' && cause !== null ? cause : {}) as { readonly code?: unknown };
  return { code, text: messageOf(cause) };
}
