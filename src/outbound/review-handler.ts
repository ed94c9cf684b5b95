import { isJsonObject, type JsonObject } from '../json/value.js';
import { encodeBase64Text } from '../values/base64.js';

/** What a webhook answers: a whole review, or only its `response`, whose uid is filled in. A patch may be the list of its operations. */
export type WebhookAnswer = JsonObject;

/** A webhook as a function of the review that is posted. */
export type WebhookHandler = (review: JsonObject) => WebhookAnswer | Promise<WebhookAnswer>;

/**
 * Makes a `fetch` handler of a webhook, of admission or conversion, that reads a review and returns its answer:
 * `server.services.set('default/hook', reviewHandler(({ request }) => ({ allowed: true })))`. The handler rejects where the webhook throws,
 * with TypeError where it returns something other than an object, and with SyntaxError for a request whose body is not JSON.
 */
export function reviewHandler(webhook: WebhookHandler): (request: Request) => Promise<Response> {
  return async (request) => {
    const review = (await request.json()) as JsonObject; // what an API server posts
    return Response.json(answerOf(review, await webhook(review)));
  };
}

function answerOf({ apiVersion = '', kind = '', request }: JsonObject, answer: JsonObject): JsonObject {
  if (!isJsonObject(answer)) throw new TypeError('a webhook must return an object');
  const whole = isJsonObject(answer['response']);
  const response = (whole ? answer['response'] : answer) as JsonObject; // just looked at
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
