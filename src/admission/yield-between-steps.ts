import { yieldIfDue } from '../meta/flow.js';
import type { AdmissionAttributes } from './admission-plugin.js';

/**
 * Yields to other requests if the current turn of the event loop has taken ten milliseconds, because a request can have any number of
 * policies and conditions to evaluate.
 * @throws Error when the caller has disconnected or the deadline of the request has passed.
 */
export async function yieldBetweenSteps({ throwIfGivenUp }: AdmissionAttributes): Promise<void> {
  const turn = yieldIfDue();
  if (!turn) return;
  await turn;
  throwIfGivenUp?.();
}
