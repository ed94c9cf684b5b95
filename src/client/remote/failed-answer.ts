import { isJsonObject, parseJsonOrUndefined } from '../../json/value.js';
import { ApiError } from '../../meta/api-error.js';
import type { Status, StatusReason } from '../../meta/status.js';
import { failedStatusMessage } from '../../outbound/failed-status.js';

const REASONS: Readonly<Record<number, StatusReason>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** Returns a JSON value as a Status if it is one. */
export function statusOf(body: unknown): Status | undefined {
  if (!isJsonObject(body) || body['kind'] !== 'Status' || body['apiVersion'] !== 'v1') return undefined;
  // Only `kind` and `apiVersion` are checked. All other members are accepted as the server sent them.
  return body as unknown as Status;
}

/** Returns the error of a failed response: the server's own Status, or one made from the HTTP status (spec 12.12). */
export function failedAnswer(method: string, response: Response, text: string): ApiError {
  const { status: code, headers } = response;
  const own = statusOf(parseJsonOrUndefined(text));
  if (own && own.status !== 'Success') return new ApiError({ code, ...own });
  const reason = code === 409 && method === 'POST' ? 'AlreadyExists' : (REASONS[code] ?? internal(code));
  const retryAfter = retryAfterOf(response);
  const message = failedStatusMessage(code, headers.get('content-type') ?? '', text);
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason === undefined ? {} : { reason }),
    ...(retryAfter === undefined ? {} : { details: { retryAfterSeconds: retryAfter } }),
    code,
  });
}

const internal = (code: number): StatusReason | undefined => (code >= 500 ? 'InternalError' : undefined);

/** Returns the seconds of the header Retry-After; undefined if the header is absent or is not a whole number. */
export function retryAfterOf({ headers }: Response): number | undefined {
  const text = headers.get('retry-after') ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
