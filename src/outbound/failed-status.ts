import { isJsonObject, parseJsonOrUndefined } from '../json/value.js';
import { quote } from '../values/quote.js';

const TEXTS: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  406: 'the server was unable to respond with a content type that the client supports',
  409: 'the server reported a conflict',
  415: 'the body of the request was in an unknown format - accepted media types include: ',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};
/** The maximum number of characters of another server's message that are included in an error. */
const MAX_REPEATED = 1024;

/** The other server responded with a status that reports a failure. The message is that of client-go. */
export class FailedStatusError extends Error {
  override readonly name = 'FailedStatusError';
  readonly status: number;

  constructor(status: number, contentType: string, text: string) {
    super(failedStatusMessage(status, contentType, text));
    this.status = status;
  }
}

/** The last status that client-go takes for a success. */
const LAST_SUCCESS = 206;
export const isSuccess = (status: number): boolean => status >= 200 && status <= LAST_SUCCESS;

/** Returns client-go's error for a successful response without a body. Without a content type, the response has that of the request. */
export const emptyAnswer = (status: number, contentType: string): Error =>
  new Error(`0-length response with status code: ${status} and content type: ${contentType || 'application/json'}`);

/**
 * Returns the message that client-go gives for an unsuccessful response (spec 12.12). The body of a response without a content type counts
 * as text.
 */
export function failedStatusMessage(status: number, contentType: string, text: string): string {
  const own = statusMessage(text);
  if (own !== undefined) return own.slice(0, MAX_REPEATED);
  const bodyText =
    contentType === '' || contentType.startsWith('text/') ? text.trim().slice(0, MAX_REPEATED) : 'unknown';
  if (status === 403 || status === 503) return bodyText;
  if (status >= 500 && status !== 504)
    return `an error on the server (${quote(bodyText)}) has prevented the request from succeeding`;
  return TEXTS[status] ?? `the server responded with the status code ${status} but did not return more information`;
}

/** Returns the message of a Status object that reports a failure; undefined for any other text. */
function statusMessage(text: string): string | undefined {
  const value = parseJsonOrUndefined(text);
  if (!isJsonObject(value) || value['kind'] !== 'Status' || value['apiVersion'] !== 'v1') return undefined;
  return typeof value['message'] === 'string' && value['status'] !== 'Success' ? value['message'] : undefined;
}
