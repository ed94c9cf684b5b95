import type { ApiError } from '../../meta/api-error.js';
import type { Exchange } from '../exchange.js';
import type { RequestObserver } from '../request-observer.js';
import type { Result } from '../result.js';
import { auditAnswer, auditFailure } from './audit.js';

/** Passes the result to the audit events, the interceptors and the observer of a request. */
export function noteAnswer(exchange: Exchange, result: Result): void {
  if (exchange.environment.audit) auditAnswer(exchange, result);
  exchange.interference?.observe?.({ result });
  (exchange.observer ?? lateObserver(exchange))?.answered(result);
}

/** Passes the reason of a failure to the audit events, the interceptors and the observer of a request. */
export function noteFailure(exchange: Exchange, error: unknown, known?: ApiError): void {
  if (exchange.environment.audit) auditFailure(exchange, error, known);
  exchange.interference?.observe?.({ error: known ?? error });
  (exchange.observer ?? lateObserver(exchange))?.failed(known ?? error);
}

/** Returns the observer of a request that ends before it is authenticated. */
function lateObserver(exchange: Exchange): RequestObserver | undefined {
  const { environment, info, user } = exchange;
  const { observer } = environment.interception;
  const isUnknown = user.username === '' && info.verb !== '';
  return observer !== undefined && isUnknown ? observer.observe(exchange) : undefined;
}
