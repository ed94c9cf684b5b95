import type { CoreApiServer } from '../../server/core-api-server.js';
import type { SettleOptions } from '../../server/settle.js';
import { advance, type FakeClock, NotSettledError } from '../../testing/index.js';
import { type KitAnswer, type KitRoutes, members } from './kit-routes.js';

/**
 * The maximum `timeout` and `quiet` of a settle request, in milliseconds. They are limited because the connection stays open for that time.
 */
const MAX_TIMEOUT = 60_000;
const DAY = 24 * 3_600_000;
/** The maximum number of milliseconds by which one request may advance the clock: ten years. */
const MAX_ADVANCE = 10 * 365 * DAY;
/**
 * The maximum number of milliseconds if the server settles after each timer. Renewals of leases alone make some ten thousand timers a day,
 * which take many seconds.
 */
const MAX_SETTLED_ADVANCE = 31 * DAY;

/** Serves the pending work of a server: GET returns it. */
export function pendingRoutes(server: CoreApiServer): KitRoutes {
  return (method, rest) => {
    if (method !== 'GET' || rest.length > 0) return undefined;
    const pending = server.pending();
    return { status: 200, body: { ...pending, isAtRest: pending.isAtRest, text: String(pending) } };
  };
}

/** Waits until a server has settled: POST with the options of `settle`. */
export function settleRoutes(server: CoreApiServer): KitRoutes {
  return async (method, rest, body) => {
    if (method !== 'POST' || rest.length > 0) return undefined;
    const options = members(body, ['clients', 'failures', 'quiet', 'timeout']) as SettleOptions;
    for (const name of ['quiet', 'timeout'] as const)
      if (options[name] !== undefined && !isMilliseconds(options[name], MAX_TIMEOUT))
        throw new TypeError(`${name} must be a number of milliseconds, at most ${MAX_TIMEOUT}`);
    if (options.failures !== undefined && !['reject', 'ignore'].includes(options.failures))
      throw new TypeError('failures must be reject or ignore');
    return await answerOf(async () => {
      await server.settle(options);
      return { settled: true };
    });
  };
}

/** Serves the clock of a server: GET reads it, POST with `advance` moves it, as `advance()` does, or with `settle: false` at once. */
export function clockRoutes(server: CoreApiServer): KitRoutes {
  const time = () => ({ now: new Date(server.clock.now()).toISOString() });
  return async (method, rest, body) => {
    if (rest.length > 0) return undefined;
    if (method === 'GET') return { status: 200, body: time() };
    if (method !== 'POST') return undefined;
    const { advance: milliseconds, settle = true } = members(body, ['advance', 'settle']);
    if (!isMilliseconds(milliseconds, MAX_ADVANCE))
      throw new TypeError(`advance must be a number of milliseconds, at most ${MAX_ADVANCE}`);
    if (typeof settle !== 'boolean') throw new TypeError('settle must be true or false');
    if (settle && milliseconds > MAX_SETTLED_ADVANCE)
      throw new TypeError(
        `more than ${MAX_SETTLED_ADVANCE} milliseconds (31 days) take too long, because the server settles after each timer: ` +
          'send "settle": false, and POST /settle afterwards',
      );
    if (!isFake(server.clock))
      throw new TypeError(
        'the server uses the clock of the machine, which cannot be advanced: start it with --test-clock',
      );
    const { clock } = server;
    return await answerOf(async () => {
      if (settle) await advance(server, milliseconds);
      else clock.advance(milliseconds);
      return time();
    });
  };
}

const isFake = (clock: object): clock is FakeClock => 'fireNext' in clock;

const isMilliseconds = (value: unknown, most: number): value is number =>
  typeof value === 'number' && value >= 0 && value <= most;

/** Returns a response with the result of an action, or with the reason why the server did not settle. */
async function answerOf(act: () => Promise<object>): Promise<KitAnswer> {
  try {
    return { status: 200, body: await act() };
  } catch (error) {
    if (error instanceof NotSettledError)
      return { status: 200, body: { settled: false, reason: error.reason, message: error.message } };
    throw error;
  }
}
