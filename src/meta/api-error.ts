import { quote } from '../values/quote.js';
import type { Rulings } from './dialect.js';
import {
  causeReason,
  type FieldError,
  fieldErrorBody,
  formatFieldErrors,
  MAX_FIELD_ERRORS,
  shorten,
} from './field-error.js';
import { formatGroupKind, formatGroupResource, type GroupResource } from './group-version.js';
import type { Status, StatusCause, StatusDetails, StatusReason } from './status.js';

/**
 * An error with a failure Status. `requests/answers/respond.ts` turns it into a response. When it is printed, its code, reason and details
 * are included.
 */
export class ApiError extends Error {
  /** The HTTP status code. */
  readonly code: number;
  /** The machine-readable reason; '' if the failure has none. */
  readonly reason: StatusReason | '';
  /** The object that the failure is about, and its causes. */
  declare readonly details?: StatusDetails;
  /** The whole Status. The property is not enumerable, so that a printed error does not repeat everything. */
  declare readonly status: Status;

  static {
    // Bundlers rename classes, so both names are set explicitly; stack traces begin with the name of the prototype.
    Object.defineProperty(ApiError, 'name', { value: 'ApiError' });
    Object.defineProperty(ApiError.prototype, 'name', { value: 'ApiError', writable: true, configurable: true });
  }

  constructor(status: Status, options?: { cause?: unknown }) {
    super(status.message ?? status.reason ?? 'failure', options);
    this.code = status.code ?? 500;
    this.reason = status.reason ?? '';
    if (status.details !== undefined) this.details = status.details;
    Object.defineProperty(this, 'status', { value: status });
  }
  /** Identifies the error for other copies of this package, where `instanceof` fails. */
  get isApiError(): true {
    return true;
  }
  /**
   * Returns a copy of this failure with another code and reason. It is needed because the API dialects ({@link Dialect}) have different
   * codes for some failures.
   */
  withCode(code: number, reason: StatusReason): ApiError {
    const copy = new ApiError({ ...this.status, code, reason });
    const redacted = redactedStatuses.get(this);
    if (redacted) redactedStatuses.set(copy, { ...redacted, code, reason });
    return copy;
  }
}

/** Returns whether a caught value is an ApiError, of this or another copy of the package. */
export function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && 'isApiError' in error && error.isApiError === true;
}

/** What a redacted Status has in place of quoted content. */
export const REDACTED = '<redacted>';
/** The Statuses without quoted content, by error. */
const redactedStatuses = new WeakMap<ApiError, Status>();

/**
 * Marks an error whose Status quotes content of an object, which may be a Secret. The caller has sent or may read that content, but others
 * who learn of the failure, such as readers of audit logs, may not.
 * @param redacted the same error with {@link REDACTED} in place of the content
 */
export function quotingContent(error: ApiError, redacted: ApiError): ApiError {
  redactedStatuses.set(error, redacted.status);
  return error;
}

/** Returns the Status of an error without the content of objects that it quotes. */
export const redactedStatus = (error: ApiError): Status => redactedStatuses.get(error) ?? error.status;

/** Returns a test for a reason. If `code` is given, an error with this code and without any reason passes the test, too. */
const hasReason =
  (reason: StatusReason, code?: number) =>
  (error: unknown): error is ApiError =>
    isApiError(error) && (error.reason === reason || (error.reason === '' && error.code === code));
/** Returns whether an error means that the object or its kind does not exist. */
export const isNotFound = hasReason('NotFound', 404);
/** Returns whether an error means that another write came first, or that another field manager owns the field. */
export const isConflict = hasReason('Conflict', 409);
/** Returns whether an error means that an object with the name already exists. */
export const isAlreadyExists = hasReason('AlreadyExists');
/** Returns whether an error means that the object violates rules of its kind; `details.causes` has one entry per field. */
export const isInvalid = hasReason('Invalid', 422);
/** Returns whether an error means that the caller is not allowed to make the request. */
export const isForbidden = hasReason('Forbidden', 403);
/** Returns whether an error means that the server limits requests; `details.retryAfterSeconds` says when the caller may try again. */
export const isTooManyRequests = hasReason('TooManyRequests', 429);
/** Returns whether an error means that a version or a continue token is too old; the caller must list again. */
export const isExpired = hasReason('Expired');

