import type { ListMeta } from './object-meta.js';

/** The machine-readable reason of a failure (spec 8.2). */
export type StatusReason =
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Gone'
  | 'Expired'
  | 'Invalid'
  | 'ServerTimeout'
  | 'Timeout'
  | 'TooManyRequests'
  | 'BadRequest'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'RequestEntityTooLarge'
  | 'UnsupportedMediaType'
  | 'InternalError'
  | 'ServiceUnavailable';

/** The machine-readable reason of one cause of a failure (spec 8.4). Policies may add their own. */
export type CauseReason =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError'
  | 'UnexpectedServerResponse'
  | 'FieldManagerConflict'
  | 'ResourceVersionTooLarge'
  | 'NamespaceTerminating'
  | (string & {});

/** One cause of a failure, such as an invalid field. */
export interface StatusCause {
  readonly reason?: CauseReason;
  readonly message?: string;
  readonly field?: string;
}

/** The details of a failure: the object that it concerns, and its causes. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  /** The plural name of a resource or a kind, depending on the failure (spec 8.1). */
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  /** The seconds after which the client may try again. They are also sent as the header Retry-After. */
  readonly retryAfterSeconds?: number;
}

/** The body of every failure, and of deletions that return no object. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: ListMeta;
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: StatusReason;
  readonly details?: StatusDetails;
  readonly code?: number;
}
