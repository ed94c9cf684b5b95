import { type FieldError, fieldError } from '../../meta/field-error.js';
import { isTimeZone } from '../../values/time-zone.js';
import { isLongerThan } from '../../values/utf8.js';
import { type PodRules, rulesAfter } from '../core/pod/validation/pod-rules.js';
import { validateCounts } from '../shared/counts.js';
import { printedSelector } from '../shared/selected-pods.js';
import { oneOf } from '../shared/value-rules.js';
import type { CronJob } from './batch-v1.types.js';
import { scheduleProblem } from './cron-schedule.js';
import { validateJobSpec } from './job-validation.js';

type Spec = CronJob['spec'];

const POLICIES = ['Allow', 'Forbid', 'Replace'];
/** Maximum length of a name. Names of its jobs have eleven characters more. */
const MAX_NAME = 52;

/** Whether the schedule contains a time zone, which older versions accepted. */
const hasZone = (schedule: string): boolean => schedule.includes('TZ');

/** Returns the problems of a new CronJob. */
export function validateCronJob({ metadata, spec }: CronJob, rules: PodRules): FieldError[] {
  const { name = '' } = metadata;
  const errors = validateSpec(spec, undefined, rules);
  if (isLongerThan(name, MAX_NAME))
    errors.push(fieldError.invalid('metadata.name', name, `must be no more than ${MAX_NAME} characters`));
  return errors;
}

/** Returns the problems of an updated CronJob. Its name is not checked, because it may be from before the limit. */
export const validateCronJobUpdate = (next: CronJob, old: CronJob, rules: PodRules): FieldError[] =>
  validateSpec(next.spec, old.spec, rulesAfter(rules, old.spec.jobTemplate.spec.template));

function validateSpec(spec: Spec, old: Spec | undefined, rules: PodRules): FieldError[] {
  const { schedule, timeZone, concurrencyPolicy, jobTemplate } = spec;
  return [
    ...validateSchedule(schedule, timeZone, old !== undefined && hasZone(old.schedule)),
    ...validateCounts('spec', spec, ['startingDeadlineSeconds']),
    ...(old === undefined || old.timeZone !== timeZone ? validateTimeZone(timeZone) : []),
    ...oneOf('spec.concurrencyPolicy', concurrencyPolicy, POLICIES),
    ...validateJobTemplate(jobTemplate, rules),
    ...validateCounts('spec', spec, ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit']),
  ];
}

function validateSchedule(schedule: string, timeZone: string | undefined, mayHaveZone: boolean): FieldError[] {
  const path = 'spec.schedule';
  if (schedule === '') return [fieldError.required(path)];
  const problem = scheduleProblem(schedule);
  const errors = problem === undefined ? [] : [fieldError.invalid(path, schedule, problem)];
  if (!hasZone(schedule)) return errors;
  const why = mayHaveZone
    ? 'cannot use both timeZone field and TZ or CRON_TZ in schedule'
    : 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
  if (!mayHaveZone || timeZone !== undefined) errors.push(fieldError.invalid(path, schedule, why));
  return errors;
}

/** One part of a name in the time zone database. */
const ZONE_PART = /^[A-Za-z._0-9+][A-Za-z._\-0-9+]{0,13}$/;

function validateTimeZone(timeZone: string | undefined): FieldError[] {
  if (timeZone === undefined) return [];
  const invalid = (why: string) => fieldError.invalid('spec.timeZone', timeZone, why);
  if (timeZone === '') return [invalid('timeZone must be nil or non-empty string')];
  const isName = timeZone.split('/').every((part) => ZONE_PART.test(part) && part !== '.' && part !== '..');
  if (!isName) return [invalid(`unknown time zone ${timeZone}`)];
  const errors: FieldError[] = [];
  if (timeZone.toLowerCase() === 'local')
    errors.push(invalid('timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'));
  if (!isTimeZone(timeZone)) errors.push(invalid(`unknown time zone ${timeZone}`));
  return errors;
}

function validateJobTemplate({ spec }: Spec['jobTemplate'], rules: PodRules): FieldError[] {
  const path = 'spec.jobTemplate.spec';
  const errors = validateJobSpec(spec, path, rules);
  if (spec.selector !== undefined)
    errors.push(
      fieldError.invalid(`${path}.selector`, printedSelector(spec.selector), '`selector` will be auto-generated'),
    );
  if (spec.manualSelector === true)
    errors.push(fieldError.notSupported(`${path}.manualSelector`, true, ['nil', 'false']));
  return errors;
}
