import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { priorityClass } from './priority-class.js';

export { type PriorityClass, priorityClass } from './priority-class.js';

/** The kinds of the group scheduling. */
export const schedulingKinds: readonly ResourceDefinition[] = [priorityClass];
