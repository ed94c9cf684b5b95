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

const eventSource = coreStruct('EventSource', 'Who told an event, in the old form.', {
  component: omitEmpty(text, 'The program.'),
  host: omitEmpty(text, 'The host it runs on.'),
});

const coreEventSeries = coreStruct('EventSeries', 'How often an event happened.', {
  count: omitEmpty(count, 'How often so far.'),
  lastObservedTime: always(microTime(), 'When it last happened.'),
});

/** v1 Event. */
export const coreEventSchema = topLevel(
  'io.k8s.api.core.v1.Event',
  {
    involvedObject: required(objectReference, 'What it happened to.'),
    reason: omitEmpty(text, 'What happened, in one word.'),
    message: omitEmpty(text, 'What happened, for people.'),
    source: always(eventSource, 'Who told it, in the old form.'),
    firstTimestamp: always(time(), 'When it was first told.'),
    lastTimestamp: always(time(), 'When it was last told.'),
    count: omitEmpty(count, 'How often it happened.'),
    type: omitEmpty(text, 'Normal or Warning.'),
    eventTime: always(microTime(), 'When it first happened.'),
    series: omitNull(coreEventSeries, 'How often it happened.'),
    action: omitEmpty(text, 'What was done.'),
    related: omitNull(objectReference, 'What else it is about.'),
    reportingComponent: always(text, 'Who told it.'),
    reportingInstance: always(text, 'Which instance told it.'),
  },
  { description: 'Something that happened to an object.' },
);

const V1 = 'io.k8s.api.events.v1';
const eventSeries = struct(
  `${V1}.EventSeries`,
  {
    count: required(count, 'How often so far.'),
    lastObservedTime: required(microTime(), 'When it last happened.'),
  },
  { description: 'How often an event happened.' },
);

/** events/v1 Event: the same facts under newer names. */
export const eventSchema = topLevel(
  `${V1}.Event`,
  {
    // Null all the same for events that were told in the old form.
    eventTime: required(microTime(), 'When it first happened.') as Typed<string | null>,
    series: omitNull(eventSeries, 'How often it happened.'),
    reportingController: omitEmpty(text, 'Who told it.'),
    reportingInstance: omitEmpty(text, 'Which instance told it.'),
    action: omitEmpty(text, 'What was done.'),
    reason: omitEmpty(text, 'What happened, in one word.'),
    regarding: always(objectReference, 'What it happened to.'),
    related: omitNull(objectReference, 'What else it is about.'),
    note: omitEmpty(text, 'What happened, for people.'),
    type: omitEmpty(text, 'Normal or Warning.'),
    deprecatedSource: always(eventSource, 'Who told it, in the old form.'),
    deprecatedFirstTimestamp: always(time(), 'When it was first told.'),
    deprecatedLastTimestamp: always(time(), 'When it was last told.'),
    deprecatedCount: omitEmpty(count, 'How often it happened.'),
  },
  { description: 'Something that happened to an object.' },
);
