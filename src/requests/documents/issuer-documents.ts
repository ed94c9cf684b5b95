import { apiError } from '../../meta/api-error.js';
import { checkRouteAccept } from '../../serialization/media-type.js';
import type { Exchange } from '../exchange.js';
import type { Result } from '../result.js';
import { serverAddress } from './server-addresses.js';

const METADATA = '/.well-known/openid-configuration';
const KEYS = '/openid/v1/jwks';
/** The paths of the issuer's documents. They are served if the issuer's name is a URL at which clients can find them (`discoverable`). */
export const ISSUER_PATHS: readonly string[] = [METADATA, KEYS];

/**
 * Serves the OpenID documents with which relying parties verify service account tokens themselves: the provider metadata and the keys (spec
 * 14.13).
 * @param path one of {@link ISSUER_PATHS}.
 * @throws ApiError 405, 406.
 */
export async function issuerDocument(exchange: Exchange, path: string): Promise<Result> {
  const { request, environment } = exchange;
  if (request.method !== 'GET') throw apiError.methodNotAllowed();
  const mediaType = path === KEYS ? 'application/jwk-set+json' : 'application/json';
  checkRouteAccept(request.headers.get('accept'), [mediaType], environment.host.dialect);
  const keySet = await environment.accountTokens.jwks();
  const document = path === KEYS ? keySet : metadata(exchange, keySet.keys);
  return {
    type: 'raw',
    status: 200,
    headers: { 'Content-Type': mediaType, 'Cache-Control': 'public, max-age=3600' },
    body: [new TextEncoder().encode(JSON.stringify(document))],
  };
}

function metadata(exchange: Exchange, keys: readonly { readonly alg: string }[]): object {
  const { issuer, jwksUri } = exchange.environment.accountTokens;
  return {
    issuer: issuer.issuer,
    jwks_uri: jwksUri ?? `https://${serverAddress(exchange) || 'localhost'}${KEYS}`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...new Set(keys.map(({ alg }) => alg))].sort(),
  };
}
