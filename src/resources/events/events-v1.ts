import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import { coreV1 } from '../core/core-v1.js';
import type { EventsV1 } from './events-v1.types.js';

/** The structs of events/v1. */
export const eventsV1 = /* @__PURE__ */ fieldTable<EventsV1>(
  'io.k8s.api.events.v1',
  { core: coreV1, meta: metaV1 },
  `
Event kind                                             Something that happened to an object.
  eventTime                  2  MicroTime!             When it first happened.
  series                     3  EventSeries*           The number of occurrences.
  reportingController        4  string?                The program that reported it.
  reportingInstance          5  string?                The instance that reported it.
  action                     6  string?                What was done.
  reason                     7  string?                The reason, in one word.
  regarding                  8  core.ObjectReference   The object it happened to.
  related                    9  core.ObjectReference*  A related object.
  note                      10  string?                The message, for people.
  type                      11  string?                Normal or Warning.
  deprecatedSource          12  core.EventSource       The reporting component, in the core/v1 format.
  deprecatedFirstTimestamp  13  Time                   When it was first reported.
  deprecatedLastTimestamp   14  Time                   When it was last reported.
  deprecatedCount           15  int32?                 The number of occurrences.

EventSeries                        How often an event happened.
  count             1  int32!      The number of occurrences.
  lastObservedTime  2  MicroTime!  When it last happened.
`,
);
