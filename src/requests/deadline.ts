import type { ApiRequest } from './api-request.js';
import type { RequestEnvironment } from './exchange.js';

/** The signal of a request, made only when somebody looks at it. */
export interface Deadline {
  /** Fires when the caller is gone or the time is up. */
  readonly signal: AbortSignal;
  /** The answer is there: the time no longer counts. */
  stop(): void;
}

/** Watches over a request's time (gap file 7.3): `requestTimeout` milliseconds. A watch stops it and ends by its own. */
export function startDeadline({ clock, requestTimeout }: RequestEnvironment, request: ApiRequest): Deadline {
  let controller: AbortController | undefined;
  let cancel: (() => void) | undefined;
  return {
    get signal() {
      if (controller) return controller.signal;
      const made = new AbortController();
      controller = made;
      cancel = clock.setTimer(() => made.abort(new Error('request did not complete within the allotted timeout')), requestTimeout);
      const caller = request.signal;
      if (caller?.aborted) made.abort(caller.reason);
      else caller?.addEventListener('abort', () => made.abort(caller.reason), { once: true });
      return made.signal;
    },
    stop: () => cancel?.(),
  };
}
