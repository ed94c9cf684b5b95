import type { Draft } from '../../registry/strategy.js';
import type { JobSpec } from './batch-v1.types.js';

/** Sets the default status True in the pod conditions of failure policies. */
export function setFailureDefaults({ podFailurePolicy }: Draft<JobSpec>): void {
  for (const { onPodConditions = [] } of podFailurePolicy?.rules ?? [])
    for (const pattern of onPodConditions) if (pattern.status === '') pattern.status = 'True';
}