/**
 * The maximum number of characters of a message, and of all causes together. It keeps the response to a large invalid request small.
 * `MAX_CAUSE` limits a single cause.
 */
const MAX_MESSAGE = 256 * 1024;
const MAX_CAUSE = 128 * 1024;

/** Returns as many causes as fit into a response. */
function boundedCauses(causes: readonly StatusCause[]): readonly StatusCause[] {
  const bounded: StatusCause[] = [];
  let length = 0;
  for (const { reason, message, field } of causes) {
    if (bounded.length >= MAX_FIELD_ERRORS || length > MAX_MESSAGE) break;
    length += (message?.length ?? 0) + (field?.length ?? 0);
    bounded.push({
      ...(reason === undefined ? {} : { reason }),
      ...(message === undefined ? {} : { message: shorten(message, MAX_CAUSE) }),
      ...(field === undefined ? {} : { field: shorten(field) }),
    });
  }
  return bounded;
}

function failure(
  code: number,
  reason: StatusReason | undefined,
  message: string,
  details?: StatusDetails,
  metadata = {},
): ApiError {
  const { name, causes } = details ?? {};
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata,
    status: 'Failure',
    message: shorten(message, MAX_MESSAGE),
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined
      ? {}
      : {
          details: {
            ...details,
            ...(name === undefined ? {} : { name: shorten(name) }),
            ...(causes === undefined ? {} : { causes: boundedCauses(causes) }),
          },
        }),
    code,
  });
}
const about = (resource: GroupResource, name: string): StatusDetails => ({
  ...(name === '' ? {} : { name }),
  ...(resource.group === '' ? {} : { group: resource.group }),
  ...(resource.resource === '' ? {} : { kind: resource.resource }),
});

