import type { Dialect } from '../../meta/dialect.js';
import type { Draft } from '../../registry/strategy.js';
import { podTemplateWarnings } from '../core/pod/pod-warnings.js';
import type { JobSpec } from './batch-v1.types.js';

/** Sets the default status True in the pod conditions of failure policies. */
export function setFailureDefaults({ podFailurePolicy }: Draft<JobSpec>): void {
  for (const { onPodConditions = [] } of podFailurePolicy?.rules ?? [])
    for (const pattern of onPodConditions) if (pattern.status === '') pattern.status = 'True';
}

const manyIndexes = ({ apiTitle }: Dialect): string =>
  `In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, ${apiTitle} might not be able to track completedIndexes when a big number of indexes fail`;

/** Returns the warnings about a job. `path` is the path of the spec. */
export function jobWarnings(
  { completionMode, completions = 0, parallelism = 0, template }: JobSpec,
  path: string,
  dialect: Dialect,
): readonly string[] {
  const many = completionMode === 'Indexed' && completions > 100_000 && parallelism > 10_000;
  return [
    ...(many ? [`${path}: ${manyIndexes(dialect)}`] : []),
    ...podTemplateWarnings(template, `${path}.template`, dialect),
  ];
}
