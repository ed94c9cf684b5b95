import { giveWay } from '../meta/flow.js';
import type { AdmissionAttributes } from './admission-plugin.js';

/**
 * Lets other requests have the event loop once this turn has taken ten milliseconds, and goes on only while the caller waits: there may
 * be any number of policies and conditions, each of which takes a while.
 * @throws Error when the caller is gone or its time is up.
 */
export async function giveWayTo({ throwIfGivenUp }: AdmissionAttributes): Promise<void> {
  const turn = giveWay();
  if (!turn) return;
  await turn;
  throwIfGivenUp?.();
}
