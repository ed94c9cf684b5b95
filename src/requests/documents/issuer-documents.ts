import { apiError } from '../../meta/api-error.js';
import { checkRouteAccept, routeWildcards } from '../../serialization/media-type.js';
import type { Exchange } from '../exchange.js';
import type { Result } from '../result.js';
import { serverAddress } from './server-addresses.js';

const METADATA = '/.well-known/openid-configuration';
const KEYS = '/openid/v1/jwks';

/** The paths of the issuer's documents; none when they cannot be found by the issuer's name. */
export function issuerPaths({ accountTokens }: Exchange['environment']): readonly string[] {
  return accountTokens.discoverable ? [METADATA, KEYS] : [];
}

/**
 * What others need to check tokens of service accounts without asking: who issues them and with what keys
 * (spec 14.13). Undefined for other paths. `path` is without a trailing slash.
 * @throws ApiError 405, 406.
 */
export async function issuerDocument(exchange: Exchange, path: string): Promise<Result | undefined> {
  const { request, environment } = exchange;
  if (!issuerPaths(environment).includes(path)) return undefined;
  if (request.method !== 'GET') throw apiError.methodNotAllowed();
  const mediaType = path === KEYS ? 'application/jwk-set+json' : 'application/json';
  checkRouteAccept(request.headers.get('accept'), [mediaType], routeWildcards(environment.host.dialect));
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
