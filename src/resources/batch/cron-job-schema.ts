import {
  always,
  listAtomic,
  type OutputOf,
  omitEmpty,
  omitNull,
  required,
  string,
  struct,
  time,
} from '../../schema/authoring.js';
import { objectMeta, topLevel } from '../../schema/object-meta-schema.js';
import { count, flag, long, text } from '../fragments/core-struct.js';
import { objectReference } from '../fragments/object-reference.js';
import { jobSpec } from './job-schema.js';

const jobTemplateSpec = struct('io.k8s.api.batch.v1.JobTemplateSpec', 'The jobs to make.', () => ({
  metadata: always(objectMeta, 1, 'Labels and annotations of the jobs.'),
  spec: always(jobSpec, 2, 'The desired work.'),
}));

const spec = struct('io.k8s.api.batch.v1.CronJobSpec', 'The desired jobs.', () => ({
  schedule: required(text, 1, 'When jobs are made, in the form of cron.'),
  timeZone: omitNull(text, 8, 'The time zone of the schedule.'),
  startingDeadlineSeconds: omitNull(long, 2, 'Seconds that a job may be late.'),
  concurrencyPolicy: omitEmpty(
    string<string>({ typeName: 'v1.ConcurrencyPolicy', enum: ['Allow', 'Forbid', 'Replace'] }),
    3,
    'What happens while the job before still runs: Allow, Forbid or Replace.',
  ),
  suspend: omitNull(flag, 4, 'Whether it rests.'),
  jobTemplate: required(jobTemplateSpec, 5, 'The jobs to make.'),
  successfulJobsHistoryLimit: omitNull(count, 6, 'Successful jobs to keep.'),
  failedJobsHistoryLimit: omitNull(count, 7, 'Failed jobs to keep.'),
}));

const status = struct('io.k8s.api.batch.v1.CronJobStatus', 'The observed jobs.', () => ({
  active: omitEmpty(listAtomic(objectReference), 1, 'Jobs that run.'),
  lastScheduleTime: omitNull(time(), 4, 'When a job was last made.'),
  lastSuccessfulTime: omitNull(time(), 5, 'When a job last succeeded.'),
}));

/** batch/v1 CronJob. */
export const cronJobSchema = topLevel('io.k8s.api.batch.v1.CronJob', 'Jobs that are made by a schedule.', () => ({
  spec: always(spec, 2, 'The desired jobs.'),
  status: always(status, 3, 'The observed jobs.'),
}));
export type CronJob = OutputOf<typeof cronJobSchema>;
