import { present } from '../../../values/present.js';
import type { Event } from '../../events/events-v1.types.js';
import type { Event as CoreEvent } from '../core-v1.types.js';

/** Converts an event of the group events to the core group. Members are in wire order. */
export function toCoreEvent(event: Event, apiVersion = 'v1'): CoreEvent {
  const { series } = event;
  return present<CoreEvent>({
    kind: event.kind,
    apiVersion,
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
    // The core type leaves out a count of 0.
    series: series?.count === 0 ? { lastObservedTime: series.lastObservedTime } : series,
    action: event.action,
    related: event.related,
    reportingComponent: event.reportingController ?? '',
    reportingInstance: event.reportingInstance ?? '',
  });
}

/** Converts an event of the core group to the group events. */
export function fromCoreEvent(event: CoreEvent, apiVersion: string): Event {
  const { series } = event;
  return present<Event>({
    kind: event.kind,
    apiVersion,
    metadata: event.metadata,
    // A missing time is null here, too. Validation refuses it, so the type does not include null.
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
