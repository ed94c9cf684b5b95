import { defineKind } from '../../registry/built-in-kind.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { coreEvent } from '../core/index.js';

export type { Event } from './events-v1.types.js';

/** events/v1 Event: the events of the core group, with newer field names and stricter rules. */
export const event = defineKind(
  {
    groupStem: 'events',
    version: 'v1',
    knownVersions: ['v1beta1'],
    kind: 'Event',
    plural: 'events',
    shortNames: ['ev'],
    scope: 'Namespaced',
    allowCreateOnUpdate: true,
    hasNoDependents: true,
    expires: true,
    storedAs: coreEvent,
  },
  async () => (await import('../core/event/event.js')).eventRules,
);

/** The kinds of the group events. */
export const eventsKinds: readonly ResourceDefinition[] = [event];
