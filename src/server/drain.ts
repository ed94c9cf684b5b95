import { awaitedTimer, type Clock, sleep } from '../meta/clock.js';
import type { Shutdown } from '../requests/shutdown.js';

/** Waits for a time on a server's clock. */
export const passed = (clock: Clock, milliseconds: number): Promise<void> =>
  milliseconds > 0 ? sleep(clock, milliseconds) : Promise.resolve();

/** Waits until no request is in flight, but at most this many milliseconds. */
export async function answered(shutdown: Shutdown, clock: Clock, milliseconds: number): Promise<void> {
  let cancel = () => {};
  const timeout = new Promise<void>((resolve) => (cancel = awaitedTimer(clock, resolve, milliseconds)));
  await Promise.race([shutdown.idle(), timeout]);
  cancel();
}
