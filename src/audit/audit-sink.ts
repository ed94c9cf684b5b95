import type { Host } from '../meta/host.js';
import type { AuditEvent } from './audit-event.js';
import type { AuditRecord } from './audit-record.js';

/**
 * How events reach a sink. `batch`: requests never wait, and events are dropped if the queue is full. `blocking`: requests wait until each
 * event is written, or until writing it has failed. `blocking-strict`: in addition, a request whose first event cannot be written is
 * refused.
 */
export type AuditMode = 'batch' | 'blocking' | 'blocking-strict';

/** How events are collected in mode `batch`. */
export interface AuditBatchOptions {
  /** The maximum number of waiting events, not counting the batch that is being filled; further events are dropped. Default 10,000. */
  readonly bufferSize?: number;
  /** The maximum number of events in a batch. Default 400. */
  readonly maxSize?: number;
  /** Milliseconds after which an incomplete batch is written. Default 100. */
  readonly maxWait?: number;
  /** The average number of batches written per second, and the maximum number written in a burst. Default: no limit. */
  readonly throttle?: { readonly qps: number; readonly burst: number };
  /** The maximum number of batches that are written concurrently. Default 1, which keeps them in order. */
  readonly concurrency?: number;
}

/** Size limits. An event that exceeds them is written without its request and response objects. It is dropped if it is still too large. */
export interface AuditTruncateOptions {
  /** The maximum size of an event in bytes. Default 102,400. */
  readonly maxEventSize?: number;
  /** The maximum size of one write in bytes. Default 10,485,760. */
  readonly maxBatchSize?: number;
}

/** A batch of events that is collected for a sink. */
export interface AuditBatch {
  add(record: AuditRecord): void;
  /** Writes the batch. It is called once, after the last event was added, and rejects if the events are lost. */
  write(): Promise<void>;
}

/** A destination of events. */
export interface AuditSink {
  /** The name in messages and metrics. Default `function`. */
  readonly name?: string;
  /** The mode. Default `batch`. */
  readonly mode?: AuditMode;
  /** How events are gathered into batches, in the mode `batch`. */
  readonly batch?: AuditBatchOptions;
  /** The maximum sizes of an event and of a batch. Default: no limits. */
  readonly truncate?: AuditTruncateOptions;
  /** Writes events in the order in which they were recorded. It throws or rejects if the events are lost. */
  write(records: readonly AuditRecord[], host: Host): void | Promise<void>;
  /**
   * Starts a batch in mode `batch`, for a sink that does not need to keep the event objects until they are written. Default: the events are
   * collected in a list, which is passed to `write`.
   */
  gather?(): AuditBatch;
  /** Closes the sink for a server, from which no events follow. */
  close?(host: Host): void | Promise<void>;
}

/** The simplest sink: a function that receives events in mode `batch`. It throws or rejects if they are lost. */
export type AuditFunction = (events: readonly AuditEvent[]) => void | Promise<void>;

/** Makes a sink of a function, with a name and options of its own. */
export function functionSink(take: AuditFunction, options: Omit<AuditSink, 'write'> = {}): AuditSink {
  return { ...options, write: (records) => take(records.map(({ event }) => event)) };
}
