import type { Census, PendingKey } from '../controllers/controller.js';
import { awaitedTimer, sleep, systemClock } from '../meta/clock.js';
import { refuseUnknownMembers } from '../values/did-you-mean.js';
import type { ServerParts } from './parts.js';
import { Pending, type PendingRequest, type PendingWatch } from './pending.js';

/** The options of `settle`. */
export interface SettleOptions {
  /**
   * Clients outside of this process to wait for, by user name or by user agent (whole or up to the first `/`). Their requests must be
   * answered, and they must have read the events of their watches. Default: none.
   */
  readonly clients?: readonly string[];
  /**
   * What happens when a controller fails to reconcile a key. `reject` (default) retries at once, and rejects after five failures in a row.
   * `ignore` leaves the retry to the clock, as `settle()` without options does.
   */
  readonly failures?: 'reject' | 'ignore';
  /**
   * The milliseconds for which the clients in `clients` must be idle, on the machine's clock. A client that pauses for longer before its
   * next request counts as settled. Default 50.
   */
  readonly quiet?: number;
  /**
   * The milliseconds after which settling fails, on the machine's clock. Default 4,000. This is less than the test timeouts of vitest and
   * jest, so that the error can report the pending work.
   */
  readonly timeout?: number;
}

/** Why a server did not settle. */
export type NotSettledReason =
  /** A key failed each time it was reconciled, until the limit of attempts. */
  | 'failing'
  /** Reconciled keys queued further keys again and again, until the limit of attempts. */
  | 'endless'
  /** The timeout passed while something was pending: a reconciliation, a request, or a watch with unread events. */
  | 'timeout';

/** The error when a server did not settle. Its message lists the pending work. */
export class NotSettledError extends Error {
  override readonly name = 'NotSettledError';
  /** Why the server did not come to rest. */
  readonly reason: NotSettledReason;
  /** What was not at rest. */
  readonly pending: Pending;
  /** How many times keys were reconciled before the error. The number is high if controllers were busy, and low if they were waiting. */
  readonly reconciled: number;

  constructor(reason: NotSettledReason, message: string, pending: Pending, reconciled: number) {
    super(message);
    this.reason = reason;
    this.pending = pending;
    this.reconciled = reconciled;
  }
}

const MAX_ATTEMPTS = 5;
/**
 * The maximum number of times that a key is reconciled in one call of `settle`. Without a limit, a key whose reconciliation queues the key
 * again would be reconciled forever and block the event loop.
 */
const MAX_RUNS_OF_KEY = 5_000;
const MAX_RUNS_OF_CONTROLLER = 100_000;
/** Milliseconds between two checks of whether the clients in `clients` are idle. */
const LOOK = 5;

/**
 * Counts the reconciliations during one call of `settle`. Above `MAX_RUNS_OF_KEY` or `MAX_RUNS_OF_CONTROLLER`, a reconciliation fails, so
 * that the next one waits for the clock instead of running at once.
 */
class BoundedWork implements Census {
  readonly endless: { readonly controller: string; readonly key: string }[] = [];
  readonly #runs = new Map<string, Map<string, number>>();
  readonly #totals = new Map<string, number>();

