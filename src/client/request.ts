import { DecodeError } from '../json/decode-error.js';
import type { JsonObject } from '../json/value.js';
import { apiError } from '../meta/api-error.js';
import type { RequestHeaders } from '../meta/request-headers.js';
import type { ApiRequest } from '../requests/api-request.js';
import { copyJson } from '../schema/json-objects.js';

/** Query parameters of a call; undefined ones are left out. */
export type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

/** A request that never was bytes. @throws TypeError for a body that JSON cannot say, ApiError 400 for one that is nested too deep */
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
    // As it is when the call is made: the caller may use its object for the next one.
    ...(options.body === undefined ? {} : { body: { type: 'object', value: textless(options.body) } }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
}

function textless(body: object): JsonObject {
  try {
    return copyJson(body) as JsonObject; // or something else, which the decoder refuses
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
