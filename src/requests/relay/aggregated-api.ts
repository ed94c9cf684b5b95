import { isAvailable } from '../../resources/apiregistration/api-service.js';
import type { APIService } from '../../resources/apiregistration/apiregistration-v1.types.js';
import type { Exchange } from '../exchange.js';
import { type Result, textResult } from '../result.js';
import type { Destination } from './forward.js';

/**
 * Forwards a request to the server behind an APIService, unless that server is known to be unavailable (spec 24.4).
 * @throws ApiError 405, 413, 504.
 */
export function proxyToService(exchange: Exchange, service: APIService): Result | Promise<Result> {
  if (!isAvailable(service)) return unavailable(exchange);
  try {
    return send(exchange, { ...exchange.environment.backends.find(service), namesUser: true });
  } catch {
    return unavailable(exchange);
  }
}

/** Forwards a request. The module that does so is loaded with the first such request, because most servers have no aggregated APIs. */
async function send(exchange: Exchange, to: Omit<Destination, 'path'>): Promise<Result> {
  const [{ forward }, { unescapeBytes }] = await Promise.all([import('./forward.js'), import('./outgoing-url.js')]);
  return await forward(exchange, { ...to, path: unescapeBytes(exchange.request.path) });
}

function unavailable(exchange: Exchange): Result {
  exchange.environment.meter?.terminated(exchange, 'aggregator', UNAVAILABLE);
  return textResult(UNAVAILABLE, 'service unavailable\n');
}

const UNAVAILABLE = 503;
