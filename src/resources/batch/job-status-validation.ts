import { errorsOf, type FieldError, fieldError } from '../../meta/field-error.js';
import type { StrategyContext } from '../../registry/strategy.js';
import { validateCounts } from '../shared/counts.js';
import { notNegative } from '../shared/value-rules.js';
import type { Job } from './batch-v1.types.js';
import { conditionError, isJob, validateManagedStatus } from './managed-status-validation.js';

/** Returns the problems of an updated status. */
export function validateJobStatus(next: Job, old: Job, { host: { gates } }: StrategyContext): FieldError[] {
  const { status, spec } = next;
  const errors = [
    ...validateCounts('status', status, ['active', 'succeeded', 'failed']),
    ...notNegative('status.ready', status.ready),
    ...notNegative('status.terminating', status.terminating),
    ...validateUncounted(status.uncountedTerminatedPods),
    ...(gates.JobManagedBy ? validateManagedStatus(next, old) : []),
  ];
  const met = isJob(next, 'SuccessCriteriaMet');
  const wasMet = isJob(old, 'SuccessCriteriaMet');
  // With these features, any job may meet its success criteria while it still waits for terminating pods.
  const anyMay = gates.JobManagedBy || gates.JobPodReplacementPolicy || wasMet;
  const say = (holds: boolean, detail: string) => {
    if (holds) errors.push(conditionError(detail));
  };
  say(met && !anyMay && spec.completionMode !== 'Indexed', 'cannot set SuccessCriteriaMet to NonIndexed Job');
  say(met && isJob(next, 'Failed'), 'cannot set SuccessCriteriaMet=True and Failed=true conditions');
  say(met && isJob(next, 'FailureTarget'), 'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions');
  say(
    met && !anyMay && spec.successPolicy === undefined,
    'cannot set SuccessCriteriaMet=True for Job without SuccessPolicy',
  );
  say(
    spec.successPolicy !== undefined && !met && isJob(next, 'Complete'),
    'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True',
  );
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
