import { isPrivileged } from '../../authorization/privileged-groups.js';
import type { FlowControl, FlowDecision } from '../../flow-control/flow-control.js';
import { ofDialect } from '../../meta/dialect.js';
import type { Exchange } from '../exchange.js';
import type { Slot } from '../in-flight.js';
import { isLongRunning, requestKind } from '../request-info.js';
import { type Result, textResult } from '../result.js';

/**
 * Admits a request within the limits: those of API Priority and Fairness if it is on, else the max-in-flight limits. Long-running requests
 * have limits of their own; priority and fairness applies to a watch until the watch is open.
 */
export function limitRequests(exchange: Exchange): Result | undefined | Promise<Result | undefined> {
  const { info, user, environment } = exchange;
  const { flowControl, inFlight } = environment;
  const isLong = isLongRunning(info);
  if (isLong) {
    exchange.longRunningSlot = environment.longRunning.begin(user, exchange.request.headBytes ?? 0);
    if (!exchange.longRunningSlot) return tooManyRequests(exchange);
  }
  if (flowControl) return isLong && info.verb !== 'watch' ? undefined : takeSeat(exchange, flowControl);
  if (isLong) return undefined;
  const slot = inFlight[requestKind(info)].take();
  // Members of system:masters are always served, so that an operator can repair an overloaded server.
  if (!slot) return isPrivileged(user) ? undefined : tooManyRequests(exchange);
  holdSlot(exchange, slot, exchange.since);
  return undefined;
}

/** Waits for a seat of API Priority and Fairness. */
function takeSeat(exchange: Exchange, flowControl: FlowControl): Result | undefined | Promise<Result | undefined> {
  const decision = flowControl.begin(exchange);
  if (!(decision instanceof Promise)) return resultOfDecision(exchange, decision, exchange.since);
  const { info, environment } = exchange;
  const { meter } = environment;
  if (!meter) return decision.then((decided) => resultOfDecision(exchange, decided, exchange.since));
  const since = meter.now();
  return meter.traffic.waits(requestKind(info), decision).then((decided) => {
    const now = meter.now();
    exchange.waited += now - since;
    return resultOfDecision(exchange, decided, now);
  });
}

/**
 * Gives an admitted request its slot, and counts the request among those being served.
 * @param since a clock reading, for the metrics
 */
function holdSlot(exchange: Exchange, slot: Slot, since: number): void {
  exchange.slot = slot;
  exchange.environment.meter?.traffic.begin(requestKind(exchange.info), since);
}

/**
 * Releases the slot of a request, once.
 * @param now a clock reading, if the caller has one
 */
export function releaseSlot(exchange: Exchange, now?: number): void {
  const { slot, info, environment } = exchange;
  if (!slot) return;
  exchange.slot = undefined;
  environment.meter?.traffic.end(requestKind(info), now);
  slot.release(now);
}

function resultOfDecision(exchange: Exchange, decision: FlowDecision, since: number): Result | undefined {
  const { flowSchemaUid, priorityLevelUid, retryAfter } = decision;
  exchange.flow = decision;
  const names = headerNames(exchange.environment.host.dialect);
  if (flowSchemaUid !== '') exchange.headers[names.flowSchema] = flowSchemaUid;
  if (priorityLevelUid !== '') exchange.headers[names.priorityLevel] = priorityLevelUid;
  if (retryAfter !== undefined) return tooManyRequests(exchange, retryAfter);
  holdSlot(exchange, decision, since);
  return undefined;
}

const headerNames = ofDialect(({ headerPrefix }) => ({
  flowSchema: `${headerPrefix}-PF-FlowSchema-UID`,
  priorityLevel: `${headerPrefix}-PF-PriorityLevel-UID`,
}));

const REFUSAL = 'Too many requests, please try again later.\n';

/**
 * Counts a request that is refused because of too much load, and returns its 429.
 * @param retryAfter the seconds after which the client may retry
 */
export function tooManyRequests(exchange: Exchange, retryAfter = 1): Result {
  exchange.environment.meter?.dropped(exchange);
  const refusal = textResult(429, REFUSAL);
  return { ...refusal, headers: { ...refusal.headers, 'Retry-After': String(retryAfter) } };
}
