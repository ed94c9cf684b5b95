import { privilegedGroup } from '../../authorization/privileged-groups.js';
import type { Exchange } from '../exchange.js';
import { requestKind } from '../request-info.js';
import { type Result, textResult } from '../result.js';
import { authenticate } from './authenticate.js';

const REFUSAL = 'Too many requests, please try again later.\n';

/** Finds out who calls; refuses when too many wait for that already. @throws ApiError 401. */
export function authenticateInTurn(exchange: Exchange): Result | undefined | Promise<Result | undefined> {
  const { authenticating } = exchange.environment.inFlight;
  if (authenticating.full && exchange.localUser === undefined) return tooManyRequests();
  const waiting = authenticate(exchange);
  if (waiting === undefined) return undefined;
  authenticating.take();
  return waiting.finally(() => authenticating.release());
}

/**
 * Takes a slot for a request, or refuses it. Members of system:masters are always
 * served: somebody has to be able to mend things.
 */
export function limitInFlight(exchange: Exchange): Result | undefined {
  const { info, user, environment } = exchange;
  const slots = requestKind(info) === 'readOnly' ? environment.inFlight.reading : environment.inFlight.mutating;
  if (slots.full) return user.groups?.includes(privilegedGroup) === true ? undefined : tooManyRequests();
  exchange.place = slots.take();
  return undefined;
}

/** @param retryAfter seconds */
export function tooManyRequests(retryAfter = 1): Result {
  const refusal = textResult(429, REFUSAL);
  return refusal.type === 'raw'
    ? { ...refusal, headers: { ...refusal.headers, 'Retry-After': String(retryAfter) } }
    : refusal;
}
