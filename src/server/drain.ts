import { awaitedTimer, sleep } from '../meta/clock.js';
import { closeWithAudit, type ServerParts } from './parts.js';

const SHUTDOWN_GRACE = 10_000;

/** Waits for `shutdown.delay`, and with `shutdown.sendRetryAfter` until the requests in flight are answered. */
export async function letClientsLeave(parts: ServerParts): Promise<void> {
  const { environment, resolved } = parts;
  const { delay = 0, sendRetryAfter = false } = resolved.options.shutdown ?? {};
  if (delay > 0) await sleep(environment.host.clock, delay, undefined, 'delay of the shutdown');
  if (!sendRetryAfter) return;
  environment.shutdown.stage = 'retry';
  await untilAnswered(parts);
}

/** Ends the controllers, refuses further requests, waits for those in flight and closes everything. */
export async function finish(parts: ServerParts): Promise<void> {
  const { controllers, environment } = parts;
  await controllers.close();
  if (environment.shutdown.stage === 'serving') environment.shutdown.stage = 'unavailable';
  await untilAnswered(parts);
  await closeWithAudit(parts);
}

/** Waits until no request is in flight, but at most `shutdown.grace`. */
async function untilAnswered({ environment, resolved }: ServerParts): Promise<void> {
  const { host, shutdown } = environment;
  const { grace = SHUTDOWN_GRACE } = resolved.options.shutdown ?? {};
  let cancel = () => {};
  const timeout = new Promise<void>((resolve) => {
    cancel = awaitedTimer(host.clock, resolve, grace, 'end of the grace for requests in flight');
  });
  await Promise.race([shutdown.idle(), timeout]);
  cancel();
}
