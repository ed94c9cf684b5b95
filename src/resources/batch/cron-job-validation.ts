import { type FieldError, fieldError } from '../../meta/field-error.js';
import { parseDuration } from '../../values/duration.js';
import { ParseError } from '../../values/parse-error.js';
import { quote } from '../../values/quote.js';
import { isTimeZone } from '../../values/time-zone.js';
import { isLongerThan } from '../../values/utf8.js';
import { type PodRules, rulesAfter } from '../core/pod/validation/pod-rules.js';
import { validateCounts } from '../shared/counts.js';
import { printedSelector } from '../shared/selected-pods.js';
import { oneOf } from '../shared/value-rules.js';
import type { CronJob } from './batch-v1.types.js';
import { validateJobSpec } from './job-validation.js';

type Spec = CronJob['spec'];

const POLICIES = ['Allow', 'Forbid', 'Replace'];
/** The maximum length of a CronJob's name. The names of its jobs are eleven characters longer. */
const MAX_NAME = 52;

/** Whether the schedule contains a time zone. Older versions accepted such schedules. */
const hasZone = (schedule: string): boolean => schedule.includes('TZ');

/** Returns the validation errors of a new CronJob. */
export function validateCronJob({ metadata, spec }: CronJob, rules: PodRules): FieldError[] {
  const { name = '' } = metadata;
  const errors = validateSpec(spec, undefined, rules);
  if (isLongerThan(name, MAX_NAME))
    errors.push(fieldError.invalid('metadata.name', name, `must be no more than ${MAX_NAME} characters`));
  return errors;
}

/**
 * Returns the validation errors of a CronJob update. The name is not checked, because the object may have been stored before names were
 * limited.
 */
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

/** Matches one segment of a time zone name, such as `Europe` in `Europe/Berlin`. */
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

interface Bounds {
  readonly least: number;
  readonly most: number;
  /** Names that may be written instead of the numbers, such as `jan`, in order. The first name means the number `least`. */
  readonly names?: readonly string[];
}

const FIELDS: readonly Bounds[] = [
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12, names: 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ') },
  { least: 0, most: 6, names: 'sun mon tue wed thu fri sat'.split(' ') },
];
const DESCRIPTORS = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];
const EVERY = '@every ';

/** Returns why a cron schedule (`0 4 * * *`, `@daily`, `@every 1h`) is invalid; undefined when it is valid. */
export function scheduleProblem(schedule: string): string | undefined {
  try {
    checkSchedule(schedule);
    return undefined;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return error.message;
  }
}

function checkSchedule(schedule: string): void {
  const [zoned, zone = ''] = /^(?:CRON_)?TZ=(\S*)/.exec(schedule) ?? [];
  if (!isTimeZone(zone)) throw new ParseError(`provided bad location ${zone}: unknown time zone ${zone}`);
  const rest = zoned === undefined ? schedule : schedule.slice(zoned.length).trim();
  if (rest.startsWith('@')) checkDescriptor(rest);
  else checkFields(rest);
}

function checkFields(text: string): void {
  const fields = text.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== FIELDS.length)
    throw new ParseError(`expected exactly ${FIELDS.length} fields, found ${fields.length}: [${fields.join(' ')}]`);
  for (const [i, bounds] of FIELDS.entries())
    for (const range of (fields[i] ?? '').split(',')) if (range !== '') checkRange(range, bounds);
}

function checkDescriptor(descriptor: string): void {
  if (DESCRIPTORS.includes(descriptor)) return;
  if (!descriptor.startsWith(EVERY)) throw new ParseError(`unrecognized descriptor: ${descriptor}`);
  try {
    parseDuration(descriptor.slice(EVERY.length));
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new ParseError(`failed to parse duration ${descriptor}: ${error.message}`);
  }
}

function checkRange(range: string, bounds: Bounds): void {
  const [rangeText = '', step, ...more] = range.split('/');
  const [low = '', high, ...others] = rangeText.split('-');
  const isAll = low === '*' || low === '?';
  const start = isAll ? bounds.least : readNumber(low, bounds, range);
  if (!isAll && others.length > 0) throw new ParseError(`too many hyphens: ${range}`);
  const named = isAll ? bounds.most : high === undefined ? start : readNumber(high, bounds, range);
  if (more.length > 0) throw new ParseError(`too many slashes: ${range}`);
  const size = step === undefined ? 1 : readNumber(step, { ...bounds, names: [] }, range);
  const end = step !== undefined && high === undefined ? bounds.most : named;
  if (start < bounds.least)
    throw new ParseError(`beginning of range (${start}) below minimum (${bounds.least}): ${range}`);
  if (end > bounds.most) throw new ParseError(`end of range (${end}) above maximum (${bounds.most}): ${range}`);
  if (start > end) throw new ParseError(`beginning of range (${start}) beyond end of range (${end}): ${range}`);
  if (size === 0) throw new ParseError(`step of range should be a positive number: ${range}`);
}

function readNumber(text: string, { names = [], least }: Bounds, range: string): number {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return named + least;
  const why = !/^[+-]?\d+$/.test(text)
    ? 'invalid syntax'
    : Number.isSafeInteger(Number(text))
      ? undefined
      : 'value out of range';
  if (why !== undefined)
    throw new ParseError(`failed to parse int from ${text}: strconv.Atoi: parsing ${quote(text)}: ${why}`);
  const value = Number(text);
  if (value < 0) throw new ParseError(`negative number (${value}) not allowed: ${range}`);
  return value;
}
