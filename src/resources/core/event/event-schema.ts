import {
  always,
  microTime,
  omitEmpty,
  omitNull,
  required,
  struct,
  type Typed,
  time,
} from '../../../schema/authoring.js';
import { objectMeta, topLevel } from '../../../schema/object-meta-schema.js';
import { coreStruct, count, text } from '../../fragments/core-struct.js';
import { objectReference } from '../../fragments/object-reference.js';

export const eventSource = coreStruct('EventSource', 'The program that reported an event, in the old form.', () => ({
  component: omitEmpty(text, 1, 'The program.'),
  host: omitEmpty(text, 2, 'The host it runs on.'),
}));

const coreEventSeries = coreStruct('EventSeries', 'How often an event happened.', () => ({
  count: omitEmpty(count, 1, 'The number of occurrences.'),
  lastObservedTime: always(microTime(), 2, 'When it last happened.'),
}));

/** v1 Event. */
export const coreEventSchema = topLevel('io.k8s.api.core.v1.Event', 'Something that happened to an object.', () => ({
  metadata: required(objectMeta, 1, 'The metadata of the object.'),
  involvedObject: required(objectReference, 2, 'The object it happened to.'),
  reason: omitEmpty(text, 3, 'What happened, in one word.'),
  message: omitEmpty(text, 4, 'What happened, for people.'),
  source: always(eventSource, 5, 'The program that reported it, in the old form.'),
  firstTimestamp: always(time(), 6, 'When it was first reported.'),
  lastTimestamp: always(time(), 7, 'When it was last reported.'),
  count: omitEmpty(count, 8, 'The number of occurrences.'),
  type: omitEmpty(text, 9, 'Normal or Warning.'),
  eventTime: always(microTime(), 10, 'When it first happened.'),
  series: omitNull(coreEventSeries, 11, 'The number of occurrences.'),
  action: omitEmpty(text, 12, 'What was done.'),
  related: omitNull(objectReference, 13, 'A related object.'),
  reportingComponent: always(text, 14, 'The program that reported it.'),
  reportingInstance: always(text, 15, 'The instance that reported it.'),
}));

const eventSeries = struct('io.k8s.api.events.v1.EventSeries', 'How often an event happened.', () => ({
  count: required(count, 1, 'The number of occurrences.'),
  lastObservedTime: required(microTime(), 2, 'When it last happened.'),
}));

/** events/v1 Event: the same facts under newer names. */
export const eventSchema = topLevel('io.k8s.api.events.v1.Event', 'Something that happened to an object.', () => ({
  // Null all the same for events that were reported in the old form.
  eventTime: required(microTime(), 2, 'When it first happened.') as Typed<string | null>,
  series: omitNull(eventSeries, 3, 'The number of occurrences.'),
  reportingController: omitEmpty(text, 4, 'The program that reported it.'),
  reportingInstance: omitEmpty(text, 5, 'The instance that reported it.'),
  action: omitEmpty(text, 6, 'What was done.'),
  reason: omitEmpty(text, 7, 'What happened, in one word.'),
  regarding: always(objectReference, 8, 'The object it happened to.'),
  related: omitNull(objectReference, 9, 'A related object.'),
  note: omitEmpty(text, 10, 'What happened, for people.'),
  type: omitEmpty(text, 11, 'Normal or Warning.'),
  deprecatedSource: always(eventSource, 12, 'The program that reported it, in the old form.'),
  deprecatedFirstTimestamp: always(time(), 13, 'When it was first reported.'),
  deprecatedLastTimestamp: always(time(), 14, 'When it was last reported.'),
  deprecatedCount: omitEmpty(count, 15, 'The number of occurrences.'),
}));
