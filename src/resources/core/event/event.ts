import { type Dialect, groupOf } from '../../../meta/dialect.js';
import { nameIsPathSegment } from '../../../meta/names.js';
import { type Column, defineResource } from '../../../registry/resource-definition.js';
import { present } from '../../../values/present.js';
import { trimSpace } from '../../../values/trim-space.js';
import { eventsV1 } from '../../events/events-v1.js';
import type { Event } from '../../events/events-v1.types.js';
import { ageCell } from '../../shared/columns.js';
import { coreV1 } from '../core-v1.js';
import type { Event as CoreEvent } from '../core-v1.types.js';
import { validateCoreEvent, validateEventUpdate, validateNewEvent } from './event-validation.js';

function firstSeen({ firstTimestamp, eventTime }: CoreEvent, now: number): string {
  return ageCell(firstTimestamp ?? eventTime, now);
}

function lastSeen(event: CoreEvent, now: number): string {
  if (event.series) return ageCell(event.series.lastObservedTime, now);
  return event.lastTimestamp === null ? firstSeen(event, now) : ageCell(event.lastTimestamp, now);
}

function target({ involvedObject: { kind = '', name = '' } }: CoreEvent): string {
  return name === '' ? kind.toLowerCase() : `${kind.toLowerCase()}/${name}`;
}

function reporter({ source, reportingComponent, reportingInstance }: CoreEvent): string {
  const instance = source.host || reportingInstance;
  return (source.component || reportingComponent) + (instance === '' ? '' : `, ${instance}`);
}

type Cell = (event: CoreEvent, now: number) => string | number;
const column = (name: string, description: string, cell: Cell, priority = 0): Column<CoreEvent> => ({
  name,
  type: 'string',
  description,
  priority,
  cell,
});

const columns: readonly Column<CoreEvent>[] = [
  column('Last Seen', 'How long ago it last happened.', lastSeen),
  column('Type', 'Normal or Warning.', ({ type }) => type ?? ''),
  column('Reason', 'What happened, in one word.', ({ reason }) => reason ?? ''),
  column('Object', 'The object it happened to.', target),
  column('Subobject', 'The part of the object.', ({ involvedObject }) => involvedObject.fieldPath ?? '', 1),
  column('Source', 'The program that reported it.', reporter, 1),
  column('Message', 'What happened, for people.', ({ message }) => trimSpace(message ?? '')),
  column('First Seen', 'How long ago it first happened.', firstSeen, 1),
  column('Count', 'The number of occurrences.', ({ series, count }) => (series ? (series.count ?? 0) : count || 1), 1),
  { ...column('Name', 'Name of the event.', ({ metadata }) => metadata.name ?? '', 1), format: 'name' },
];

const REFERENCE = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const;

function selectable(object: string, controller: string): Record<string, (event: CoreEvent) => string | undefined> {
  const parts = REFERENCE.map(
    (part) => [`${object}.${part}`, ({ involvedObject }: CoreEvent) => involvedObject[part]] as const,
  );
  return {
    ...Object.fromEntries(parts),
    reason: ({ reason }) => reason,
    [controller]: ({ reportingComponent }) => reportingComponent,
    type: ({ type }) => type,
  };
}

/** v1 Event: something that happened to an object. */
export const coreEvent = defineResource({
  groupStem: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  shortNames: ['ev'],
  scope: 'Namespaced',
  allowCreateOnUpdate: true,
  hasNoDependents: true,
  expires: true,
  nameRule: nameIsPathSegment,
  genericMetadata: true,
  metadataChecks: [],
  checksMetadataLast: true,
  schema: coreV1.struct('Event'),
  strategy: { validate: (event) => validateCoreEvent(event, 'reportingComponent') },
  selectableFields: {
    ...selectable('involvedObject', 'reportingComponent'),
    source: ({ source, reportingComponent }) => source.component || reportingComponent,
  },
  ownFieldLabels: true,
  columns,
});

/** Adapts a function that takes core/v1 events, so that it takes events/v1 events. */
const onCore =
  <R, A extends unknown[]>(read: (event: CoreEvent, ...rest: A) => R) =>
  (event: Event, ...rest: A): R =>
    read(toCoreEvent(event), ...rest);

const newerColumns: readonly Column<Event>[] = columns.map((c) => ({ ...c, cell: onCore(c.cell) }));
const newerFields = Object.entries(selectable('regarding', 'reportingController')).map(
  ([path, read]) => [path, onCore(read)] as const,
);

/** events/v1 Event: the events of the core group, with newer field names and stricter rules. */
export const event = defineResource({
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
  metadataChecks: ['changes'],
  schema: eventsV1.struct('Event'),
  strategy: {
    validate: (object) => validateNewEvent(toCoreEvent(object)),
    validateUpdate: (next, old) => validateEventUpdate(toCoreEvent(next), toCoreEvent(old)),
  },
  selectableFields: Object.fromEntries(newerFields),
  ownFieldLabels: true,
  columns: newerColumns,
  storedAs: {
    definition: coreEvent,
    // The objects were decoded with the schema of their kind, so the casts are safe.
    toStorage: (object) => toCoreEvent(object as Event),
    fromStorage: (object, dialect: Dialect) => fromCoreEvent(object as CoreEvent, `${groupOf(dialect, 'events')}/v1`),
  },
});

/** Converts an events/v1 Event to a core/v1 Event. The members of the result are in the order in which upstream serializes them. */
export function toCoreEvent(event: Event): CoreEvent {
  const { series } = event;
  return present<CoreEvent>({
    kind: event.kind,
    apiVersion: 'v1',
    metadata: event.metadata,
    involvedObject: event.regarding,
    reason: event.reason,
    message: event.note,
    source: event.deprecatedSource,
    firstTimestamp: event.deprecatedFirstTimestamp,
    lastTimestamp: event.deprecatedLastTimestamp,
    count: event.deprecatedCount,
    type: event.type,
    eventTime: event.eventTime,
    // In core/v1, `series.count` is left out if it is 0.
    series: series?.count === 0 ? { lastObservedTime: series.lastObservedTime } : series,
    action: event.action,
    related: event.related,
    reportingComponent: event.reportingController ?? '',
    reportingInstance: event.reportingInstance ?? '',
  });
}

/** Converts a core/v1 Event to an events/v1 Event. */
export function fromCoreEvent(event: CoreEvent, apiVersion: string): Event {
  const { series } = event;
  return present<Event>({
    kind: event.kind,
    apiVersion,
    metadata: event.metadata,
    // A missing `eventTime` is null here, although its type excludes null. Validation refuses such an event.
    eventTime: event.eventTime as string,
    series: series && { count: series.count ?? 0, lastObservedTime: series.lastObservedTime as string },
    reportingController: event.reportingComponent === '' ? undefined : event.reportingComponent,
    reportingInstance: event.reportingInstance === '' ? undefined : event.reportingInstance,
    action: event.action,
    reason: event.reason,
    regarding: event.involvedObject,
    related: event.related,
    note: event.message,
    type: event.type,
    deprecatedSource: event.source,
    deprecatedFirstTimestamp: event.firstTimestamp,
    deprecatedLastTimestamp: event.lastTimestamp,
    deprecatedCount: event.count,
  });
}
