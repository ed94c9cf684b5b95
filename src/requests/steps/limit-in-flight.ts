import { privilegedGroup } from '../../authorization/privileged-groups.js';
import type { Exchange } from '../exchange.js';
import type { RequestInfo } from '../request-info.js';
import { type Result, textResult } from '../result.js';
import { authenticate } from './authenticate.js';

const READING: ReadonlySet<string> = new Set(['get', 'list', 'watch']);
const LONG_VERBS: ReadonlySet<string> = new Set(['watch', 'proxy']);
const LONG_SUBRESOURCES: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);
const REFUSAL = 'Too many requests, please try again later.\n';

/** Finds out who calls; refuses when too many wait for that already. @throws ApiError 401. */
export function authenticateInTurn(exchange: Exchange): Result | undefined | Promise<Result | undefined> {
  const { authenticating } = exchange.environment.inFlight;
  if (authenticating.full && exchange.localUser === undefined) return tooManyRequests();
  const waiting = authenticate(exchange);
  if (waiting === undefined) return undefined;
  authenticating.taken++;
  return waiting.finally(() => {
    authenticating.taken--;
  });
}

/**
 * Takes a slot for a request, or refuses it. Requests that last are not counted, and members of system:masters are always
 * served: somebody has to be able to mend things.
 */
export function limitInFlight(exchange: Exchange): Result | undefined {
  const { info, user, environment } = exchange;
  if (isLongRunning(info)) return undefined;
  const slots = READING.has(info.verb) ? environment.inFlight.reading : environment.inFlight.mutating;
  if (slots.full) return user.groups?.includes(privilegedGroup) === true ? undefined : tooManyRequests();
  slots.taken++;
  exchange.slots = slots;
  return undefined;
}

/** Gives the slot of a request back, once. */
export function leaveFlight(exchange: Exchange): void {
  if (exchange.slots === undefined) return;
  exchange.slots.taken--;
  exchange.slots = undefined;
}

/** Whether a request lasts as long as its caller wants. */
export function isLongRunning({ resourceRequest, verb, subresource }: RequestInfo): boolean {
  return resourceRequest && (LONG_VERBS.has(verb) || LONG_SUBRESOURCES.has(subresource));
}

function tooManyRequests(): Result {
  const refusal = textResult(429, REFUSAL);
  return refusal.type === 'raw' ? { ...refusal, headers: { ...refusal.headers, 'Retry-After': '1' } } : refusal;
}
