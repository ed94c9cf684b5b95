import { apiError } from '../meta/api-error.js';
import { isJsonObject } from '../meta/json.js';
import type { DeleteOptions } from '../registry/delete-options.js';
import { mediaTypesOf, requestMediaType } from '../serialization/media-type.js';
import { bodyBytes } from './body.js';
import { parseBody } from './decode-kind.js';
import type { Exchange } from './exchange.js';
import { readDeleteBody, readDeleteQuery } from './options.js';

/**
 * How to delete: from the body when there is one, else from the query (gap file 3.1).
 * @throws ApiError 413, 415, 400, 422, and 500 without reason for a body that does not decode.
 */
export async function readDeleteOptions(exchange: Exchange): Promise<{ readonly options: DeleteOptions; readonly dryRun: boolean }> {
  const { request, environment, query } = exchange;
  if (request.body?.type === 'object') return readDeleteBody(request.body.value, environment.dialect);
  const bytes = await bodyBytes(exchange);
  if (bytes.length === 0) return readDeleteQuery(query, environment.dialect);
  const { format } = requestMediaType(request.headers.get('content-type'), mediaTypesOf(environment.dialect));
  const { value } = await parseBody(bytes, format, 'DeleteOptions', false).catch((error: unknown) => {
    throw error instanceof Error ? apiError.unknown(error.message) : error;
  });
  if (isJsonObject(value) && value['kind'] !== undefined && value['kind'] !== 'DeleteOptions')
    throw apiError.unknown(`decoded object cannot be converted to DeleteOptions`);
  return readDeleteBody(value, environment.dialect);
}
