import { defineKind } from '../../registry/built-in-kind.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';

export type { PriorityClass } from './scheduling-v1.types.js';

/** scheduling/v1 PriorityClass: the priority of pods. */
export const priorityClass = defineKind(
  {
    groupStem: 'scheduling',
    version: 'v1',
    kind: 'PriorityClass',
    plural: 'priorityclasses',
    shortNames: ['pc'],
    scope: 'Cluster',
  },
  async () => (await import('./priority-class.js')).priorityClassRules,
);

/** The kinds of the group scheduling. */
export const schedulingKinds: readonly ResourceDefinition[] = [priorityClass];