/** One function for each reason of a failure, with messages and details as in spec 8.2. */
export const apiError = {
  badRequest: (message: string) => failure(400, 'BadRequest', message),
  unauthorized: () => failure(401, 'Unauthorized', 'Unauthorized'),
  forbidden(resource: GroupResource, name: string, why: string, causes?: readonly StatusCause[]) {
    const what = name === '' ? formatGroupResource(resource) : `${formatGroupResource(resource)} ${quote(name)}`;
    // A URL without a resource is reported like a path outside the API groups.
    const nothing = resource.group === '' && resource.resource === '';
    return failure(403, 'Forbidden', nothing ? `forbidden: ${why}` : `${what} is forbidden: ${why}`, {
      ...about(resource, name),
      ...(causes ? { causes } : {}),
    });
  },
  /** The failure for a refused request whose path names no resource. */
  forbiddenPath: (message: string) => failure(403, 'Forbidden', message, {}),
  notFound: (resource: GroupResource, name: string) =>
    failure(404, 'NotFound', `${formatGroupResource(resource)} ${quote(name)} not found`, about(resource, name)),
  /** The failure for a path in a served group that has no route. */
  noSuchResource: () => failure(404, 'NotFound', 'the server could not find the requested resource', {}),
  /**
   * The failure for an in-process request for a group version that is not served. Over the network, the response to such a request has no
   * Status.
   */
  notServed: (path: string) =>
    failure(
      404,
      'NotFound',
      `the server could not find the requested resource: nothing is served at ${path}; name the kind in the option "resources", or install() it`,
      {},
    ),
  methodNotAllowed: () =>
    failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {}),
  verbNotSupported: (resource: GroupResource, verb: string) =>
    failure(
      405,
      'MethodNotAllowed',
      `${verb} is not supported on resources of kind ${quote(formatGroupResource(resource))}`,
      about(resource, ''),
    ),
  /** The failure for a create of a custom resource whose definition is being deleted. */
  kindTerminates: (resource: GroupResource) =>
    failure(
      405,
      'MethodNotAllowed',
      'create not allowed while custom resource definition is terminating',
      about(resource, ''),
    ),
  notAcceptable: (message: string, details?: StatusDetails) => failure(406, 'NotAcceptable', message, details),
  alreadyExists: (resource: GroupResource, name: string) =>
    failure(
      409,
      'AlreadyExists',
      `${formatGroupResource(resource)} ${quote(name)} already exists`,
      about(resource, name),
    ),
  /** The failure for a create with the name of an object that is being deleted. */
  alreadyExistsDeleting: (resource: GroupResource, name: string) =>
    failure(
      409,
      'AlreadyExists',
      `object is being deleted: ${formatGroupResource(resource)} ${quote(name)} already exists`,
      about(resource, name),
    ),
  /**
   * The failure for a create for which every generated name was taken; the client may try again after a second.
   * @param isDeleting whether the last name belongs to an object that is being deleted
   */
  generateNameConflict: (resource: GroupResource, name: string, isDeleting = false) =>
    failure(
      409,
      'AlreadyExists',
      `${isDeleting ? 'object is being deleted: ' : ''}${formatGroupResource(resource)} ${quote(name)} already exists, the server was not able to generate a unique name for the object`,
      { ...about(resource, name), retryAfterSeconds: 1 },
    ),
  conflict: (resource: GroupResource, name: string, why: string) =>
    failure(
      409,
      'Conflict',
      `Operation cannot be fulfilled on ${formatGroupResource(resource)} ${quote(name)}: ${why}`,
      about(resource, name),
    ),
  /** The failure for a conflict of server-side apply. Its details have only causes. */
  applyConflict: (message: string, causes: readonly StatusCause[]) => failure(409, 'Conflict', message, { causes }),
  expired: (message: string, freshContinue?: string) =>
    failure(410, 'Expired', message, undefined, freshContinue === undefined ? {} : { continue: freshContinue }),
  tooLarge: (message: string) => failure(413, 'RequestEntityTooLarge', `Request entity too large: ${message}`),
  unsupportedMediaType: (message: string, details?: StatusDetails) =>
    failure(415, 'UnsupportedMediaType', message, details),
  invalid(kind: { readonly group: string; readonly kind: string }, name: string, errors: readonly FieldError[]) {
    return failure(422, 'Invalid', `${formatGroupKind(kind)} ${quote(name)} is invalid: ${formatFieldErrors(errors)}`, {
      ...(name === '' ? {} : { name }),
      ...(kind.group === '' ? {} : { group: kind.group }),
      ...(kind.kind === '' ? {} : { kind: kind.kind }),
      causes: errors
        .slice(0, MAX_FIELD_ERRORS)
        .map((e) => ({ reason: causeReason(e), message: fieldErrorBody(e), field: e.path })),
    });
  },
  /**
   * The failure for a patch that cannot be applied.
   * @param why the reason, for the message of an API dialect that reports it (spec 5.2)
   */
  unprocessable: (why?: string) =>
    failure(
      422,
      'Invalid',
      `the server rejected our request due to an error in our request${why === undefined ? '' : `: ${why}`}`,
      {},
    ),
  tooManyRequests: (message: string, retryAfterSeconds?: number) =>
    failure(429, 'TooManyRequests', message, retryAfterSeconds === undefined ? undefined : { retryAfterSeconds }),
  /**
   * The failure for an eviction that a disruption budget does not allow.
   * @param retryAfterSeconds when the client may try again. Default: the response does not say when.
   */
  overBudget: (why: string, retryAfterSeconds?: number) =>
    failure(429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.", {
      causes: [{ reason: 'DisruptionBudget', message: why }],
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    }),
  internal: (message: string) =>
    failure(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] }),
  /** The failure for an error that has no Status of its own upstream: it has the raw message and no reason. */
  unknown: (message: string) => failure(500, undefined, message),
  /** The failure for an error that only the client can cause and that has no Status of its own upstream (spec 19.20). */
  clientFault: ({ rulings }: { readonly rulings: Pick<Rulings, 'clientFault'> }, message: string) =>
    rulings.clientFault === 400 ? failure(400, 'BadRequest', message) : failure(500, undefined, message),
  serviceUnavailable: (message: string) => failure(503, 'ServiceUnavailable', message),
  timeout: (message: string, details: StatusDetails = {}) => failure(504, 'Timeout', `Timeout: ${message}`, details),
  /** The failure for a resourceVersion in the future that was not reached in time (spec 4.4). */
  tooLargeResourceVersion: (requested: bigint | number, current: number, retryAfterSeconds = 1) =>
    failure(504, 'Timeout', `Timeout: Too large resource version: ${requested}, current: ${current}`, {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      ...(retryAfterSeconds > 0 && { retryAfterSeconds }),
    }),
} as const;
