import { isJsonObject, type JsonObject } from '../../json/value.js';
import { ApiError, apiError } from '../../meta/api-error.js';
import type { ApiObject, ListMeta } from '../../meta/object-meta.js';
import { deepFreeze } from '../../store/freeze.js';
import type { ClientAnswer } from '../connection.js';
import { statusOf } from './failed-answer.js';

/**
 * Converts the JSON text of a response to the form that in-process callers get.
 * @throws ApiError for a Status of a failure, and for a text that is not a JSON object.
 */
export function answerOf(text: string): ClientAnswer {
  const body = readJson(text);
  const status = statusOf(body);
  if (status?.status === 'Failure') throw new ApiError(status);
  deepFreeze(body);
  if (status) return { type: 'status', object: status };
  const { kind, items } = body;
  if (typeof kind === 'string' && kind.endsWith('List') && (items === null || Array.isArray(items))) {
    const named = { kind: kind.slice(0, -'List'.length), apiVersion: body['apiVersion'] };
    return {
      type: 'list',
      // The metadata of every list is a ListMeta, so the cast is safe.
      metadata: (body['metadata'] ?? {}) as unknown as ListMeta,
      items: (items ?? []).map((item) => deepFreeze({ ...named, ...(item as JsonObject) }) as unknown as ApiObject),
    };
  }
  return { type: 'object', object: body as unknown as ApiObject };
}

function readJson(text: string): JsonObject {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw apiError.internal(`the response is not JSON: ${String(error)}`);
  }
  if (!isJsonObject(body)) throw apiError.internal('the response is not an object');
  return body;
}
