import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { cronJob } from './cron-job.js';
import { job } from './job.js';

export type { CronJob } from './cron-job.js';
export type { Job } from './job.js';
export { cronJob, job };

/** The kinds of the group batch. */
export const batchKinds: readonly ResourceDefinition[] = [job, cronJob];
