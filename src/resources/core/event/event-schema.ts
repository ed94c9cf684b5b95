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
import { topLevel } from '../../../schema/object-meta-schema.js';
import { coreStruct, count, text } from '../../fragments/core-struct.js';
import { objectReference } from '../../fragments/object-reference.js';

const eventSource = coreStruct('EventSource', 'The program that reported an event, in the old form.', {
  component: omitEmpty(text, 'The program.'),
  host: omitEmpty(text, 'The host it runs on.'),
});

const coreEventSeries = coreStruct('EventSeries', 'How often an event happened.', {
  count: omitEmpty(count, 'The number of occurrences.'),
  lastObservedTime: always(microTime(), 'When it last happened.'),
});

/** v1 Event. */
export const coreEventSchema = topLevel(
  'io.k8s.api.core.v1.Event',
  {
    involvedObject: required(objectReference, 'The object it happened to.'),
    reason: omitEmpty(text, 'What happened, in one word.'),
    message: omitEmpty(text, 'What happened, for people.'),
    source: always(eventSource, 'The program that reported it, in the old form.'),
    firstTimestamp: always(time(), 'When it was first reported.'),
    lastTimestamp: always(time(), 'When it was last reported.'),
    count: omitEmpty(count, 'The number of occurrences.'),
    type: omitEmpty(text, 'Normal or Warning.'),
    eventTime: always(microTime(), 'When it first happened.'),
    series: omitNull(coreEventSeries, 'The number of occurrences.'),
    action: omitEmpty(text, 'What was done.'),
    related: omitNull(objectReference, 'A related object.'),
    reportingComponent: always(text, 'The program that reported it.'),
    reportingInstance: always(text, 'The instance that reported it.'),
  },
  { description: 'Something that happened to an object.' },
);

const V1 = 'io.k8s.api.events.v1';
const eventSeries = struct(
  `${V1}.EventSeries`,
  {
    count: required(count, 'The number of occurrences.'),
    lastObservedTime: required(microTime(), 'When it last happened.'),
  },
  { description: 'How often an event happened.' },
);

/** events/v1 Event: the same facts under newer names. */
export const eventSchema = topLevel(
  `${V1}.Event`,
  {
    // Null all the same for events that were reported in the old form.
    eventTime: required(microTime(), 'When it first happened.') as Typed<string | null>,
    series: omitNull(eventSeries, 'The number of occurrences.'),
    reportingController: omitEmpty(text, 'The program that reported it.'),
    reportingInstance: omitEmpty(text, 'The instance that reported it.'),
    action: omitEmpty(text, 'What was done.'),
    reason: omitEmpty(text, 'What happened, in one word.'),
    regarding: always(objectReference, 'The object it happened to.'),
    related: omitNull(objectReference, 'A related object.'),
    note: omitEmpty(text, 'What happened, for people.'),
    type: omitEmpty(text, 'Normal or Warning.'),
    deprecatedSource: always(eventSource, 'The program that reported it, in the old form.'),
    deprecatedFirstTimestamp: always(time(), 'When it was first reported.'),
    deprecatedLastTimestamp: always(time(), 'When it was last reported.'),
    deprecatedCount: omitEmpty(count, 'The number of occurrences.'),
  },
  { description: 'Something that happened to an object.' },
);
