import type { PodDisruptionBudget } from './policy-v1.types.js';

type Status = PodDisruptionBudget['status'];
type Condition = NonNullable<Status['conditions']>[number];

/** The type of the condition that reports whether a budget allows disruptions. */
const DISRUPTION_ALLOWED = 'DisruptionAllowed';

/** Returns the status and the reason of the condition DisruptionAllowed. They follow from the number of allowed disruptions. */
const computedCondition = ({ disruptionsAllowed }: Status): Pick<Condition, 'status' | 'reason'> =>
  disruptionsAllowed > 0
    ? { status: 'True', reason: 'SufficientPods' }
    : { status: 'False', reason: 'InsufficientPods' };

/**
 * Returns the status with its condition DisruptionAllowed set according to the number of allowed disruptions.
 * @param failure the reason why the number could not be computed. The condition is then False.
 * @param now the current time in the format of the API.
 */
export function withDisruptionAllowed(status: Status, now: string, failure?: string): Status {
  const { conditions = [], observedGeneration } = status;
  const place = conditions.findIndex(({ type }) => type === DISRUPTION_ALLOWED);
  const known = conditions[place];
  const outcome = failure === undefined ? computedCondition(status) : { status: 'False', reason: 'SyncFailed' };
  const next = {
    type: DISRUPTION_ALLOWED,
    status: outcome.status,
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
    lastTransitionTime: known?.status === outcome.status ? known.lastTransitionTime : now,
    reason: outcome.reason,
    message: failure ?? '',
  };
  return { ...status, conditions: known ? conditions.with(place, next) : [...conditions, next] };
}

/** Whether the condition DisruptionAllowed agrees with the number of allowed disruptions. */
export function isConditionCurrent(status: Status): boolean {
  const { status: now, reason } = computedCondition(status);
  const known = status.conditions?.find(({ type }) => type === DISRUPTION_ALLOWED);
  return known?.status === now && known.reason === reason;
}
