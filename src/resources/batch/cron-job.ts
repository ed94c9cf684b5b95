import { citation, type Dialect } from '../../meta/dialect.js';
import { defineResource } from '../../registry/resource-definition.js';
import type { Draft } from '../../registry/strategy.js';
import { gatedOfTemplate } from '../core/pod/disabled-fields.js';
import { setPodTemplateDefaults } from '../core/pod/pod-template-spec.js';
import { age, ageCell, nameColumn } from '../shared/columns.js';
import { containerColumns, selectorCell } from '../shared/pod-columns.js';
import { keepSpec, keepStatus, podNameWarnings } from '../shared/workload.js';
import { batchV1 } from './batch-v1.js';
import type { CronJob } from './batch-v1.types.js';
import { validateCronJob, validateCronJobUpdate } from './cron-job-validation.js';
import { jobWarnings, setFailureDefaults } from './job.js';

export type { CronJob } from './batch-v1.types.js';

function setDefaults({ spec }: Draft<CronJob>, dialect: Dialect): void {
  spec.concurrencyPolicy ??= 'Allow';
  spec.suspend ??= false;
  spec.successfulJobsHistoryLimit ??= 3;
  spec.failedJobsHistoryLimit ??= 1;
  setFailureDefaults(spec.jobTemplate.spec);
  setPodTemplateDefaults(spec.jobTemplate.spec.template, dialect);
}

const zoneWarning = (dialect: Dialect): string =>
  'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead' +
  citation(dialect, ', see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details');

/** batch/v1 CronJob: creates jobs by a schedule. */
export const cronJob = defineResource({
  groupStem: 'batch',
  version: 'v1',
  kind: 'CronJob',
  plural: 'cronjobs',
  metadataChecks: ['changes'],
  shortNames: ['cj'],
  categories: ['all'],
  scope: 'Namespaced',
  tracksGeneration: true,
  schema: batchV1.struct('CronJob'),
  setDefaults,
  resetFields: ['status'],
  gatedFields: gatedOfTemplate('spec.jobTemplate.spec.template'),
  strategy: {
    prepareForCreate(draft) {
      Object.assign(draft, { status: {} });
    },
    prepareForUpdate(draft, old) {
      keepStatus(draft, old);
    },
    validate: (object, { host }) => validateCronJob(object, host),
    validateUpdate: (next, old, { host }) => validateCronJobUpdate(next, old, host),
    warnings: (object, old, { host: { dialect } }) => [
      ...podNameWarnings(object, old),
      ...(old?.metadata.generation === object.metadata.generation
        ? []
        : jobWarnings(object.spec.jobTemplate.spec, 'spec.jobTemplate.spec', dialect)),
      ...(old !== undefined && object.spec.schedule.includes('TZ') ? [zoneWarning(dialect)] : []),
    ],
  },
  subresources: {
    status: {
      resetFields: ['spec'],
      metadataChecks: [],
      strategy: { prepareForUpdate: keepSpec, validateUpdate: () => [] },
    },
  },
  columns: [
    nameColumn,
    { name: 'Schedule', type: 'string', description: 'The schedule of the jobs.', cell: ({ spec }) => spec.schedule },
    {
      name: 'Timezone',
      type: 'string',
      description: 'The time zone of the schedule.',
      cell: ({ spec }) => spec.timeZone ?? '<none>',
    },
    {
      name: 'Suspend',
      type: 'boolean',
      description: 'Whether it is suspended.',
      cell: ({ spec: { suspend } }) => (suspend === undefined ? '<unset>' : suspend ? 'True' : 'False'),
    },
    {
      name: 'Active',
      type: 'integer',
      description: 'Jobs that run.',
      cell: ({ status }) => status.active?.length ?? 0,
    },
    {
      name: 'Last Schedule',
      type: 'string',
      description: 'How long ago a job was last created.',
      cell: ({ status: { lastScheduleTime: time } }, now) => (time ? ageCell(time, now) : '<none>'),
    },
    age,
    ...containerColumns<CronJob>(({ spec }) => spec.jobTemplate.spec.template),
    {
      name: 'Selector',
      type: 'string',
      description: 'Selects the pods.',
      priority: 1,
      cell: ({ spec }) => selectorCell(spec.jobTemplate.spec.selector),
    },
  ],
});
