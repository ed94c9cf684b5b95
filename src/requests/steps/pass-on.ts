import { isAvailable } from '../../resources/apiregistration/available.js';
import type { Exchange } from '../exchange.js';
import { forward } from '../relay/forward.js';
import { type Result, textResult } from '../result.js';

/** Passes requests for group versions that another server has on to it (spec 27.4). @throws ApiError 405, 413, 504. */
export function passOn(exchange: Exchange): Result | undefined | Promise<Result> {
  const { apiServices, backends } = exchange.environment;
  const service = apiServices.at(exchange.path);
  if (!service) return undefined;
  if (!isAvailable(service)) return unavailable();
  try {
    const { origin, fetch } = backends.find(service);
    return forward(exchange, { origin, path: exchange.path, namesUser: true, fetch });
  } catch {
    return unavailable();
  }
}

export const unavailable = (): Result => textResult(503, 'service unavailable\n');
