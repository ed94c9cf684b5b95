// Made by `npm run api-types` of events-v1.ts.
import type { Filled } from '../../meta/sent-form.js';
import type * as core from '../core/core-v1.types.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface EventsV1 {
  Event: Event;
  EventSeries: EventSeries;
}

/** Something that happened to an object. */
export interface Event extends Filled<'metadata' | 'regarding' | 'deprecatedSource' | 'deprecatedFirstTimestamp' | 'deprecatedLastTimestamp'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** When it first happened. */
  readonly eventTime: string;
  /** The number of occurrences. */
  readonly series?: EventSeries;
  /** The program that reported it. */
  readonly reportingController?: string;
  /** The instance that reported it. */
  readonly reportingInstance?: string;
  /** What was done. */
  readonly action?: string;
  /** The reason, in one word. */
  readonly reason?: string;
  /** The object it happened to. */
  readonly regarding: core.ObjectReference;
  /** A related object. */
  readonly related?: core.ObjectReference;
  /** The message, for people. */
  readonly note?: string;
  /** Normal or Warning. */
  readonly type?: string;
  /** The reporting component, in the core/v1 format. */
  readonly deprecatedSource: core.EventSource;
  /** When it was first reported. */
  readonly deprecatedFirstTimestamp: string | null;
  /** When it was last reported. */
  readonly deprecatedLastTimestamp: string | null;
  /** The number of occurrences. */
  readonly deprecatedCount?: number;
}

/** How often an event happened. */
export interface EventSeries {
  /** The number of occurrences. */
  readonly count: number;
  /** When it last happened. */
  readonly lastObservedTime: string;
}
