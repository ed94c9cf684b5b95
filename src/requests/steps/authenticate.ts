import { anonymousUser, unauthenticatedGroup } from '../../authentication/authenticated-group.js';
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
  if (authenticating.isFull(source)) return tooManyRequests();
  const waiting = run(authenticateRequest(exchange));
  if (waiting === undefined) return undefined;
  const slot = authenticating.take(source);
  return waiting.finally(() => slot.release());
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
  keepsNoConnection(exchange, result.outcome === 'authenticated');
  if (result.outcome !== 'authenticated') throw UNAUTHORIZED;
  return undefined;
}

/** Closes HTTP/2 connections of unauthenticated callers, who could otherwise send many requests at once (spec 1.14). */
function keepsNoConnection({ environment, request, headers, user }: Exchange, isKnown: boolean): void {
  const { UnauthenticatedHTTP2DOSMitigation: isOn } = environment.host.gates;
  const isAnonymous = user.username === anonymousUser || user.groups?.includes(unauthenticatedGroup) === true;
  if (isOn && request.http2 && (!isKnown || isAnonymous)) headers['Connection'] = 'close';
}