  get total(): number {
    let total = 0;
    for (const count of this.#totals.values()) total += count;
    return total;
  }

  note(controller: string, key: string): void {
    const total = (this.#totals.get(controller) ?? 0) + 1;
    this.#totals.set(controller, total);
    let runs = this.#runs.get(controller);
    if (!runs) this.#runs.set(controller, (runs = new Map()));
    const count = (runs.get(key) ?? 0) + 1;
    runs.set(key, count);
    if (count <= MAX_RUNS_OF_KEY && total <= MAX_RUNS_OF_CONTROLLER) return;
    if (this.endless.length < MAX_ATTEMPTS) this.endless.push({ controller, key });
    throw new Error(`reconciled ${count} times while the server settled`);
  }
}

/**
 * Waits until the controllers of a server, and the clients in the options, have no more work.
 * @throws NotSettledError
 * @throws TypeError for invalid options.
 */
export async function settleWith(parts: ServerParts, options: SettleOptions): Promise<void> {
  refuseUnknownMembers('settle', options, ['clients', 'failures', 'quiet', 'timeout']);
  const { timeout = 4_000, quiet = 0, failures = 'reject', clients = [] } = options;
  for (const [name, value] of Object.entries({ timeout, quiet }))
    if (!(Number.isFinite(value) && value >= 0))
      throw new TypeError(`settle: ${name} must be a number of milliseconds`);
  if (failures !== 'reject' && failures !== 'ignore')
    throw new TypeError("settle: failures must be 'reject' or 'ignore'");
  if (!Array.isArray(clients) || clients.some((name) => typeof name !== 'string' || name === ''))
    throw new TypeError("settle: clients must be a list of names: ['my-operator']");
  const work = new BoundedWork();
  let isOver = false;
  let cancel = () => {};
  const timedOut = new Promise<never>((_, reject) => {
    const giveUp = () => {
      const pending = new Pending(parts, parts.host.clock);
      const message = `the server did not settle within ${timeout} ms:\n${pending}`;
      reject(new NotSettledError('timeout', message, pending, work.total));
    };
    cancel = awaitedTimer(systemClock, giveUp, timeout);
  });
  const endCount = parts.controllers.count(work);
  try {
    await Promise.race([runUntilSettled(parts, options, work, () => isOver), timedOut]);
  } finally {
    cancel();
    isOver = true;
    endCount();
  }
}

async function runUntilSettled(
  parts: ServerParts,
  { clients = [], failures = 'reject', quiet = 50 }: SettleOptions,
  work: BoundedWork,
  isOver: () => boolean,
): Promise<void> {
  const { controllers, storage } = parts;
  let restsSince: number | undefined;
  let revision = -1;
  while (!isOver()) {
    await controllers.settle();
    refuseEndless(parts, work);
    if (failures === 'reject' && retryFailed(parts, work)) continue;
    if (clients.length === 0) return;
    const now = systemClock.now();
    const rests = storage.revision === revision && !isBusy(new Pending(parts, parts.host.clock), clients);
    revision = storage.revision;
    if (!rests) restsSince = undefined;
    else restsSince ??= now;
    if (restsSince !== undefined && now - restsSince >= quiet) return;
    await sleep(systemClock, LOOK);
  }
}

function refuseEndless(parts: ServerParts, work: BoundedWork): void {
  const [first] = work.endless;
  if (!first) return;
  const pending = new Pending(parts, parts.host.clock);
  const where = `controller ${first.controller} with the key "${first.key}"`;
  throw new NotSettledError('endless', `${where} causes its own work endlessly:\n${pending}`, pending, work.total);
}

/** Queues failing keys again, and returns whether there were any. @throws NotSettledError for keys that have failed too often. */
function retryFailed(parts: ServerParts, work: BoundedWork): boolean {
  const failing = parts.controllers.keys.filter(({ state }) => state === 'failing');
  const hopeless = failing.filter(({ attempts = 0 }) => attempts >= MAX_ATTEMPTS);
  const [first] = hopeless;
  if (first) {
    const message = hopeless.slice(0, MAX_ATTEMPTS).map(failureOf).join('\n');
    throw new NotSettledError('failing', message, new Pending(parts, parts.host.clock), work.total);
  }
  for (const key of failing) parts.controllers.hurry(key);
  return failing.length > 0;
}

const failureOf = ({ controller, key, attempts, error }: PendingKey) =>
  `controller ${controller} keeps failing with the key "${key}", ${attempts} times: ${error}`;

function isBusy({ requests, watches }: Pending, clients: readonly string[]): boolean {
  const isNamed = ({ user, userAgent }: PendingRequest | PendingWatch) =>
    clients.some((name) => name === user || name === userAgent || userAgent.startsWith(`${name}/`));
  return requests.some(isNamed) || watches.some(isNamed);
}
