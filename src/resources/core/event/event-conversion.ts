import { present } from '../../../values/present.js';
import type { Event } from '../../events/events-v1.types.js';
import type { Event as CoreEvent } from '../core-v1.types.js';

/** The event of the newer group as the core group has it; members are in wire order. */
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
    // A number of 0 is left out there.
    series: series?.count === 0 ? { lastObservedTime: series.lastObservedTime } : series,
    action: event.action,
    related: event.related,
    reportingComponent: event.reportingController ?? '',
    reportingInstance: event.reportingInstance ?? '',
  });
}

/** The core group's event as the newer group has it. */
export function fromCoreEvent(event: CoreEvent, apiVersion: string): Event {
  const { series } = event;
  return present<Event>({
    kind: event.kind,
    apiVersion,
    metadata: event.metadata,
    // A time that was never set is null here too; the type leaves that to validation.
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
