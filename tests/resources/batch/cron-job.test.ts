import { describe, expect, it } from 'vitest';
import { scheduleProblem } from '../../../src/resources/batch/cron-job-validation.js';
import { cronJob } from '../../../src/resources/batch/index.js';
import { created, createErrors, updateErrors } from '../steps.js';

const template = { spec: { restartPolicy: 'OnFailure', containers: [{ name: 'c', image: 'example.com/i:1' }] } };
const body = (spec: object = {}, name = 'c') => ({
  metadata: { name, namespace: 'n' },
  spec: { schedule: '0 4 * * *', jobTemplate: { spec: { template } }, ...spec },
});

describe('a schedule', () => {
  it.each([
    '*/5 * * * *',
    '0 4 1,15 JAN-MAR mon',
    '@daily',
    '@every 1h30m',
    '? ? ? ? ?',
    'CRON_TZ=Europe/Berlin 0 0 * * *',
  ])('can be %s', (schedule) => expect(scheduleProblem(schedule)).toBeUndefined());
  it.each([
    ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    ['@reboot', 'unrecognized descriptor: @reboot'],
    ['@every soon', 'failed to parse duration @every soon: time: invalid duration "soon"'],
    ['TZ=Nowhere * * * * *', 'provided bad location Nowhere: unknown time zone Nowhere'],
  ])('cannot be %s', (schedule, problem) => expect(scheduleProblem(schedule)).toBe(problem));
});

describe('a CronJob', () => {
  it('keeps three successful jobs and a failed one by default', () => {
    const { spec } = created(cronJob, body());
    expect(spec).toMatchObject({
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    });
    // The defaults of a job are set when the job is created.
    expect(spec.jobTemplate.spec).not.toHaveProperty('backoffLimit');
  });

  it.each<[string, object, string[]]>([
    [
      'a time zone in the schedule',
      { schedule: 'TZ=UTC 0 0 * * *' },
      [
        'spec.schedule: Invalid value: "TZ=UTC 0 0 * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
      ],
    ],
    [
      'an unknown time zone',
      { timeZone: 'Mars/Base' },
      ['spec.timeZone: Invalid value: "Mars/Base": unknown time zone Mars/Base'],
    ],
    [
      'the time zone Local',
      { timeZone: 'Local' },
      [
        'spec.timeZone: Invalid value: "Local": timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
      ],
    ],
    [
      'a manual selector',
      { jobTemplate: { spec: { template, manualSelector: true } } },
      ['spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"'],
    ],
  ])('is refused with %s', async (_, spec, wanted) => expect(await createErrors(cronJob, body(spec))).toEqual(wanted));

  it('has a name short enough for those of its jobs', async () => {
    expect(await createErrors(cronJob, body({}, 'a'.repeat(52)))).toEqual([]);
    const long = body({}, 'a'.repeat(53));
    expect(await createErrors(cronJob, long)).toEqual([expect.stringContaining('must be no more than 52 characters')]);
    // An existing invalid time zone is kept.
    expect(await updateErrors(cronJob, long, created(cronJob, long))).toEqual([]);
  });

  it('keeps an invalid time zone that is unchanged', async () => {
    const old = created(cronJob, body({ schedule: 'TZ=UTC 0 0 * * *' }));
    expect(await updateErrors(cronJob, { ...old, spec: { ...old.spec, suspend: true } }, old)).toEqual([]);
    expect(await updateErrors(cronJob, { ...old, spec: { ...old.spec, timeZone: 'UTC' } }, old)).toEqual([
      expect.stringContaining('cannot use both timeZone field and TZ or CRON_TZ in schedule'),
    ]);
  });
});
