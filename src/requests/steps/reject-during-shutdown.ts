import { apiError } from '../../meta/api-error.js';
import { encodeText, stringifyJson } from '../../serialization/json/encode.js';
import type { Exchange } from '../exchange.js';
import { isLongRunning } from '../request-info.js';
import { type Result, textResult } from '../result.js';

/** Paths of health checks and metrics. They are served until the server has stopped. */
const EXEMPT: readonly string[] = ['/readyz', '/livez', '/healthz', '/metrics'];
const MESSAGE = 'The apiserver is shutting down, please try again later.\n';
const ENDING = 'apiserver is shutting down';

/** Answers a request during shutdown with 429, if configured (spec 1.12). */
export function rejectDuringShutdown(exchange: Exchange): Result | undefined {
  if (exchange.environment.shutdown.stage !== 'retry' || isExempt(exchange)) return undefined;
  // Closing the connection makes the client reconnect, by then perhaps to another server.
  Object.assign(exchange.headers, { Connection: 'close', 'Retry-After': '5' });
  return textResult(429, MESSAGE);
}

/**
 * Refuses a request that the shutdown would have to wait for. Long-running requests pass, because the shutdown does not wait for them (spec
 * 1.12).
 */
export function refuseAtEnd(exchange: Exchange): Result | undefined {
  const { environment, info } = exchange;
  if (environment.shutdown.stage !== 'unavailable' || isLongRunning(info) || isExempt(exchange)) return undefined;
  const headers = { 'Content-Type': 'application/json', 'Retry-After': '1', 'X-Content-Type-Options': 'nosniff' };
  // As in upstream, the body is JSON whatever was negotiated, and two newlines follow it.
  const body = encodeText(`${stringifyJson(apiError.serviceUnavailable(ENDING).status)}\n\n`);
  return { type: 'raw', status: 503, headers, body: [body] };
}

function isExempt({ environment, request, path }: Exchange): boolean {
  // Requests with the user agent of an API server are exempt, too, because the server's requests to itself have it.
  const own = `${environment.host.dialect.apiServerName}/`;
  return (
    EXEMPT.some((prefix) => path.startsWith(prefix)) || request.headers.get('user-agent')?.startsWith(own) === true
  );
}
