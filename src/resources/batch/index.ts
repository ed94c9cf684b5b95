import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { cronJob } from './cron-job.js';
import { job } from './job.js';

export { type CronJob, cronJob } from './cron-job.js';
export { type Job, job } from './job.js';

/** The kinds of the group batch. */
export const batchKinds: readonly ResourceDefinition[] = [job, cronJob];
