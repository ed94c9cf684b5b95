import type { FetchOptions, OutboundBody, Upgraded } from '../meta/fetch.js';
import { yieldIfDue } from '../meta/flow.js';
import type { ServiceCaller, ServiceHandler } from '../meta/services/service-routes.js';

/** Sends a request to a handler in this process. Rejects when the handler throws or returns something other than a Response. */
export async function sendToHandler(
  handler: ServiceHandler,
  caller: ServiceCaller,
  url: string,
  options: FetchOptions,
  body?: OutboundBody,
): Promise<Response> {
  // A handler may send requests that lead to itself again. Timers must then still fire, so that these requests end at their time limits.
  await yieldIfDue();
  return requireResponse(await handler.fetch(requestOf(url, options, body), caller));
}

/** Sends a protocol upgrade request to a handler in this process. */
export async function upgradeAtHandler(
  handler: Required<ServiceHandler>,
  caller: ServiceCaller,
  url: string,
  options: FetchOptions,
): Promise<Upgraded | Response> {
  const answer = await handler.upgrade(requestOf(url, options), caller);
  return 'channel' in Object(answer) ? answer : requireResponse(answer);
}

/** Returns whether a handler accepts protocol upgrade requests. */
export const canUpgrade = (handler: ServiceHandler): handler is Required<ServiceHandler> =>
  typeof handler.upgrade === 'function';

function requestOf(url: string, options: FetchOptions, stream?: OutboundBody): Request {
  const { method, headers, repeatedHeaders = {}, bytes, body = bytes, signal } = options;
  const all = new Headers(headers);
  for (const [key, values] of Object.entries(repeatedHeaders)) for (const each of values) all.append(key, each);
  const sent = stream ? { body: stream.bytes, duplex: 'half' as const } : body === undefined ? {} : { body };
  return new Request(url, { method, headers: all, signal, ...sent });
}

/**
 * Returns the result of a handler if it is a Response, and otherwise throws a TypeError. Its members are checked instead of its class,
 * because a test runner may give its tests a class `Response` of their own.
 */
function requireResponse<T>(answer: T): T & Response {
  const { status, headers } = Object(answer) as Partial<Response>;
  // The members have been checked before the cast.
  if (typeof status === 'number' && typeof headers?.get === 'function') return answer as T & Response;
  throw new TypeError('the handler of the service returned no Response');
}
