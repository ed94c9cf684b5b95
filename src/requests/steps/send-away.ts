import { apiError } from '../../meta/api-error.js';
import { encodeText, stringifyJson } from '../../serialization/json/encode.js';
import type { Exchange } from '../exchange.js';
import { isLongRunning } from '../request-info.js';
import { type Result, textResult } from '../result.js';

/** Who looks how the server is, or what it counted, is answered to the end. */
const EXEMPT: readonly string[] = ['/readyz', '/livez', '/healthz', '/metrics'];
const MESSAGE = 'The apiserver is shutting down, please try again later.\n';
export const ENDING = 'apiserver is shutting down';

/** Sends a request elsewhere that comes while the server ends, where that is wanted (spec 1.12). */
export function sendAway(exchange: Exchange): Result | undefined {
  if (exchange.environment.shutdown.stage !== 'retry' || isExempt(exchange)) return undefined;
  // The client comes back over another connection, by then perhaps to another server.
  Object.assign(exchange.headers, { Connection: 'close', 'Retry-After': '5' });
  return textResult(429, MESSAGE);
}

/** Refuses what the end of the server would have to wait for; nothing waits for what lasts as long as its caller wants (spec 1.12). */
export function refuseAtEnd(exchange: Exchange): Result | undefined {
  const { environment, info } = exchange;
  if (environment.shutdown.stage !== 'unavailable' || isLongRunning(info) || isExempt(exchange)) return undefined;
  const headers = { 'Content-Type': 'application/json', 'Retry-After': '1', 'X-Content-Type-Options': 'nosniff' };
  // JSON whatever form was asked for, and two line ends, as the reference has it.
  const body = encodeText(`${stringifyJson(apiError.serviceUnavailable(ENDING).status)}\n\n`);
  return { type: 'raw', status: 503, headers, body: [body] };
}

function isExempt({ environment, request, path }: Exchange): boolean {
  // So are servers of this kind, as which this one asks itself.
  const own = `${environment.host.dialect.apiServerName}/`;
  return (
    EXEMPT.some((prefix) => path.startsWith(prefix)) || request.headers.get('user-agent')?.startsWith(own) === true
  );
}
