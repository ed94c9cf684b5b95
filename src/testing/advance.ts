import { systemClock } from '../meta/clock.js';
import { nextTurn } from '../meta/flow.js';
import type { CoreApiServer } from '../server/core-api-server.js';
import type { Pending } from '../server/pending.js';
import { NotSettledError } from '../server/settle.js';
import { checkServer } from './check-arguments.js';
import type { FakeClock } from './fake-clock.js';

/** Milliseconds of real time after which unfinished work is assumed to wait for the server's clock. */
const PATIENCE = 200;
/**
 * The shorter patience, in milliseconds of real time, after {@link PATIENCE} has run out once. It applies until the servers settle again,
 * so that work that waits for the clock does not delay every timer.
 */
const PATIENCE_AGAIN = 10;
/**
 * While servers settle, a timer ticks each time this many milliseconds have passed and the process got to run. Few ticks mean that the
 * machine is slow: unfinished work then waits for the machine rather than for the clock.
 */
const TICK = 10;
/** The number of ticks after which unfinished work that has not changed is assumed to wait for the server's clock. */
const PATIENT_TICKS = 10;
/**
 * The number of reconciliations per tick above which controllers count as busy instead of waiting. On a slow machine, a controller that
 * creates work for itself does not reach the limit of `settle` within {@link PATIENCE}.
 */
const BUSY = 10;
/** The number of consecutive turns of the event loop without activity after which the servers count as quiet. */
const QUIET_TURNS = 2;
/**
 * The maximum number of turns of the event loop to wait for requests in flight. It is limited, because a request that itself waits for the
 * clock ends only after the clock has moved.
 */
const MOST_TURNS = 20;

/**
 * Moves the clock of servers forward, from timer to timer, and lets their controllers settle after each timer, so that everything happens
 * in the order in which it would happen in real time. A controller retries failed work when the clock reaches the time of the retry. Work
 * that waits for the clock, such as the retry of a webhook, does not hold up the advance.
 * @param servers a server, or several servers with the same clock. A fork has a clock of its own.
 * @param milliseconds the time by which the clock moves.
 * @throws TypeError if the clock was not created by `createFakeClock`, or the servers have different clocks.
 * @throws NotSettledError if controllers create work for themselves without end. The clock has then moved a part of the way.
 */
export async function advance(servers: CoreApiServer | readonly CoreApiServer[], milliseconds: number): Promise<void> {
  if (!Number.isFinite(milliseconds) || milliseconds < 0)
    throw new TypeError(`advance: the time must be a number of milliseconds, not ${milliseconds}`);
  const all = [servers].flat();
  if (all.length === 0) throw new TypeError('advance: the list of servers is empty');
  for (const server of all) checkServer('advance', server);
  const clock = clockOf(all);
  const patience = { milliseconds: PATIENCE };
  await rest(all, patience);
  let left = milliseconds;
  for (let moved = clock.fireNext(left); moved !== undefined; moved = clock.fireNext(left)) {
    left -= moved;
    await rest(all, patience);
  }
  clock.advance(left);
  await rest(all, patience);
}

function clockOf(servers: readonly CoreApiServer[]): FakeClock {
  const clocks = new Set(servers.map(({ clock }) => clock));
  const [clock] = clocks;
  if (clocks.size > 1) throw new TypeError('advance: the servers have different clocks: move each by itself');
  if (clock === undefined || !('fireNext' in clock))
    throw new TypeError('advance: the server needs the option clock: createFakeClock()');
  return clock as FakeClock; // Only fake clocks have the method `fireNext`, so the cast is safe.
}

/** Waits until controllers and requests have nothing more to do at the present time of the clock. */
async function rest(servers: readonly CoreApiServer[], patience: { milliseconds: number }): Promise<void> {
  let quiet = 0;
  let unchanged = 0;
  let before: string | undefined;
  for (let turn = 0; turn < MOST_TURNS && quiet < QUIET_TURNS; turn++) {
    const ticks = new Ticks();
    try {
      const options = { failures: 'ignore', timeout: patience.milliseconds } as const;
      await Promise.all(servers.map((server) => server.settle(options)));
      patience.milliseconds = PATIENCE;
    } catch (error) {
      if (!(error instanceof NotSettledError) || error.reason !== 'timeout') throw error;
      if (error.reconciled > BUSY * (ticks.count + 1)) {
        patience.milliseconds *= 2;
        turn = 0;
        continue;
      }
      if (patience.milliseconds >= PATIENCE) {
        // As long as the unfinished work changes, a slow machine is still making progress. Moving the clock now would make the order of
        // events depend on the speed of the machine.
        const work = JSON.stringify(servers.map((server) => workIn(server.pending())));
        unchanged = work === before ? unchanged + ticks.count : 0;
        before = work;
        if (unchanged < PATIENT_TICKS) {
          turn = 0;
          continue;
        }
      }
      patience.milliseconds = PATIENCE_AGAIN;
      return;
    } finally {
      ticks.stop();
    }
    before = undefined;
    await nextTurn();
    quiet = servers.some(({ isBusy }) => isBusy) ? 0 : quiet + 1;
  }
}

/** Counts the ticks of a timer, each at least {@link TICK} milliseconds of real time after the previous one. */
class Ticks {
  count = 0;
  #cancel = this.#next();

  #next(): () => void {
    return systemClock.setTimer(
      () => {
        this.count++;
        this.#cancel = this.#next();
      },
      TICK,
      false,
      'tick',
    );
  }

  stop(): void {
    this.#cancel();
  }
}

function workIn({ controllers, requests }: Pending) {
  return { keys: controllers.filter(({ state }) => state === 'queued' || state === 'running'), requests };
}
