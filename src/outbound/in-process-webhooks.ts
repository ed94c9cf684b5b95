import { isJsonObject, type JsonObject } from '../json/value.js';
import type { Fetch, FetchOptions } from '../meta/fetch.js';
import { encodeBase64Text } from '../values/base64.js';

/** What a handler answers: a whole review, or only its `response`, whose uid is filled in. A patch may be the list of its operations. */
export type WebhookAnswer = JsonObject;

/** A webhook in this process: a function of the review that is posted, or what answers requests as `fetch` handlers do. */
export type WebhookHandler =
  | ((review: JsonObject) => WebhookAnswer | Promise<WebhookAnswer>)
  | { fetch(request: Request): Response | Promise<Response> };

const URL_FORM = /^inproc:\/\/([^/?#]+)/;

/**
 * Webhooks that this process serves itself: configurations name them by the URL `inproc://name`. No port, no certificate. A URL
 * of this form is refused as any other that is not https until a handler is registered under its name.
 */
export class InProcessWebhooks {
  readonly #handlers = new Map<string, WebhookHandler>();

  /**
   * Registers the handler of `inproc://name`, in place of one before.
   * @throws TypeError for a name that a URL cannot have as its host.
   */
  set(name: string, handler: WebhookHandler): this {
    if (URL_FORM.exec(`inproc://${name}`)?.[1] !== name)
      throw new TypeError(`webhook handler "${name}": a name is one word, without / ? #`);
    this.#handlers.set(name, handler);
    return this;
  }

  /** Calls that come later fail. @returns whether there was one. */
  delete(name: string): boolean {
    return this.#handlers.delete(name);
  }

  /** Whether a URL is that of a handler. */
  serves(url: string): boolean {
    const name = URL_FORM.exec(url)?.[1];
    return name !== undefined && this.#handlers.has(name);
  }

  /** Requests to handlers stay here; all others go on. */
  withHandlers(fetch: Fetch): Fetch {
    const withHandlers = async (url: string, options: FetchOptions): Promise<Response> => {
      const name = URL_FORM.exec(url)?.[1];
      if (name === undefined) return await fetch(url, options);
      const handler = this.#handlers.get(name);
      if (!handler) throw new Error(`no handler is registered for inproc://${name}`);
      const { method, headers, body = '', signal } = options;
      if (typeof handler !== 'function') {
        const plain = url.replace(/^inproc:/, 'http:');
        return await handler.fetch(new Request(plain, { method, headers, body, ...(signal ? { signal } : {}) }));
      }
      const review = JSON.parse(body) as JsonObject; // what this server wrote
      const answer = answerOf(review, await handler(review));
      return new Response(JSON.stringify(answer), { headers: { 'content-type': 'application/json' } });
    };
    return Object.assign(withHandlers, fetch);
  }
}

/** @throws TypeError for what is not an answer. */
function answerOf({ apiVersion = '', kind = '', request }: JsonObject, answer: JsonObject): JsonObject {
  if (!isJsonObject(answer)) throw new TypeError('the handler of a webhook must return an object');
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
