import { equalJson } from '../../json/equal.js';
import { errorsOf, type FieldError, fieldError } from '../../meta/field-error.js';
import type { StrategyContext } from '../../registry/strategy.js';
import { validateCounts } from '../shared/counts.js';
import { notNegative } from '../shared/value-rules.js';
import type { Job } from './batch-v1.types.js';
import { BadIndexes, intervalsOf } from './index-intervals.js';

/** Returns the validation errors of a status update. */
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
  // With one of these feature gates, any job may have the condition SuccessCriteriaMet while its last pods terminate. Without them, only an
  // indexed job with a success policy may get it.
  const anyMay = gates.JobManagedBy || gates.JobPodReplacementPolicy || wasMet;
  const report = (holds: boolean, detail: string) => {
    if (holds) errors.push(conditionError(detail));
  };
  report(met && !anyMay && spec.completionMode !== 'Indexed', 'cannot set SuccessCriteriaMet to NonIndexed Job');
  report(met && isJob(next, 'Failed'), 'cannot set SuccessCriteriaMet=True and Failed=true conditions');
  report(met && isJob(next, 'FailureTarget'), 'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions');
  report(
    met && !anyMay && spec.successPolicy === undefined,
    'cannot set SuccessCriteriaMet=True for Job without SuccessPolicy',
  );
  report(
    spec.successPolicy !== undefined && !met && isJob(next, 'Complete'),
    'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True',
  );
  report(wasMet && !met, 'cannot disable the SuccessCriteriaMet=True condition');
  report(
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

type Status = Job['status'];

/** Whether a job has a condition of the given type with status True. */
export const isJob = ({ status }: Job, type: string): boolean =>
  (status.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');

/** Returns an error about the conditions. The message does not contain the value of the conditions. */
const conditionError = (detail: string): FieldError => ({ type: 'Invalid', path: 'status.conditions', detail });

const isFinished = (job: Job) => isJob(job, 'Complete') || isJob(job, 'Failed');
const timeOf = (time: string | null | undefined) => time ?? undefined;

/**
 * Returns the additional validation errors of a job's status when the feature gate JobManagedBy is on, because other controllers may then
 * write the status (spec 18.5). An error is ignored if the fields concerned have not changed.
 */
function validateManagedStatus(next: Job, old: Job): FieldError[] {
  const errors: FieldError[] = [];
  const { status, spec } = next;
  const report = (holds: boolean, error: () => FieldError) => {
    if (holds) errors.push(error());
  };
  const reportInvalid = (holds: boolean, field: keyof Status & string, detail: string) =>
    report(holds, () => fieldError.invalid(`status.${field}`, status[field], detail));
  const changedCondition = (type: string) => isJob(next, type) !== isJob(old, type);
  const changed = (...fields: (keyof Status)[]) => fields.some((field) => !equalJson(status[field], old.status[field]));
  const [complete, failed, finished] = [isJob(next, 'Complete'), isJob(next, 'Failed'), isFinished(next)];
  const finishes = finished !== isFinished(old);
  const [started, completed] = [timeOf(status.startTime), timeOf(status.completionTime)];
  report((changedCondition('Complete') || changedCondition('Failed')) && complete && failed, () =>
    conditionError('cannot set Complete=True and Failed=true conditions'),
  );
  report(
    (changedCondition('Complete') || changedCondition('FailureTarget')) && complete && isJob(next, 'FailureTarget'),
    () => conditionError('cannot set Complete=True and FailureTarget=true conditions'),
  );
  if (changedCondition('Complete') || changed('completionTime')) {
    const why = 'cannot set completionTime when there is no Complete=True condition';
    reportInvalid(completed !== undefined && !complete, 'completionTime', why);
    report(completed === undefined && complete, () =>
      fieldError.required('status.completionTime', 'completionTime is required for Complete jobs'),
    );
  }
  reportInvalid(
    changed('startTime', 'completionTime') && Date.parse(completed ?? '') < Date.parse(started ?? ''),
    'completionTime',
    'completionTime cannot be set before startTime',
  );
  report((changedCondition('Failed') || changed('failedIndexes')) && failed && !isJob(next, 'FailureTarget'), () =>
    conditionError('cannot set Failed=True condition without the FailureTarget=true condition'),
  );
  report(
    (changedCondition('Complete') || changedCondition('SuccessCriteriaMet')) &&
      complete &&
      !isJob(next, 'SuccessCriteriaMet'),
    () => conditionError('cannot set Complete=True condition without the SuccessCriteriaMet=true condition'),
  );
  reportInvalid(
    (finishes || changed('active')) && finished && (status.active ?? 0) > 0,
    'active',
    'active>0 is invalid for finished job',
  );
  report((finishes || changed('startTime')) && finished && started === undefined, () =>
    fieldError.required('status.startTime', 'startTime is required for finished job'),
  );
  const { succeeded = [], failed: uncountedFailed = [] } = status.uncountedTerminatedPods ?? {};
  reportInvalid(
    (finishes || changed('uncountedTerminatedPods')) && finished && succeeded.length + uncountedFailed.length > 0,
    'uncountedTerminatedPods',
    'uncountedTerminatedPods needs to be empty for finished job',
  );
  errors.push(...validateIndexesOf(next, changed('completedIndexes'), changed('failedIndexes')));
  reportInvalid(
    (finishes || changed('terminating')) && finished && (status.terminating ?? 0) > 0,
    'terminating',
    'terminating>0 is invalid for finished job',
  );
  reportInvalid(
    changed('ready', 'active') && (status.ready ?? 0) > (status.active ?? 0),
    'ready',
    'cannot set more ready pods than active',
  );
  for (const type of ['Failed', 'Complete', 'FailureTarget'])
    report(isJob(old, type) && !isJob(next, type), () =>
      conditionError(`cannot disable the terminal ${type}=True condition`),
    );
  reportInvalid((status.failed ?? 0) < (old.status.failed ?? 0), 'failed', 'cannot decrease the failed counter');
  // The number of succeeded pods may decrease for an indexed job whose completions equal its parallelism, because such a job may be scaled
  // down.
  const mayShrink = spec.completionMode === 'Indexed' && spec.completions === spec.parallelism;
  reportInvalid(
    !mayShrink && (status.succeeded ?? 0) < (old.status.succeeded ?? 0),
    'succeeded',
    'cannot decrease the succeeded counter',
  );
  const [oldStart, oldEnd] = [timeOf(old.status.startTime), timeOf(old.status.completionTime)];
  reportInvalid(
    completed !== undefined && oldEnd !== undefined && completed !== oldEnd,
    'completionTime',
    'completionTime cannot be mutated',
  );
  report(oldStart !== undefined && oldStart !== started && spec.suspend !== true, () =>
    fieldError.required('status.startTime', 'startTime cannot be removed for unsuspended job'),
  );
  return errors;
}

/** Returns the validation errors of the completed and the failed indexes. */
function validateIndexesOf({ spec, status }: Job, completedChanged: boolean, failedChanged: boolean): FieldError[] {
  const { completions, backoffLimitPerIndex, completionMode } = spec;
  const { completedIndexes = '', failedIndexes } = status;
  const errors: FieldError[] = [];
  const refuse = (field: 'completedIndexes' | 'failedIndexes', why: string) =>
    errors.push(fieldError.invalid(`status.${field}`, status[field] ?? '', why));
  const read = (field: 'completedIndexes' | 'failedIndexes', most: number) => {
    try {
      return intervalsOf(status[field] ?? '', most);
    } catch (error) {
      if (!(error instanceof BadIndexes)) throw error;
      return error;
    }
  };
  const check = (field: 'completedIndexes' | 'failedIndexes') => {
    const indexes = completions === undefined ? [] : read(field, completions);
    if (indexes instanceof BadIndexes) refuse(field, `error parsing ${field}: ${indexes.message}`);
  };
  if (completedChanged) check('completedIndexes');
  if (failedChanged && backoffLimitPerIndex !== undefined && failedIndexes !== undefined) check('failedIndexes');
  if (completedChanged && completedIndexes !== '' && completionMode !== 'Indexed')
    refuse('completedIndexes', 'cannot set non-empty completedIndexes when non-indexed completion mode');
  if (failedChanged && backoffLimitPerIndex === undefined && failedIndexes !== undefined)
    refuse('failedIndexes', 'cannot set non-null failedIndexes when backoffLimitPerIndex is null');
  if (!(completedChanged || failedChanged) || completions === undefined || failedIndexes === undefined) return errors;
  const [done, lost] = [read('completedIndexes', completions), read('failedIndexes', completions)];
  if (done instanceof BadIndexes || lost instanceof BadIndexes) return errors;
  const shared = firstShared(done, lost);
  if (shared !== undefined) refuse('failedIndexes', `failedIndexes and completedIndexes overlap at index: ${shared}`);
  return errors;
}

type Intervals = readonly (readonly [first: number, end: number])[];

/** Returns the first index that two ascending lists have in common. */
function firstShared(one: Intervals, other: Intervals): number | undefined {
  let [i, j] = [0, 0];
  for (;;) {
    const [a, b] = [one[i], other[j]];
    if (!a || !b) return undefined;
    if (a[0] <= b[1] && b[0] <= a[1]) return Math.max(a[0], b[0]);
    if (a[1] < b[0]) i++;
    else j++;
  }
}
