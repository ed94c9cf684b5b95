import type { JsonObject } from '../json/value.js';
import type { RequestHeaders } from '../meta/request-headers.js';
import type { ApiRequest } from '../requests/api-request.js';

/** Query parameters of a call; undefined ones are left out. */
export type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

/** A request that never was bytes. */
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
    ...(options.body === undefined ? {} : { body: { type: 'object', value: options.body as JsonObject } }), // read by the decoder only
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
}

function queryOf(parameters: Parameters): string {
  let query: URLSearchParams | undefined;
  for (const name in parameters) {
    const value = parameters[name];
    if (value !== undefined) (query ??= new URLSearchParams()).append(name, String(value));
  }
  return query === undefined ? '' : query.toString();
}
