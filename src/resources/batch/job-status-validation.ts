import { errorsOf, type FieldError, fieldError } from '../../meta/field-error.js';
import { validateCounts } from '../fragments/counts.js';
import { notNegative } from '../fragments/value-rules.js';
import type { Job } from './job-schema.js';

/** Whether a job has a condition that is true. */
export const isJob = ({ status }: Job, type: string): boolean =>
  (status.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');

const conditionError = (detail: string): FieldError => ({ type: 'Invalid', path: 'status.conditions', detail });

/** Problems of a written status. What controllers of others must hold to is behind a gate that is off. */
export function validateJobStatus(next: Job, old: Job): FieldError[] {
  const { status } = next;
  const errors = [
    ...validateCounts('status', status, ['active', 'succeeded', 'failed']),
    ...notNegative('status.ready', status.ready),
    ...notNegative('status.terminating', status.terminating),
    ...validateUncounted(status.uncountedTerminatedPods),
  ];
  const met = isJob(next, 'SuccessCriteriaMet');
  const say = (holds: boolean, detail: string) => {
    if (holds) errors.push(conditionError(detail));
  };
  say(met && isJob(next, 'Failed'), 'cannot set SuccessCriteriaMet=True and Failed=true conditions');
  say(met && isJob(next, 'FailureTarget'), 'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions');
  say(
    next.spec.successPolicy !== undefined && !met && isJob(next, 'Complete'),
    'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True',
  );
  const wasMet = isJob(old, 'SuccessCriteriaMet');
  say(wasMet && !met, 'cannot disable the SuccessCriteriaMet=True condition');
  say(
    isJob(old, 'Complete') && !wasMet && met,
    'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions',
  );
  return errors;
}

function validateUncounted(pods: Job['status']['uncountedTerminatedPods']): FieldError[] {
  const seen = new Set<string>();
  const check = (path: string, uid: string): FieldError[] => {
    if (uid === '') return [fieldError.invalid(path, uid, 'must not be empty')];
    if (seen.has(uid)) return [fieldError.duplicate(path, uid)];
    seen.add(uid);
    return [];
  };
  return (['succeeded', 'failed'] as const).flatMap((name) =>
    errorsOf(pods?.[name] ?? [], (uid, i) => check(`status.uncountedTerminatedPods.${name}[${i}]`, uid)),
  );
}
