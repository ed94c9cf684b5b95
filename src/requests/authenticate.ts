import type { AuthenticationResult } from '../authentication/authenticator.js';
import { apiError } from '../meta/api-error.js';
import type { Exchange } from './exchange.js';

/** Finds out who is calling (document 2, section 5.1). @throws ApiError 401. */
export function authenticate(exchange: Exchange): undefined | Promise<undefined> {
  if (!exchange.localUser) return authenticateRequest(exchange);
  exchange.user = exchange.localUser;
  return undefined;
}

function authenticateRequest(exchange: Exchange): undefined | Promise<undefined> {
  const { request, environment, path } = exchange;
  const { headers, peerCertificates } = request;
  const credentials = peerCertificates ? { headers, path, peerCertificates } : { headers, path };
  const answer = environment.authenticator.authenticate(credentials);
  return answer instanceof Promise ? answer.then((result) => judge(exchange, result)) : judge(exchange, answer);
}

function judge(exchange: Exchange, result: AuthenticationResult): undefined {
  if (result.outcome !== 'rejected') for (const warning of result.warnings ?? []) exchange.warnings.add(warning);
  if (result.outcome !== 'authenticated') throw apiError.unauthorized();
  exchange.user = result.user;
  return undefined;
}
