import { apiError } from '../../meta/api-error.js';
import type { Exchange } from '../exchange.js';
import { type Result, textResult } from '../result.js';

/** Who looks how the server is, or what it counted, is answered to the end. */
const EXEMPT: readonly string[] = ['/readyz', '/livez', '/healthz', '/metrics'];
const MESSAGE = 'The apiserver is shutting down, please try again later.\n';

/** Sends a request away that comes while the server ends (spec 1.12). @throws ApiError 503. */
export function sendAway({ environment, request, path, headers }: Exchange): Result | undefined {
  const { shutdown, host } = environment;
  const { stage } = shutdown;
  if (stage === 'serving' || EXEMPT.some((prefix) => path.startsWith(prefix))) return undefined;
  // So are servers of this kind, as which this one asks itself.
  if (request.headers.get('user-agent')?.startsWith(`${host.dialect.apiServerName}/`)) return undefined;
  if (stage === 'retry') {
    // The client comes back over another connection, by then perhaps to another server.
    Object.assign(headers, { Connection: 'close', 'Retry-After': '5' });
    return textResult(429, MESSAGE);
  }
  Object.assign(headers, { 'Retry-After': '1', 'X-Content-Type-Options': 'nosniff' });
  throw apiError.serviceUnavailable('apiserver is shutting down');
}
