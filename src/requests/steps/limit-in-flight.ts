import { privilegedGroup } from '../../authorization/privileged-groups.js';
import type { Exchange } from '../exchange.js';
import { requestKind } from '../request-info.js';
import { type Result, textResult } from '../result.js';

const REFUSAL = 'Too many requests, please try again later.\n';

/**
 * Takes a slot for a request, or refuses it. Members of system:masters are always served, so that an operator can repair an overloaded
 * server.
 */
export function limitInFlight(exchange: Exchange): Result | undefined {
  const { info, user, environment } = exchange;
  const slots = requestKind(info) === 'readOnly' ? environment.inFlight.reading : environment.inFlight.mutating;
  if (slots.full) return user.groups?.includes(privilegedGroup) === true ? undefined : tooManyRequests();
  exchange.slot = slots.take();
  return undefined;
}

/**
 * Returns the 429 of a request that is refused for load.
 * @param retryAfter seconds
 */
export function tooManyRequests(retryAfter = 1): Result {
  const refusal = textResult(429, REFUSAL);
  return refusal.type === 'raw'
    ? { ...refusal, headers: { ...refusal.headers, 'Retry-After': String(retryAfter) } }
    : refusal;
}
