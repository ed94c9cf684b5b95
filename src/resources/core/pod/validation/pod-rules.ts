import type { Host } from '../../../../meta/host.js';

/** What pods are judged by, beside themselves. */
export type PodRules = Pick<Host, 'dialect' | 'allowPrivileged'>;
