import type { Exchange } from '../exchange.js';
import { emptyResult, type Result } from '../result.js';

/** What pages of an allowed origin may send and read, as upstream lists it. */
const CROSS_ORIGIN = {
  'Access-Control-Allow-Methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
  'Access-Control-Allow-Headers':
    'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
  'Access-Control-Expose-Headers': 'Date',
  'Access-Control-Allow-Credentials': 'true',
};

/** Tells browsers to come by HTTPS only, where that is wanted (spec 1.13). */
export function demandHttps({ environment, headers }: Exchange): undefined {
  const { strictTransportSecurity } = environment.browsers;
  if (strictTransportSecurity !== undefined) headers['Strict-Transport-Security'] = strictTransportSecurity;
  return undefined;
}

/** Tells a browser that a page of this origin may read the answer; the question whether it may ask ends here (spec 1.13). */
export function allowOrigin({ environment, request, headers }: Exchange): Result | undefined {
  const { allowOrigin: allows } = environment.browsers;
  const origin = allows && request.headers.get('origin');
  if (!origin || !allows(origin)) return undefined;
  Object.assign(headers, { 'Access-Control-Allow-Origin': origin, ...CROSS_ORIGIN });
  return request.method === 'OPTIONS' ? emptyResult(204) : undefined;
}
