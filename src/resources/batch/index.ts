import { defineKind } from '../../registry/built-in-kind.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';

export type { CronJob } from './cron-job.js';
export type { Job } from './job.js';

/** batch/v1 CronJob: creates jobs by a schedule. */
export const cronJob = defineKind(
  {
    groupStem: 'batch',
    version: 'v1',
    kind: 'CronJob',
    plural: 'cronjobs',
    shortNames: ['cj'],
    categories: ['all'],
    scope: 'Namespaced',
    tracksGeneration: true,
    subresources: { status: {} },
  },
  async () => (await import('./cron-job.js')).cronJobRules,
);

/** batch/v1 Job: runs pods until enough of them succeed. */
export const job = defineKind(
  {
    groupStem: 'batch',
    version: 'v1',
    kind: 'Job',
    plural: 'jobs',
    categories: ['all'],
    scope: 'Namespaced',
    tracksGeneration: true,
    orphansDependents: true,
    subresources: { status: {} },
  },
  async () => (await import('./job.js')).jobRules,
);

/** The kinds of the group batch. */
export const batchKinds: readonly ResourceDefinition[] = [job, cronJob];
