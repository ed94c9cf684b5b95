import { DecodeError } from '../json/decode-error.js';
import type { JsonObject } from '../json/value.js';
import { apiError } from '../meta/api-error.js';
import type { RequestHeaders } from '../meta/request-headers.js';
import type { ApiRequest } from '../requests/api-request.js';
import { copyJson } from '../schema/json-objects.js';

/** Query parameters of a call; undefined ones are omitted. */
export type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Makes a request that was never bytes.
 * @throws TypeError for a body that JSON cannot represent, ApiError 400 for one that is nested too deeply
 */
export function localRequest(
  method: string,
  path: string,
  parameters: Parameters,
  options: { readonly body?: object; readonly headers: RequestHeaders; readonly signal?: AbortSignal },
): ApiRequest {
  return {
    method,
    path,
    query: queryOf(parameters),
    headers: options.headers,
    // The body is copied at the call, because the caller may change its object afterwards.
    ...(options.body === undefined ? {} : { body: { type: 'object', value: textless(options.body) } }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
}

function textless(body: object): JsonObject {
  try {
    return copyJson(body) as JsonObject; // any other value is refused by the decoder
  } catch (error) {
    throw error instanceof DecodeError ? apiError.badRequest(error.message) : error;
  }
}

function queryOf(parameters: Parameters): string {
  let query: URLSearchParams | undefined;
  for (const name in parameters) {
    const value = parameters[name];
    if (value !== undefined) (query ??= new URLSearchParams()).append(name, String(value));
  }
  return query === undefined ? '' : query.toString();
}
