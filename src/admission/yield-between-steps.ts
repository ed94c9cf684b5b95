import { yieldIfDue } from '../meta/flow.js';
import type { AdmissionAttributes } from './admission-plugin.js';

/**
 * Yields to other requests once this turn has taken ten milliseconds, and then continues only if the caller still waits. A request can have
 * any number of policies and conditions to evaluate.
 * @throws Error when the caller is gone or the request's time is up.
 */
export async function yieldBetweenSteps({ throwIfGivenUp }: AdmissionAttributes): Promise<void> {
  const turn = yieldIfDue();
  if (!turn) return;
  await turn;
  throwIfGivenUp?.();
}
