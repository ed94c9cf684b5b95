import { awaitedTimer, type Clock, sleep } from '../meta/clock.js';
import type { Shutdown } from '../requests/shutdown.js';

/** Waits by a server's clock. */
export const passed = (clock: Clock, milliseconds: number): Promise<void> =>
  milliseconds > 0 ? sleep(clock, milliseconds) : Promise.resolve();

/** Waits until nothing is being answered any more, at most so many milliseconds. */
export async function answered(shutdown: Shutdown, clock: Clock, milliseconds: number): Promise<void> {
  let cancel = () => {};
  const late = new Promise<void>((resolve) => (cancel = awaitedTimer(clock, resolve, milliseconds)));
  await Promise.race([shutdown.idle(), late]);
  cancel();
}
