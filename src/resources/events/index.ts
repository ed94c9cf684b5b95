import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { event } from '../core/event/event.js';

export { event } from '../core/event/event.js';
export type { Event } from '../core/event/event-conversion.js';

/** The kinds of the group events. */
export const eventsKinds: readonly ResourceDefinition[] = [event];
