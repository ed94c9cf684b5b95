import { apiError } from '../meta/api-error.js';
import type { Exchange } from './exchange.js';

/** Finds out who is calling (document 2, section 5.1). @throws ApiError 401. */
export async function authenticate(exchange: Exchange): Promise<undefined> {
  const { request, environment, localUser } = exchange;
  if (localUser) {
    exchange.user = localUser;
    return undefined;
  }
  const { headers, peerCertificates } = request;
  const result = await environment.authenticator.authenticate({ headers, path: exchange.path, ...(peerCertificates ? { peerCertificates } : {}) });
  if (result.outcome !== 'authenticated') throw apiError.unauthorized();
  exchange.user = result.user;
  return undefined;
}
