import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { event } from '../core/event/event.js';

export type { Event } from './events-v1.types.js';
export { event };

/** The kinds of the group events. */
export const eventsKinds: readonly ResourceDefinition[] = [event];
