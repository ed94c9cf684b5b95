import { apiError } from '../../meta/api-error.js';
import { type Flow, run, settled } from '../../meta/flow.js';
import { annotate, type Exchange } from '../exchange.js';

/** Finds out who is calling (spec 11.1). @throws ApiError 401. */
export function authenticate(exchange: Exchange): undefined | Promise<undefined> {
  if (!exchange.localUser) return run(authenticateRequest(exchange));
  exchange.user = exchange.localUser;
  return undefined;
}

function* authenticateRequest(exchange: Exchange): Flow<undefined> {
  const { request, environment, path } = exchange;
  const { headers, peerCertificates } = request;
  const credentials = peerCertificates ? { headers, path, peerCertificates } : { headers, path };
  const { meter } = environment;
  const result = yield* settled(environment.authenticator.authenticate(credentials));
  meter?.authenticated(result, exchange.since);
  if (result.outcome !== 'skipped' && result.annotations)
    for (const [key, value] of Object.entries(result.annotations)) annotate(exchange, key, value);
  if (result.outcome !== 'rejected') for (const warning of result.warnings ?? []) exchange.warnings.add(warning);
  if (result.outcome !== 'authenticated') throw apiError.unauthorized();
  exchange.user = result.user;
  return undefined;
}
