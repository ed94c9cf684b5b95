import { apiError } from '../meta/api-error.js';
import type { Exchange } from './exchange.js';

/** Finds out who is calling (document 2, section 5.1). @throws ApiError 401. */
export function authenticate(exchange: Exchange): undefined | Promise<undefined> {
  if (!exchange.localUser) return authenticateRequest(exchange);
  exchange.user = exchange.localUser;
  return undefined;
}

async function authenticateRequest(exchange: Exchange): Promise<undefined> {
  const { request, environment } = exchange;
  const { headers, peerCertificates } = request;
  const result = await environment.authenticator.authenticate({
    headers,
    path: exchange.path,
    ...(peerCertificates ? { peerCertificates } : {}),
  });
  if (result.outcome !== 'rejected') for (const warning of result.warnings ?? []) exchange.warnings.add(warning);
  if (result.outcome !== 'authenticated') throw apiError.unauthorized();
  exchange.user = result.user;
  return undefined;
}
