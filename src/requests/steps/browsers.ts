import type { Exchange } from '../exchange.js';
import { emptyResult, type Result } from '../result.js';

/** CORS headers for pages of an allowed origin, as upstream lists them. */
const CROSS_ORIGIN = {
  'Access-Control-Allow-Methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
  'Access-Control-Allow-Headers':
    'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
  'Access-Control-Expose-Headers': 'Date',
  'Access-Control-Allow-Credentials': 'true',
};

/** Asks browsers to use HTTPS only, if configured (spec 1.13). */
export function demandHttps({ environment, headers }: Exchange): undefined {
  const { strictTransportSecurity } = environment.browsers;
  if (strictTransportSecurity !== undefined) headers['Strict-Transport-Security'] = strictTransportSecurity;
  return undefined;
}

/** Allows a browser page of a configured origin to read the answer; answers a preflight request (spec 1.13). */
export function allowOrigin({ environment, request, headers }: Exchange): Result | undefined {
  const { allowOrigin: allows } = environment.browsers;
  const origin = allows && request.headers.get('origin');
  if (!origin || !allows(origin)) return undefined;
  Object.assign(headers, { 'Access-Control-Allow-Origin': origin, ...CROSS_ORIGIN });
  return request.method === 'OPTIONS' ? emptyResult(204) : undefined;
}
