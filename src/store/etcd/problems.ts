import { messageOf } from '../../values/message-of.js';
import { StoreError } from '../storage.js';

// Only the gRPC status codes that this client uses are declared.
export const DEADLINE_EXCEEDED = 4;
const PERMISSION_DENIED = 7;
export const RESOURCE_EXHAUSTED = 8;
const OUT_OF_RANGE = 11;
export const INTERNAL = 13;
export const UNAVAILABLE = 14;
export const UNAUTHENTICATED = 16;

/** An error that etcd returned, or an error of the connection to it. */
export class EtcdError extends Error {
  override readonly name = 'EtcdError';
  /** The gRPC status code. */
  readonly code: number;
  /** Whether the request was never sent, so that it can be sent again even if it is not repeatable. */
  readonly unsent: boolean;

  constructor(code: number, message: string, { unsent = false, cause }: { unsent?: boolean; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.unsent = unsent;
  }
}

/** Returns whether another attempt may succeed, at another member of the cluster or later. */
export function mayPass(error: unknown): boolean {
  return error instanceof EtcdError && (error.code === UNAVAILABLE || error.code === DEADLINE_EXCEEDED);
}

/** Returns whether an error shows that an etcd member and this server do not trust each other's certificates. */
export const isUntrusted = (error: unknown): boolean =>
  error instanceof EtcdError && error.code === UNAUTHENTICATED && error.unsent;

/**
 * Returns whether an error shows that the auth token of a user is no longer valid. A token expires after some minutes, and when the member
 * that issued it restarts.
 */
export function isStaleToken(error: unknown): boolean {
  return (
    error instanceof EtcdError && (error.code === UNAUTHENTICATED || /auth token|revision of auth/.test(error.message))
  );
}

/** Returns whether an error shows that etcd has compacted the requested revision. */
export const isCompacted = (error: unknown): boolean =>
  error instanceof EtcdError && error.code === OUT_OF_RANGE && error.message.includes('compacted');

/** Returns whether an error shows that etcd has not yet reached the requested revision. */
export const isFuture = (error: unknown): boolean =>
  error instanceof EtcdError && error.code === OUT_OF_RANGE && error.message.includes('future');

/** Converts an error of etcd to the error that callers of the storage receive. */
export function storeErrorOf(error: unknown): unknown {
  if (error instanceof StoreError || !(error instanceof Error)) return error;
  if (!(error instanceof EtcdError)) return error;
  const isFull = error.code === RESOURCE_EXHAUSTED && error.message.includes('space exceeded');
  return isFull
    ? new StoreError('storageFull', `etcd: ${error.message}`, { cause: error })
    : new StoreError('unavailable', `etcd: ${error.message}`, { cause: error });
}

/** Returns an error that says why etcd could not be opened, and what to do. */
export function explainOpenError(endpoints: readonly string[], error: unknown): Error {
  const where = endpoints.join(', ');
  const text = messageOf(error);
  const code = error instanceof EtcdError ? error.code : undefined;
  if (code === UNAUTHENTICATED || code === PERMISSION_DENIED || /auth|user name|certificate|TLS|SSL/i.test(text))
    return new Error(`etcd at ${where} refuses this server: ${text}`, { cause: error });
  return new Error(`etcd at ${where} cannot be used: ${text}`, { cause: error });
}
