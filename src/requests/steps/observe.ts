import type { ApiError } from '../../meta/api-error.js';
import type { Exchange } from '../exchange.js';
import type { RequestObserver } from '../request-observer.js';
import type { Result } from '../result.js';
import { auditAnswer, auditFailure } from './audit.js';

/** Passes the answer to the audit events and to the observer of a request. */
export function noteAnswer(exchange: Exchange, result: Result): void {
  auditAnswer(exchange, result);
  observerAtEnd(exchange)?.answered(result);
}

/** Passes the reason of a failure to the audit events and to the observer of a request. */
export function noteFailure(exchange: Exchange, error: unknown, known?: ApiError): void {
  auditFailure(exchange, error, known);
  observerAtEnd(exchange)?.failed(known ?? error);
}

/** Returns the observer of a request that ends, which may be before its caller is known. */
function observerAtEnd(exchange: Exchange): RequestObserver | undefined {
  const { observer, environment, info, user } = exchange;
  if (observer !== undefined || environment.interception.observer === undefined) return observer;
  const isUnknown = user.username === '' && info.verb !== '';
  return isUnknown ? environment.interception.observer.observe(exchange) : undefined;
}
