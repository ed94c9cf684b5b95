import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { priorityClass } from './priority-class.js';

export type { PriorityClass } from './scheduling-v1.types.js';
export { priorityClass };

/** The kinds of the group scheduling. */
export const schedulingKinds: readonly ResourceDefinition[] = [priorityClass];
