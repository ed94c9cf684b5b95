import { anonymousUser, unauthenticatedGroup } from '../../authentication/authenticated-group.js';
import type { AuthenticationResult } from '../../authentication/authenticator.js';
import { apiError } from '../../meta/api-error.js';
import { type Flow, run, settled } from '../../meta/flow.js';
import { annotate, type Exchange } from '../exchange.js';
import type { Result } from '../result.js';
import { tooManyRequests } from './limit-requests.js';

/**
 * The error is shared, because capturing a stack would be the largest cost of a refusal, and requests that guess credentials must be cheap.
 */
const UNAUTHORIZED = Object.freeze(apiError.unauthorized());

/**
 * Authenticates the caller (spec 11.1), or refuses the request if too many authentications are in progress.
 * @throws ApiError 401.
 */
export function authenticate(exchange: Exchange): Result | undefined | Promise<undefined> {
  if (exchange.caller) {
    exchange.user = exchange.caller.user;
    return undefined;
  }
  const { authenticating } = exchange.environment.inFlight;
  const source = exchange.request.remoteAddress ?? '';
  if (authenticating.isFull(source)) return tooManyRequests(exchange);
  const waiting = run(authenticateRequest(exchange));
  if (waiting === undefined) return undefined;
  authenticating.take(source);
  return waiting.finally(() => authenticating.release(source));
}

function* authenticateRequest(exchange: Exchange): Flow<undefined> {
  const { request, environment, path } = exchange;
  const { headers, peerCertificates } = request;
  const credentials = peerCertificates ? { headers, path, peerCertificates } : { headers, path };
  const { meter } = environment;
  const result = yield* settled(environment.authenticator.authenticate(credentials));
  meter?.authenticated(exchange, result);
  if (result.outcome !== 'skipped' && result.annotations)
    for (const [key, value] of Object.entries(result.annotations)) annotate(exchange, key, value);
  if (result.outcome !== 'rejected') for (const warning of result.warnings ?? []) exchange.warnings.add(warning);
  if (result.outcome === 'authenticated') exchange.user = result.user;
  // Unauthenticated callers could send many requests at once over HTTP/2, so their connections are closed (spec 1.14).
  const { UnauthenticatedHTTP2DOSMitigation: closes } = environment.host.gates;
  if (request.http2 && closes && !isAuthenticated(result)) exchange.headers['Connection'] = 'close';
  if (result.outcome !== 'authenticated') throw UNAUTHORIZED;
  return undefined;
}

/** Returns whether the caller has shown who it is: an anonymous caller has not. */
function isAuthenticated(result: AuthenticationResult): boolean {
  if (result.outcome !== 'authenticated') return false;
  const { username, groups } = result.user;
  return username !== anonymousUser && groups?.includes(unauthenticatedGroup) !== true;
}
