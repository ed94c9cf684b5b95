import { isJsonObject, type JsonObject } from '../json/value.js';
import { encodeBase64Text } from '../values/base64.js';

/**
 * The result of a webhook function: a whole review, or only its `response`, to which the uid is added. A patch may be a list of operations.
 */
export type WebhookAnswer = JsonObject;

/** A webhook as a function, which receives the review that the API server sends. */
export type WebhookHandler = (review: JsonObject) => WebhookAnswer | Promise<WebhookAnswer>;

/**
 * Creates a `fetch` handler from the function of an admission or conversion webhook: `server.services.set('default/hook', reviewHandler(({
 * request }) => ({ allowed: true })))`. The handler rejects when the function throws, with TypeError when it returns something other than
 * an object, and with SyntaxError when the request body is not JSON.
 */
export function reviewHandler(webhook: WebhookHandler): (request: Request) => Promise<Response> {
  return async (request) => {
    const review = (await request.json()) as JsonObject; // The cast is safe, because API servers post only reviews.
    return Response.json(answerOf(review, await webhook(review)));
  };
}

function answerOf({ apiVersion = '', kind = '', request }: JsonObject, answer: JsonObject): JsonObject {
  if (!isJsonObject(answer)) throw new TypeError('a webhook must return an object');
  const whole = isJsonObject(answer['response']);
  const response = (whole ? answer['response'] : answer) as JsonObject; // `isJsonObject` was called on the value, so the cast is safe.
  const { patch } = response;
  const uid = isJsonObject(request) ? (request['uid'] ?? '') : '';
  const operations = Array.isArray(patch) && patch.length > 0;
  const { patch: _list, ...others } = response;
  return {
    apiVersion,
    kind,
    ...(whole ? answer : {}),
    response: {
      uid,
      ...(Array.isArray(patch) ? others : response),
      ...(operations ? { patchType: 'JSONPatch', patch: encodeBase64Text(JSON.stringify(patch)) } : {}),
    },
  };
}
