import type { Dialect } from '../../meta/dialect.js';
import { podTemplateWarnings } from '../core/pod/pod-warnings.js';
import type { JobSpec } from './batch-v1.types.js';

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
